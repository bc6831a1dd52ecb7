import { isStateSaved } from './runner/state-names.ts';

const isSaved = isStateSaved(process.env);
process.exitCode = isSaved ? 1 : 0;

// Most jobs leave nothing behind. Their `post` step then loads no further module.
if (isSaved) {
  // "eager" bundles the module into this file, but runs it only when it is needed.
  const { cleanUpAfterJob } = await import(/* webpackMode: "eager" */ './gate/after-job.ts');
  await cleanUpAfterJob();
}
