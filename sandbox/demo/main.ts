// The demo: runs the bundled action against the fake servers, on a sample pull request or on a local repository.
import { GitError } from '../git-process.ts';
import { changeFromArguments } from './cli-options.ts';
import { nextSteps } from './next-steps.ts';

const change = await changeFromArguments(process.argv.slice(2));
if ('message' in change) {
  if (change.exitCode === 0) console.log(change.message);
  else console.error(change.message);
  process.exitCode = change.exitCode;
} else {
  try {
    // This module is loaded only now, so that wrong arguments are reported at once.
    const { demonstrate, demonstrateTriage } = await import('./demonstrate.ts');
    const isSample = process.argv.length <= 2;
    const { behaved, ending, coverage } = process.argv.includes('--triage')
      ? { ...(await demonstrateTriage(change)), coverage: undefined }
      : await demonstrate(change, isSample);
    console.log(ending);
    if (coverage !== undefined) console.log(coverage);
    if (behaved && coverage !== undefined) console.log(`\n${await nextSteps(change, isSample)}`);
    process.exitCode = behaved ? 0 : 1;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    console.error(`The demo cannot read ${change.directory}: ${error.message}`);
    process.exitCode = 2;
  } finally {
    await change.remove();
  }
}
