import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/** What an environment requires before a job gets its secrets. */
export interface EnvironmentRules {
  /** True if a reviewer has to approve each job. */
  readonly hasReviewers: boolean;
  /** True if only some branches may use the environment. */
  readonly limitsBranches: boolean;
}

const Rules = v.object({
  protection_rules: v.fallback(
    v.array(v.object({ type: v.string(), reviewers: v.fallback(v.array(v.unknown()), []) })),
    [],
  ),
  deployment_branch_policy: v.fallback(v.nullish(v.object({})), undefined),
});

/** Reads the rules of an environment. Returns undefined if the repository does not have it. */
export async function readEnvironmentRules(
  github: GitHubClient,
  name: string,
  signal: AbortSignal,
): Promise<Result<EnvironmentRules | undefined, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the environment',
    permission: 'actions: read',
    route: 'GET /repos/{owner}/{repo}/environments/{environment_name}',
    parameters: { environment_name: name },
    answer: Rules,
    signal,
  });
  if (!answer.ok) return answer.error.kind === 'not-found' ? ok(undefined) : answer;
  const { protection_rules: rules, deployment_branch_policy: policy } = answer.value.data;
  return ok({
    hasReviewers: rules.some(({ type, reviewers }) => type === 'required_reviewers' && reviewers.length > 0),
    limitsBranches: policy !== undefined && policy !== null,
  });
}
