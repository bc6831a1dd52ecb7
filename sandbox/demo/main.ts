// The demo: runs the bundled action against the fake servers, on a sample pull request or on a local repository.
import { runCommand, UsageError } from '../command-line.ts';
import { GitError } from '../git-process.ts';
import { readDemoOptions, USAGE } from './cli-options.ts';
import { nextSteps } from './next-steps.ts';

await runCommand(async () => {
  const options = await readDemoOptions(process.argv.slice(2));
  if (options === 'help') return console.log(USAGE);
  const { change, isSample, triage, all } = options;
  try {
    // This module is loaded only now, so that wrong arguments are reported at once.
    const { demonstrate, demonstrateTriage } = await import('./demonstrate.ts');
    const { behaved, ending, coverage } = triage
      ? { ...(await demonstrateTriage(change)), coverage: undefined }
      : await demonstrate(change, { isSample, all });
    console.log(ending);
    if (coverage !== undefined) console.log(coverage);
    if (behaved && coverage !== undefined) console.log(`\n${await nextSteps(change, isSample)}`);
    process.exitCode = behaved ? 0 : 1;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new UsageError(`The demo cannot read ${change.directory}: ${error.message}`);
  } finally {
    await change.remove();
  }
});
