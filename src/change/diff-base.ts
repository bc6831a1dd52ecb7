import { err, explainStop, type NotScanned, ok, type Result, stopCause } from '../domain/result.ts';
import type { DiffBase, PushBase, ScanTarget, TargetBase } from '../domain/target.ts';
import { readGrouping } from '../github/branch-rules.ts';
import { readCommitTree } from '../github/compare.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import {
  baseUnavailable,
  branchSide,
  findMergeBase,
  IF_COMMIT_EXISTS,
  type MeasuredFrom,
  type MergeBaseDeps,
  type NoMergeBase,
  noMergeBase,
  readBranchSide,
} from './merge-base.ts';

/**
 * Checks the base that the workflow sets. It must not contain the head, because a scan from it would find nothing.
 * Returns an error if this cannot be checked.
 * @param given a full commit id
 */
async function checkGivenBase(
  deps: MergeBaseDeps,
  target: ScanTarget,
  given: string,
): Promise<Result<DiffBase, NotScanned>> {
  const { headSha } = target;
  if (given === headSha) return err(CONTAINS_HEAD);
  const diffBase: DiffBase = { baseSha: given, headSha, how: 'input' };
  const found = await findMergeBase(deps, { kind: 'commit', sha: given }, target);
  if (found.ok) return found.value.sha === headSha ? err(CONTAINS_HEAD) : ok(diffBase);
  switch (found.error.kind) {
    // There is no merge base, or there are several. If the base contained the head, the head would be the only merge
    // base.
    case 'no-common-ancestor':
    case 'several':
      return ok(diffBase);
    case 'stopped':
      return err(explainStop(stopCause(deps.signal), 'it launched a scan'));
    case 'unknown-commit':
      return err(unknownCommit(given, headSha));
    case 'unavailable':
      return err(
        baseUnavailable(
          `Could not compare the base that the workflow sets with the head. ${found.error.detail}`,
          found.error.error,
        ),
      );
  }
}

const CONTAINS_HEAD: NotScanned = {
  reason: 'configuration',
  cause:
    'The base in `base-commit` or `launch-parameters` equals or contains the head, so a scan would see no change.',
  nextStep:
    'Remove it from the workflow and push. Scangate then uses the merge base. On `pull_request`, `github.sha` is a test merge commit that contains the head.',
};

function unknownCommit(given: string, headSha: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `GitHub does not know the base \`${given}\` or the head \`${headSha}\` in this repository.`,
    nextStep: `Fix the base in \`base-commit\` or \`launch-parameters\` and push, or remove it to use the merge base. ${IF_COMMIT_EXISTS}`,
  };
}

/** Finds the base of a push: the commit before the push. For a new branch, it is the tip of the default branch. */
export async function sideOfPush(
  deps: GitHubAccess,
  { before, branch, defaultBranch }: PushBase,
): Promise<Result<MeasuredFrom, NotScanned>> {
  if (before !== undefined) return ok({ side: { kind: 'commit', sha: before } });
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
async function explainPush(
  { github, signal }: GitHubAccess,
  { kind }: NoMergeBase,
  { before }: PushBase,
  headSha: string,
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
  const head = await readCommitTree(github.until(signal), headSha);
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

/**
 * Finds the commit with which the head is compared. It is the base that the workflow sets, otherwise the merge base. A
 * full scan has no base. If the base is not known, the run stops, because a guessed base could hide changes.
 * @param given the base of `base-commit` or `launch-parameters`; undefined if neither sets a base
 */
export async function findDiffBase(
  deps: MergeBaseDeps,
  target: ScanTarget,
  given: string | undefined,
): Promise<Result<DiffBase, NotScanned>> {
  const { base, headSha } = target;
  if (base.kind === 'none') {
    if (given !== undefined) return err(GIVEN_FOR_FULL_SCAN);
    return ok({ baseSha: undefined, headSha, how: 'none' });
  }
  if (given !== undefined) return checkGivenBase(deps, target, given);
  const from = await findSide(deps, base);
  if (!from.ok) return from;
  const { side, refused, warning } = from.value;
  const found = await findMergeBase(deps, side, target);
  if (!found.ok) {
    if (found.error.kind === 'unavailable' && refused !== undefined) return err(refused);
    const ofPush = base.kind === 'push' ? await explainPush(deps, found.error, base, headSha) : undefined;
    return err(ofPush ?? explainFault(found.error, headSha, deps.signal));
  }
  if (warning !== undefined) deps.warn(warning);
  const { sha: baseSha, tree: baseTree, how } = found.value;
  return ok({ baseSha, headSha, how, baseTree });
}

async function findSide(
  deps: MergeBaseDeps,
  base: Exclude<TargetBase, { readonly kind: 'none' }>,
): Promise<Result<MeasuredFrom, NotScanned>> {
  switch (base.kind) {
    case 'branch':
      return ok({ side: branchSide(base.name, base.tip), refused: base.tipRefused });
    case 'merge-group':
      return sideOfMergeGroup(deps, base);
    case 'push':
      return sideOfPush(deps, base);
  }
}

/**
 * Finds the base of a merge group, by the grouping of the queue:
 * - `ALLGREEN`: the base is the commit that the group is built on.
 * - `HEADGREEN`: if the check of this group passes, GitHub also merges the entries ahead of the group. So these entries
 *   belong to the change. The base is found from the tip of the base branch.
 *
 * A grouping that cannot be read counts as `HEADGREEN`, with a warning.
 */
async function sideOfMergeGroup(
  { github, signal }: MergeBaseDeps,
  { sha, branch }: Extract<TargetBase, { readonly kind: 'merge-group' }>,
): Promise<Result<MeasuredFrom, NotScanned>> {
  const grouping = await readGrouping(github.until(signal), branch);
  if (grouping === 'ALLGREEN') return ok({ side: { kind: 'commit', sha } });
  const side = await readBranchSide({ github, signal }, branch);
  return side.ok && grouping === undefined ? ok({ ...side.value, warning: groupingUnread(branch) }) : side;
}

function groupingUnread(branch: string): string {
  return `Could not read how the merge queue of ${JSON.stringify(branch)} groups its entries. The scanned change includes the entries ahead of it.`;
}

function explainFault(fault: NoMergeBase, headSha: string, signal: AbortSignal): NotScanned {
  switch (fault.kind) {
    case 'stopped':
      return explainStop(stopCause(signal), 'it launched a scan');
    case 'no-common-ancestor':
      return NO_COMMON_ANCESTOR;
    case 'unknown-commit':
      return commitUnknown(fault.base, headSha);
    case 'several':
      return SEVERAL_MERGE_BASES;
    case 'unavailable':
      return baseUnavailable(noMergeBase(fault.detail), fault.error);
  }
}

const GIVEN_FOR_FULL_SCAN: NotScanned = {
  reason: 'configuration',
  cause: 'This event scans all files of the commit, but `base-commit` or `launch-parameters` gives a base.',
  nextStep: 'Remove the base from the workflow and push, or use a workflow of its own for this event.',
};

const NO_COMMON_ANCESTOR: NotScanned = {
  reason: 'configuration',
  cause: 'The head and the base branch have no common ancestor.',
  nextStep: 'Rebase the pull request onto its base branch, or set `base-commit` in the workflow, and push.',
};

const SEVERAL_MERGE_BASES: NotScanned = {
  reason: 'service-error',
  cause: 'The base and head have several merge bases, and GitHub does not show which one it uses.',
  nextStep: 'Re-run this job later. If it fails again, merge the base branch into the pull request.',
};

function commitUnknown(baseSha: string, headSha: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `GitHub does not know the commit \`${baseSha}\` or \`${headSha}\` in this repository. A force push may have replaced it.`,
    nextStep: `See the run for the newest commit, or push again. ${IF_COMMIT_EXISTS}`,
  };
}
