import type { CompareFault } from '../github/compare.ts';
import { causeOf, fixOf, type GitHubError, lacksPermission } from '../github/errors.ts';
import type { GitHubFacts } from './facts.ts';
import { type Check, error, type Fixer, ok, type Row, skipped, warning } from './row.ts';

/** Rows about what `github-token` may read. */
export function githubRows(github: GitHubFacts | undefined, isCommandLine: boolean): readonly Row[] {
  if (github === undefined) {
    const where = isCommandLine ? 'in the environment variable `GITHUB_TOKEN`' : 'as `github-token`';
    const what = `Give a token for GitHub that may read this repository, ${where}.`;
    const row = warning('Comparison', 'GitHub was not asked: there is no token for it.', WORKFLOW, what);
    return [{ ...row, caveat: 'unasked' }];
  }
  const { defaultBranch, branch, comparison, checkRuns } = github;
  if (!defaultBranch.ok) return [unread('Comparison', defaultBranch.error)];
  if (branch?.ok === false) return [unread('Comparison', branch.error)];
  return [comparisonRow(comparison), checkRunsRow(checkRuns)];
}

const WORKFLOW: Fixer = 'Workflow maintainer';

function comparisonRow(comparison: GitHubFacts['comparison']): Row {
  if (comparison === undefined) return skipped('Comparison', 'Not checked: the default branch was not read.');
  if (comparison.ok) return ok('Comparison', 'GitHub compares commits: merge bases can be found.');
  const fault: CompareFault = comparison.error;
  switch (fault.kind) {
    case 'unavailable':
      return unread('Comparison', fault.error);
    case 'stopped':
      return error('Comparison', 'The time was over before GitHub compared commits.', WORKFLOW, AGAIN);
    case 'no-common-ancestor':
    case 'unknown-commit':
      return warning(
        'Comparison',
        'This commit and the default branch have no common ancestor on GitHub.',
        WORKFLOW,
        'Run the doctor on a branch that was made from the default branch.',
      );
  }
}

function checkRunsRow(checkRuns: GitHubFacts['checkRuns']): Row {
  if (checkRuns === undefined) return skipped('Check runs', 'Not checked: the default branch was not read.');
  if (!checkRuns.ok) return unread('Check runs', { ...checkRuns.error, permission: 'checks: read' });
  return ok('Check runs', 'Readable. The gate itself needs `checks: write`, which a read cannot prove.');
}

const AGAIN = 'Re-run this job.';

/**
 * Makes the row for a failed read of data that only the doctor needs, and not the gate. If a permission is missing, the
 * row says only that nothing was checked, and which permission to grant.
 */
export function unreadExtra(check: Check, failure: GitHubError): Row {
  if (lacksPermission(failure) || failure.kind === 'not-found') {
    return skipped(check, `Not checked: grant \`${failure.permission}\`.`);
  }
  return { ...unread(check, failure), level: 'warning' };
}

/** Makes an error row for a failed read. If this read fails, the doctor cannot say that the gate works. */
export function unread(check: Check, failure: GitHubError): Row {
  const who: Fixer = failure.kind === 'unreachable' ? 'Admin of the runner' : WORKFLOW;
  return error(check, causeOf(failure), who, fixOf(failure) || AGAIN);
}
