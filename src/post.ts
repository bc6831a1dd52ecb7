import { isStateSaved } from './runner/state-names.ts';

const isSaved = isStateSaved(process.env);
process.exitCode = isSaved ? 1 : 0;

// Most jobs leave nothing behind. Their `post` step loads no module except `state-names.ts`.
if (isSaved) {
  // "eager" bundles `clean-up.ts` into this file, but runs it only if there is something to clean up.
  const { cleanUpAfterJob } = await import(/* webpackMode: "eager" */ './gate/clean-up.ts');
  await cleanUpAfterJob();
}
