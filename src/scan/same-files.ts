import { err, explainStop, type NotScanned, ok, type Result, stopCause } from '../domain/result.ts';
import { matchCommit, type Scan, shownInFull } from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import { readCommitTree } from '../github/compare.ts';
import { causeOf, fixOf, type GitHubError } from '../github/errors.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import type { ScanTrees } from './scan-mark.ts';

/** True if the files are the same. An error means that this could not be determined. */
export type SameFiles = Result<boolean, NotScanned>;

/** True if the commits of a scan have the same files as the expected commits. */
export type CompareFiles = (scan: Scan, expected: CommitRange) => Promise<SameFiles>;

/**
 * Creates a function that compares a scan with the expected commits. If the commits differ, the function asks GitHub
 * for their trees: equal trees mean the same change, byte for byte.
 *
 * A commit that the scan does not show counts as the same.
 * @param trees the trees of the expected commits; if undefined, the function reads these trees from GitHub
 */
export function createFileComparison(
  { github, signal }: GitHubAccess,
  trees: ScanTrees | undefined,
): CompareFiles {
  async function hasSameFiles(
    shown: string | undefined,
    expected: string | undefined,
    tree: string | undefined,
  ): Promise<SameFiles> {
    if (shown === undefined) return ok(true);
    if (expected === undefined) return ok(false);
    if (matchCommit(shown, expected) !== 'different') return ok(true);
    const sha = shownInFull(shown, expected);
    if (sha === undefined) return err(NOT_IN_FULL);
    const [one, other] = await Promise.all([
      readCommitTree(github, sha, signal),
      tree === undefined ? readCommitTree(github, expected, signal) : ok(tree),
    ]);
    // GitHub may no longer have one of the commits. It is then unknown whether the files differ.
    if (!one.ok) return err(notCompared(one.error, signal));
    if (!other.ok) return err(notCompared(other.error, signal));
    return ok(one.value === other.value);
  }
  return async (scan, { baseSha, headSha }) => {
    const head = await hasSameFiles(scan.headSha, headSha, trees?.head);
    return head.ok && head.value ? hasSameFiles(scan.baseSha ?? undefined, baseSha, trees?.base) : head;
  };
}

const RELAUNCH = 'Re-run this job to launch a new scan.';

const NOT_IN_FULL: NotScanned = {
  reason: 'service-error',
  cause:
    'The scan shows another commit, and not its full SHA. Its files could not be compared with this change.',
  nextStep: RELAUNCH,
};

function notCompared(error: GitHubError, signal: AbortSignal): NotScanned {
  if (error.kind === 'stopped') {
    return explainStop(stopCause(signal) ?? 'signal', 'the files of the scan had not been compared');
  }
  return {
    reason: 'service-error',
    cause: `The scan shows other commits, and their files could not be compared with this change. ${causeOf(error)}`,
    nextStep: error.kind === 'not-found' ? RELAUNCH : fixOf(error),
  };
}
