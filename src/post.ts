import { isStateSaved } from './runner/state-names.ts';

const isSaved = isStateSaved(process.env);
process.exitCode = isSaved ? 1 : 0;

// With nothing left behind there is nothing to load either: this is how most jobs end.
if (isSaved) {
  // "eager" keeps it in this one file, where it waits until it is asked for.
  const { cleanUpAfterJob } = await import(/* webpackMode: "eager" */ './gate/after-job.ts');
  await cleanUpAfterJob();
}
