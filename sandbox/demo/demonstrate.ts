import { createDemoEnvironment } from './demo-environment.ts';
import { countsOf, coverageOf, describeCoverage } from './describe-coverage.ts';
import { type LocalChange, mergeBases } from './local-change.ts';
import { describeFindings, describeRun } from './print-run.ts';
import { showRun } from './show-run.ts';
import { showTriage } from './show-triage.ts';

const SUCCEEDED = 'The demo succeeded.';
const FAILED = 'The demo failed. Please open an issue with the output above.';
const NOTHING_SCANNED =
  'The action scanned nothing, as expected: base and head have no common ancestor. To see a scan, use two commits that have one.';

/**
 * Runs the action on the change. Prints the findings, the verdict and the address of a page.
 * @returns whether the run ended as the demo expects, and the sentences that say so
 * @param all true to print also everything that the run left
 */
export async function demonstrate(
  change: LocalChange,
  { isSample, all }: { readonly isSample: boolean; readonly all: boolean },
) {
  console.log(
    `The bundled action scans ${change.repository}, ${change.baseRef}...${change.headRef}, against fakes of GitHub and of the scanning service on this machine. The repository is only read.`,
  );
  const environment = await createDemoEnvironment(change, (stage) => console.log(`- ${stage}`));
  try {
    const run = await environment.run();
    const read = coverageOf(environment.service, run);
    console.log(
      all ? describeRun(run, environment.github, read && countsOf(read)) : describeFindings(run.log),
    );
    const { outcome = '', 'base-commit': base = '', 'findings-blocking': blocking = '' } = run.outputs;
    const coverage = describeCoverage(read);
    const allBases = await mergeBases(change);
    const ledger = environment.service.ledger();
    const rightBase = allBases.includes(base);
    if (all) {
      console.log(`\nCredits: ${ledger.spent} spent, ${ledger.reserved} reserved, ${ledger.balance} left.`);
      console.log(
        rightBase
          ? `Merge base: ${base}. The action and git on the full history agree.`
          : `Merge base: ${base || 'none'} (action), ${allBases.join(', ') || 'none'} (git on the full history).`,
      );
      console.log('The URLs at 127.0.0.1 above belonged to the fake servers, which have stopped.');
    }
    console.log(
      `Verdict: ${outcome}${blocking === '' ? '' : `, ${blocking} blocking`}, exit code ${run.exitCode}.`,
    );
    console.log(
      `Pull request as a reviewer sees it: ${await showRun(environment, change, run, 'demo.html')}`,
    );
    if (isSample) {
      const blocked = outcome === 'blocked' && run.exitCode === 1 && environment.github.comments.length === 1;
      console.log(
        blocked
          ? 'The gate blocked this pull request, as expected.'
          : 'The gate did not block this pull request, as it should have.',
      );
      const behaved = blocked && rightBase && ledger.reserved === 0;
      return { behaved, ending: behaved ? SUCCEEDED : FAILED, coverage };
    }
    // Branches without a common ancestor have no merge base. The action must then not scan, and must name no base.
    const isUnrelated = allBases.length === 0;
    const baseIsRight = isUnrelated ? outcome === 'not-scanned' && base === '' : rightBase;
    const judged = isUnrelated || ['passed', 'blocked', 'unchanged'].includes(outcome);
    const behaved = baseIsRight && judged && ledger.reserved === 0;
    const asExpected = isUnrelated ? NOTHING_SCANNED : SUCCEEDED;
    return { behaved, ending: behaved ? asExpected : FAILED, coverage };
  } finally {
    await environment.close();
  }
}

/** Runs the gate, then the triage action, then the gate again. */
export async function demonstrateTriage(change: LocalChange) {
  console.log(
    'The bundled actions run against fakes of GitHub and of the scanning service on this machine.\n',
  );
  const environment = await createDemoEnvironment(change);
  try {
    const behaved = await showTriage(environment, (line) => console.log(line));
    return { behaved, ending: behaved ? SUCCEEDED : FAILED };
  } finally {
    await environment.close();
  }
}
