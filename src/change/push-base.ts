import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { PushBase, ScanTarget } from '../domain/target.ts';
import type { GitHubAccess } from '../github/access.ts';
import { readCommitTree } from '../github/commit-tree.ts';
import { type MeasuredFrom, readBranchSide } from './branch-side.ts';
import type { NoMergeBase } from './merge-base.ts';

/** Finds the base of a push: the commit before the push. For a new branch, it is the tip of the default branch. */
export async function sideOfPush(
  deps: GitHubAccess,
  { before, branch, defaultBranch }: PushBase,
): Promise<Result<MeasuredFrom, NotScanned>> {
  if (before !== undefined) return ok({ side: { kind: 'commit', sha: before }, warnings: [] });
  if (branch === defaultBranch) return err(FIRST_PUSH);
  const side = await readBranchSide(deps, defaultBranch);
  return side.ok ? side : err({ ...side.error, nextStep: DEFAULT_GONE_NEXT });
}

/**
 * Explains why this run cannot prove that the change is empty. Returns undefined if it can.
 *
 * For a new branch and for some merge groups, the base is found from the tip of a branch. At the time of a re-run, that
 * tip may already contain the head. Then an empty change proves nothing.
 */
export function mergedSince({ base }: ScanTarget, runAttempt: number): NotScanned | undefined {
  const isNewBranch = base.kind === 'push' && base.before === undefined;
  if (runAttempt === 1 || !(isNewBranch || base.kind === 'merge-group')) return undefined;
  return isNewBranch ? MERGED_SINCE_PUSH : MERGED_GROUP;
}

/** Explains why a push has no merge base. Returns undefined if the general explanation fits. */
export async function explainPush(
  { github, signal }: GitHubAccess,
  { kind }: NoMergeBase,
  { before }: PushBase,
  { headSha }: ScanTarget,
): Promise<NotScanned | undefined> {
  const from = before === undefined ? 'the default branch' : 'the commit before it';
  if (kind === 'no-common-ancestor') {
    return {
      reason: 'configuration',
      cause: `The pushed commit and ${from} have no common ancestor.`,
      nextStep: FULL_SCAN,
    };
  }
  if (kind === 'several') {
    return {
      reason: 'service-error',
      cause: `The pushed commit and ${from} have several merge bases, and GitHub did not say which one it uses.`,
      nextStep: 'Re-run this job later.',
    };
  }
  if (kind !== 'unknown-commit' || before === undefined) return undefined;
  // A token without access to the repository sees no commit at all. So the commit before the push counts as unknown
  // only if the token can read the head.
  const head = await readCommitTree(github, headSha, signal);
  return head.ok ? beforeUnknown(before) : undefined;
}

const FULL_SCAN = 'Run a full scan once by `workflow_dispatch`.';

const DEFAULT_GONE_NEXT = `If the branch exists, add \`contents: read\` to the job's \`permissions\` and push. If not, run a full scan once by \`workflow_dispatch\`.`;

const FIRST_PUSH: NotScanned = {
  reason: 'unsupported-event',
  cause: 'The push created the default branch, so there is no commit to measure the change from.',
  nextStep: FULL_SCAN,
};

const MERGED_SINCE_PUSH: NotScanned = {
  reason: 'unsupported-event',
  cause:
    'The default branch contains the pushed commit now, so a re-run cannot measure what the push of the new branch changed.',
  nextStep: FULL_SCAN,
};

const MERGED_GROUP: NotScanned = {
  reason: 'unsupported-event',
  cause:
    'The base branch contains the head of the merge group now, so a re-run cannot measure what the group changed.',
  nextStep: FULL_SCAN,
};

function beforeUnknown(before: string): NotScanned {
  return {
    reason: 'unsupported-event',
    cause: `GitHub does not know the commit \`${before}\` from before the push any more, so there is no commit to measure the change from.`,
    nextStep: FULL_SCAN,
  };
}
