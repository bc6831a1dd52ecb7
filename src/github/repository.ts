import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { RequiredCheck } from './branch-rules.ts';
import type { GitHubError } from './errors.ts';
import type { GitHubClient } from './octokit.ts';
import { CommitId } from './schemas.ts';

const Name = v.pipe(v.string(), v.minLength(1));
/** The app that has to report the check. Undefined if each app may: GitHub then sends -1, or sends no id. */
const AppId = v.fallback(v.nullish(v.pipe(v.number(), v.minValue(0))), undefined);
const StatusChecks = v.object({
  contexts: v.array(v.string()),
  checks: v.fallback(v.array(v.object({ context: v.string(), app_id: AppId })), []),
});

/** A branch, with the requirements of classic branch protection. */
export interface ProtectedBranch {
  /** The SHA of its newest commit. */
  readonly sha: string;
  /** True if a ruleset or classic branch protection protects the branch. */
  readonly isProtected: boolean;
  /** The status checks that classic branch protection requires; undefined if GitHub does not show them. */
  readonly requiredChecks: readonly RequiredCheck[] | undefined;
}

/** What GitHub shows about the repository. */
export interface RepositoryOnGitHub {
  readonly id: number | undefined;
  readonly defaultBranch: string;
  readonly isPublic: boolean;
}

export async function readRepository(
  github: GitHubClient,
  signal: AbortSignal,
): Promise<Result<RepositoryOnGitHub, GitHubError>> {
  const answer = await github.ask({
    operation: 'read the repository',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}',
    answer: v.object({
      id: v.fallback(v.optional(v.number()), undefined),
      default_branch: Name,
      private: v.fallback(v.boolean(), true),
    }),
    signal,
  });
  if (!answer.ok) return answer;
  const { id, default_branch: defaultBranch, private: isPrivate } = answer.value.data;
  return ok({ id, defaultBranch, isPublic: !isPrivate });
}

/** Reads the names of the repository's languages, for example `TypeScript`. */
export async function readLanguages(
  github: GitHubClient,
  signal: AbortSignal,
): Promise<Result<readonly string[], GitHubError>> {
  const answer = await github.ask({
    operation: 'read the languages of the repository',
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/languages',
    answer: v.record(v.string(), v.number()),
    signal,
  });
  return answer.ok ? ok(Object.keys(answer.value.data)) : answer;
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
  const checks = protection?.required_status_checks;
  return ok({
    sha: commit.sha,
    isProtected,
    requiredChecks: checks?.contexts.map((name) => ({
      name,
      appId: checks.checks.find(({ context }) => context === name)?.app_id ?? undefined,
    })),
  });
}

/** What an environment requires before a job gets its secrets. */
export interface EnvironmentRules {
  /** True if a reviewer has to approve each job. */
  readonly hasReviewers: boolean;
  /** The branches that may use the environment: all, those with protection, or those that match a pattern. */
  readonly branches: 'all' | 'protected' | readonly string[];
}

const Rules = v.object({
  protection_rules: v.fallback(
    v.array(v.object({ type: v.string(), reviewers: v.fallback(v.array(v.unknown()), []) })),
    [],
  ),
  deployment_branch_policy: v.fallback(
    v.nullish(v.object({ custom_branch_policies: v.fallback(v.boolean(), false) })),
    undefined,
  ),
});
const Patterns = v.object({ branch_policies: v.array(v.object({ name: v.string() })) });

/** Reads the rules of an environment. Returns undefined if the repository does not have it. */
export async function readEnvironmentRules(
  github: GitHubClient,
  name: string,
  signal: AbortSignal,
): Promise<Result<EnvironmentRules | undefined, GitHubError>> {
  const common = {
    permission: 'actions: read',
    parameters: { environment_name: name },
    signal,
  } as const;
  const route = 'GET /repos/{owner}/{repo}/environments/{environment_name}';
  const answer = await github.ask({ ...common, operation: 'read the environment', route, answer: Rules });
  if (!answer.ok) return answer.error.kind === 'not-found' ? ok(undefined) : answer;
  const { protection_rules: rules, deployment_branch_policy: policy } = answer.value.data;
  const hasReviewers = rules.some(
    ({ type, reviewers }) => type === 'required_reviewers' && reviewers.length > 0,
  );
  if (policy?.custom_branch_policies !== true) {
    return ok({ hasReviewers, branches: policy === undefined || policy === null ? 'all' : 'protected' });
  }
  const patterns = await github.ask({
    ...common,
    parameters: { ...common.parameters, per_page: 100 },
    operation: 'read the branches of the environment',
    route: `${route}/deployment-branch-policies`,
    answer: Patterns,
  });
  if (!patterns.ok) return patterns;
  return ok({ hasReviewers, branches: patterns.value.data.branch_policies.map((one) => one.name) });
}
