import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { explainStop, stopCause } from '../domain/stop.ts';
import type { DiffBase, ScanTarget, TargetBase } from '../domain/target.ts';
import type { GitHubAccess } from '../github/access.ts';
import { readGrouping } from '../github/merge-queue.ts';
import { baseUnavailable, IF_COMMIT_EXISTS, noMergeBase } from './base-unavailable.ts';
import { branchSide, type MeasuredFrom, readBranchSide } from './branch-side.ts';
import { checkGivenBase } from './given-base.ts';
import { findMergeBase, type MergeBaseDeps, type NoMergeBase, type Side } from './merge-base.ts';
import { explainPush, sideOfPush } from './push-base.ts';

export interface FoundDiffBase {
  readonly diffBase: DiffBase;
  readonly warnings: readonly string[];
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
): Promise<Result<FoundDiffBase, NotScanned>> {
  const { base, headSha } = target;
  if (base.kind === 'none') {
    if (given !== undefined) return err(GIVEN_FOR_FULL_SCAN);
    return ok({ diffBase: { baseSha: undefined, headSha, how: 'none' }, warnings: [] });
  }
  if (given !== undefined) {
    const checked = await checkGivenBase(deps, target, given);
    return checked.ok ? ok({ diffBase: checked.value, warnings: [] }) : checked;
  }
  const from = await findSide(deps, base);
  if (!from.ok) return from;
  const { side, warnings, refused } = from.value;
  const found = await findMergeBase(deps, side, target);
  if (!found.ok) {
    if (found.error.kind === 'unavailable' && refused !== undefined) return err(refused);
    return err(await explain(deps, found.error, side, target));
  }
  const { sha: baseSha, tree: baseTree, how } = found.value;
  return ok({ diffBase: { baseSha, headSha, how, baseTree }, warnings });
}

async function findSide(
  deps: GitHubAccess,
  base: Exclude<TargetBase, { readonly kind: 'none' }>,
): Promise<Result<MeasuredFrom, NotScanned>> {
  switch (base.kind) {
    case 'branch':
      return ok({ side: branchSide(base.name, base.tip), refused: base.tipRefused, warnings: [] });
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
 * A grouping that cannot be read counts as `HEADGREEN`.
 */
async function sideOfMergeGroup(
  { github, signal }: GitHubAccess,
  { sha, branch }: Extract<TargetBase, { readonly kind: 'merge-group' }>,
): Promise<Result<MeasuredFrom, NotScanned>> {
  const grouping = await readGrouping(github, branch, signal);
  if (grouping === 'ALLGREEN') return ok({ side: { kind: 'commit', sha }, warnings: [] });
  const side = await readBranchSide({ github, signal }, branch);
  if (!side.ok || grouping !== undefined) return side;
  return ok({ ...side.value, warnings: [groupingUnread(branch)] });
}

function groupingUnread(branch: string): string {
  return `Could not read how the merge queue of ${JSON.stringify(branch)} groups its entries. The scanned change includes the entries ahead of it.`;
}

async function explain(
  deps: GitHubAccess,
  fault: NoMergeBase,
  side: Side,
  target: ScanTarget,
): Promise<NotScanned> {
  const ofPush =
    target.base.kind === 'push' ? await explainPush(deps, fault, target.base, target) : undefined;
  return ofPush ?? explainFault(fault, side, target, deps.signal);
}

function explainFault(
  fault: NoMergeBase,
  side: Side,
  { headSha }: ScanTarget,
  signal: AbortSignal,
): NotScanned {
  switch (fault.kind) {
    case 'stopped':
      return explainStop(stopCause(signal) ?? 'signal', 'it launched a scan');
    case 'no-common-ancestor':
      return NO_COMMON_ANCESTOR;
    case 'unknown-commit':
      return commitUnknown(side.kind === 'commit' ? `\`${side.sha}\` or \`${headSha}\`` : `\`${headSha}\``);
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

function commitUnknown(commits: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `GitHub does not know the commit ${commits} in this repository. A force push may have replaced it.`,
    nextStep: `See the run for the newest commit, or push again. ${IF_COMMIT_EXISTS}`,
  };
}
