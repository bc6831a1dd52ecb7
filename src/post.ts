import { isStateSaved } from './runner/state-names.ts';

const isSaved = isStateSaved(process.env);
process.exitCode = isSaved ? 1 : 0;

// Most jobs leave nothing behind. Then nothing is loaded.
if (isSaved) {
  // "eager" keeps the module in this file, where it is loaded when it is needed.
  const { cleanUpAfterJob } = await import(/* webpackMode: "eager" */ './gate/after-job.ts');
  await cleanUpAfterJob();
}
