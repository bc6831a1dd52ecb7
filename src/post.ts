import { isStateSaved } from './runner/state-names.ts';

process.exitCode = 1;

// With nothing left behind there is nothing to load either: this is how most jobs end.
if (isStateSaved(process.env)) {
  // The log is not worth more than the cleaning up.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // "eager" keeps it in this one file, where it waits until it is asked for.
  const afterJob = await import(/* webpackMode: "eager" */ './gate/after-job.ts');
  process.on('uncaughtException', (error) => process.exit(afterJob.failUnexpectedly(error)));
  const exitCode = await afterJob.cleanUpAfterJob();
  process.stdout.write('', () => process.exit(exitCode));
} else {
  process.exitCode = 0;
}
