import { readBranchRules } from '../github/branch-rules.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import { mergeBaseByCompare } from '../github/compare.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { readDefaultBranch, readProtectedBranch } from '../github/repository.ts';
import { readWorkflowFiles } from '../github/workflow-files.ts';
import type { GitHubFacts } from './facts.ts';

const NOTHING = {
  branch: undefined,
  rules: undefined,
  comparison: undefined,
  checkRuns: undefined,
  workflows: undefined,
};

/**
 * Reads all that can be read, whatever fails.
 * @param headSha a commit to compare with the default branch; empty: that branch's own
 */
export async function readGitHub(
  github: GitHubClient,
  { headSha, checkName }: { readonly headSha: string; readonly checkName: string },
  signal: AbortSignal,
): Promise<GitHubFacts> {
  const defaultBranch = await readDefaultBranch(github, signal);
  if (!defaultBranch.ok) return { ...NOTHING, defaultBranch };
  const [branch, rules] = await Promise.all([
    readProtectedBranch(github, defaultBranch.value, signal),
    readBranchRules(github, defaultBranch.value, signal),
  ]);
  if (!branch.ok) return { ...NOTHING, defaultBranch, branch, rules };
  const base = branch.value.sha;
  const [comparison, checkRuns, workflows] = await Promise.all([
    mergeBaseByCompare(github, { base, head: headSha || base }, signal),
    listCheckRuns(github, base, checkName, signal),
    readWorkflowFiles(github, base, signal),
  ]);
  return { defaultBranch, branch, rules, comparison, checkRuns, workflows };
}
