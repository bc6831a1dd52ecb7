// The demo: the bundled action against the stand-ins, on the sample's pull request or on a local repository.
import { chosenChange } from './chosen-change.ts';
import { type LocalChange, mergeBases } from './local-change.ts';
import { describeRun } from './print-run.ts';
import { sayCoverage } from './say-coverage.ts';
import { showRun } from './show-run.ts';
import { stageFor } from './stage-for.ts';

/** Runs the action on the change and says whether it behaved. */
async function demonstrate(change: LocalChange, isSample: boolean): Promise<boolean> {
  const stage = await stageFor(change);
  try {
    const run = await stage.run();
    console.log(describeRun(run, stage.github));
    const { outcome = '', 'base-commit': base = '', 'findings-blocking': blocking = '' } = run.outputs;
    const allBases = await mergeBases(change);
    const ledger = stage.service.ledger();
    console.log(`\nCredits: ${ledger.spent} spent, ${ledger.reserved} reserved, ${ledger.balance} left.`);
    const rightBase = allBases.includes(base);
    console.log(
      `Merge base: ${base || 'none'} (action), ${allBases.join(', ') || 'none'} (git on the full history).`,
    );
    console.log(
      `Verdict: ${outcome}${blocking === '' ? '' : `, ${blocking} blocking`}, exit code ${run.exitCode}.`,
    );
    console.log('The URLs at 127.0.0.1 above belonged to the fake servers, which have stopped.');
    console.log(`Pull request as a reviewer sees it: ${await showRun(stage, change, run)}`);
    if (isSample) {
      const blocked = outcome === 'blocked' && run.exitCode === 1 && stage.github.comments.length === 1;
      console.log(
        blocked
          ? 'The gate blocked this pull request, as expected.'
          : 'The gate did not block this pull request, as it should have.',
      );
      return blocked && rightBase && ledger.reserved === 0;
    }
    // Branches without a common ancestor have no change that could be scanned.
    const told = allBases.length === 0 ? outcome === 'not-scanned' && base === '' : rightBase;
    const judged = allBases.length === 0 || ['passed', 'blocked', 'unchanged'].includes(outcome);
    return told && judged && ledger.reserved === 0;
  } finally {
    await stage.close();
  }
}

const change = await chosenChange(process.argv.slice(2));
if ('say' in change) {
  if (change.exitCode === 0) console.log(change.say);
  else console.error(change.say);
  process.exitCode = change.exitCode;
} else {
  try {
    const behaved = await demonstrate(change, process.argv.length <= 2);
    console.log(
      behaved ? 'The demo succeeded.' : 'The demo failed. Please open an issue with the output above.',
    );
    console.log(await sayCoverage(change));
    process.exitCode = behaved ? 0 : 1;
  } finally {
    await change.remove();
  }
}
