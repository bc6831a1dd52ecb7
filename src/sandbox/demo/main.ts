// The demo: the bundled action against the stand-ins, on the sample's pull request or on a local repository.
import { parseArgs } from 'node:util';
import { givenChange, type LocalChange, mergeBases, sampleChange } from './local-change.ts';
import { describeRun } from './print-run.ts';
import { showRun } from './show-run.ts';
import { stageFor } from './stage-for.ts';

const USAGE = 'Usage: npm run demo [-- --repo PATH --base REF --head REF]';

async function chosenChange(): Promise<LocalChange | undefined> {
  const { values } = parseArgs({
    options: { repo: { type: 'string' }, base: { type: 'string' }, head: { type: 'string' } },
  });
  const { repo, base, head } = values;
  if (repo === undefined && base === undefined && head === undefined) return sampleChange();
  if (repo === undefined || base === undefined || head === undefined) return undefined;
  return givenChange(repo, base, head);
}

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
      `Merge base: the action says ${base || 'none'}, git on the full history ${allBases.join(', ') || 'none'}.`,
    );
    console.log(
      `Verdict: ${outcome}${blocking === '' ? '' : `, ${blocking} blocking`}; the step's exit code is ${run.exitCode}.`,
    );
    console.log(`What a reviewer sees: ${await showRun(stage, change, run)}`);
    if (isSample) {
      const blocked = outcome === 'blocked' && run.exitCode === 1 && stage.github.comments.length === 1;
      console.log(
        blocked
          ? 'The gate blocked this pull request, as it should.'
          : 'The gate did not block this pull request.',
      );
      return blocked && rightBase && ledger.reserved === 0;
    }
    return rightBase && ['passed', 'blocked', 'unchanged'].includes(outcome) && ledger.reserved === 0;
  } finally {
    await stage.close();
  }
}

const change = await chosenChange();
if (change === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    const behaved = await demonstrate(change, process.argv.length <= 2);
    console.log(behaved ? 'The demo behaved.' : 'The demo did not behave as it should.');
    process.exitCode = behaved ? 0 : 1;
  } finally {
    await change.remove();
  }
}
