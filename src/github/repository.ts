import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import { isCommitId } from '../domain/target.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

const Name = v.pipe(v.string(), v.minLength(1));
const CommitId = v.pipe(v.string(), v.check(isCommitId, 'not a full commit id'));
const StatusChecks = v.object({ contexts: v.array(v.string()) });

/** A branch with what classic branch protection requires. */
export interface ProtectedBranch {
  /** Its newest commit. */
  readonly sha: string;
  /** A ruleset or classic branch protection protects it. */
  readonly isProtected: boolean;
  /** The status checks that classic branch protection requires; undefined where GitHub does not show them. */
  readonly requiredChecks: readonly string[] | undefined;
}

export async function readDefaultBranch(
  github: GitHubClient,
  signal: AbortSignal,
): Promise<Result<string, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the repository',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}',
    answer: v.object({ default_branch: Name }),
    signal,
  });
  return answer.ok ? ok(answer.value.data.default_branch) : answer;
}

export async function readProtectedBranch(
  github: GitHubClient,
  branch: string,
  signal: AbortSignal,
): Promise<Result<ProtectedBranch, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the default branch',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/branches/{branch}',
    parameters: { branch },
    answer: v.object({
      commit: v.object({ sha: CommitId }),
      protected: v.fallback(v.boolean(), false),
      protection: v.fallback(v.optional(v.object({ required_status_checks: StatusChecks })), undefined),
    }),
    signal,
  });
  if (!answer.ok) return answer;
  const { commit, protected: isProtected, protection } = answer.value.data;
  return ok({ sha: commit.sha, isProtected, requiredChecks: protection?.required_status_checks.contexts });
}
