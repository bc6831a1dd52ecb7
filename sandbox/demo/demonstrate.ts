import { createDemoEnvironment } from './demo-environment.ts';
import { countsOf, describeCoverage } from './describe-coverage.ts';
import { type LocalChange, mergeBases } from './local-change.ts';
import { describeRun } from './print-run.ts';
import { readCoverage } from './read-coverage.ts';
import { showRun } from './show-run.ts';
import { showTriage } from './show-triage.ts';

/** The result of a demo. */
export interface Demonstration {
  /** True if the run ended as the demo expects. */
  readonly behaved: boolean;
  readonly coverage: string;
}

/** Runs the action on the change. */
export async function demonstrate(change: LocalChange, isSample: boolean): Promise<Demonstration> {
  console.log(
    `The bundled action scans ${change.repository}, ${change.baseRef}...${change.headRef}, against fakes of GitHub and of the scanning service on this machine. The repository is only read.`,
  );
  const environment = await createDemoEnvironment(change, (stage) => console.log(`- ${stage}`));
  try {
    const run = await environment.run();
    const read = await readCoverage(environment.service, run.outputs['scan-id']);
    console.log(describeRun(run, environment.github, read && countsOf(read)));
    const { outcome = '', 'base-commit': base = '', 'findings-blocking': blocking = '' } = run.outputs;
    const coverage = describeCoverage(read);
    const allBases = await mergeBases(change);
    const ledger = environment.service.ledger();
    console.log(`\nCredits: ${ledger.spent} spent, ${ledger.reserved} reserved, ${ledger.balance} left.`);
    const rightBase = allBases.includes(base);
    console.log(
      rightBase
        ? `Merge base: ${base}. The action and git on the full history agree.`
        : `Merge base: ${base || 'none'} (action), ${allBases.join(', ') || 'none'} (git on the full history).`,
    );
    console.log(
      `Verdict: ${outcome}${blocking === '' ? '' : `, ${blocking} blocking`}, exit code ${run.exitCode}.`,
    );
    console.log('The URLs at 127.0.0.1 above belonged to the fake servers, which have stopped.');
    console.log(`Pull request as a reviewer sees it: ${await showRun(environment, change, run)}`);
    if (isSample) {
      const blocked = outcome === 'blocked' && run.exitCode === 1 && environment.github.comments.length === 1;
      console.log(
        blocked
          ? 'The gate blocked this pull request, as expected.'
          : 'The gate did not block this pull request, as it should have.',
      );
      return { behaved: blocked && rightBase && ledger.reserved === 0, coverage };
    }
    // Branches without a common ancestor have no merge base. The action must then not scan, and must name no base.
    const baseIsRight = allBases.length === 0 ? outcome === 'not-scanned' && base === '' : rightBase;
    const judged = allBases.length === 0 || ['passed', 'blocked', 'unchanged'].includes(outcome);
    return { behaved: baseIsRight && judged && ledger.reserved === 0, coverage };
  } finally {
    await environment.close();
  }
}

/** Runs the gate, then the triage action, then the gate again. */
export async function demonstrateTriage(change: LocalChange): Promise<boolean> {
  console.log(
    'The bundled actions run against fakes of GitHub and of the scanning service on this machine.\n',
  );
  const environment = await createDemoEnvironment(change);
  try {
    return await showTriage(environment, (line) => console.log(line));
  } finally {
    await environment.close();
  }
}
