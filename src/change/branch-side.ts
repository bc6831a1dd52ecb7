import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubAccess } from '../github/access.ts';
import { readBranchTip } from '../github/branch-tip.ts';
import { causeOf } from '../github/github-error.ts';
import { accessRefused } from './access-refused.ts';
import { noMergeBase } from './base-unavailable.ts';
import type { Side } from './merge-base.ts';

/** The commit or branch with which the head is compared. */
export interface MeasuredFrom {
  readonly side: Side;
  /** Set if GitHub refuses to show the tip of the branch. */
  readonly refused?: NotScanned | undefined;
  readonly warnings: readonly string[];
}

/** Identifies a branch by its newest commit, or by its name if that commit is not known. */
export function branchSide(name: string, tip: string | undefined): Side {
  return tip === undefined ? { kind: 'branch', name } : { kind: 'commit', sha: tip };
}

/** Reads the newest commit of a branch, and identifies the branch as `branchSide` does. */
export async function readBranchSide(
  { github, signal }: GitHubAccess,
  branch: string,
): Promise<Result<MeasuredFrom, NotScanned>> {
  const tip = await readBranchTip(github, branch, signal);
  if (!tip.ok) {
    const refused = accessRefused(tip.error, noMergeBase(causeOf(tip.error)));
    return ok({ side: branchSide(branch, undefined), refused, warnings: [] });
  }
  if (tip.value.kind === 'gone') return err(branchGone(branch));
  return ok({ side: branchSide(branch, tip.value.sha), warnings: [] });
}

function branchGone(branch: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `The base branch ${JSON.stringify(branch)} was not found: it was deleted or renamed, or the token has no access.`,
    nextStep:
      "If the branch exists, add `contents: read` to the job's `permissions` and push. If not, choose another base branch and push.",
  };
}
