import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { RequiredCheck } from './branch-rules.ts';
import type { GitHubError } from './errors.ts';
import { type GitHubClient, read } from './octokit.ts';
import { CommitId } from './schemas.ts';

/** The app that has to report the check. Undefined if each app may: GitHub then sends -1, or sends no id. */
const AppId = v.fallback(v.nullish(v.pipe(v.number(), v.minValue(0))), undefined);
const StatusChecks = v.object({
  contexts: v.array(v.string()),
  checks: v.fallback(v.array(v.object({ context: v.string(), app_id: AppId })), []),
});

/** What GitHub shows about the repository. */
export type RepositoryOnGitHub = v.InferOutput<typeof Repository>;
const Repository = v.pipe(
  v.object({
    id: v.fallback(v.optional(v.number()), undefined),
    default_branch: v.pipe(v.string(), v.minLength(1)),
    private: v.fallback(v.boolean(), true),
  }),
  v.transform(({ id, default_branch: defaultBranch, private: isPrivate }) => {
    return { id, defaultBranch, isPublic: !isPrivate };
  }),
);

export function readRepository(github: GitHubClient) {
  return read(github, {
    operation: 'read the repository',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}',
    answer: Repository,
  });
}

/** Reads the names of the repository's languages, for example `TypeScript`. */
export function readLanguages(github: GitHubClient) {
  return read(github, {
    operation: 'read the languages of the repository',
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/languages',
    answer: v.pipe(v.record(v.string(), v.number()), v.transform(Object.keys)),
  });
}

/** A branch, with the requirements of classic branch protection. */
export type ProtectedBranch = v.InferOutput<typeof Branch>;
const Branch = v.pipe(
  v.object({
    commit: v.object({ sha: CommitId }),
    protected: v.fallback(v.boolean(), false),
    protection: v.fallback(v.optional(v.object({ required_status_checks: StatusChecks })), undefined),
  }),
  v.transform(({ commit, protected: isProtected, protection }) => {
    const checks = protection?.required_status_checks;
    const appOf = (name: string) => checks?.checks.find(({ context }) => context === name)?.app_id;
    return {
      /** The SHA of its newest commit. */
      sha: commit.sha,
      /** True if a ruleset or classic branch protection protects the branch. */
      isProtected,
      /** The status checks that classic branch protection requires; undefined if GitHub does not show them. */
      requiredChecks: checks?.contexts.map((name): RequiredCheck => {
        return { name, appId: appOf(name) ?? undefined };
      }),
    };
  }),
);

export function readProtectedBranch(github: GitHubClient, branch: string) {
  return read(github, {
    operation: 'read the default branch',
    permission: 'contents: read',
    route: 'GET /repos/{owner}/{repo}/branches/{branch}',
    parameters: { branch },
    answer: Branch,
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
const Patterns = v.pipe(
  v.object({ branch_policies: v.array(v.object({ name: v.string() })) }),
  v.transform(({ branch_policies: policies }) => policies.map(({ name }) => name)),
);

/** Reads the rules of an environment. Returns undefined if the repository does not have it. */
export async function readEnvironmentRules(
  github: GitHubClient,
  name: string,
): Promise<Result<EnvironmentRules | undefined, GitHubError>> {
  const common = {
    permission: 'actions: read',
    parameters: { environment_name: name },
  } as const;
  const route = 'GET /repos/{owner}/{repo}/environments/{environment_name}';
  const about = { ...common, operation: 'read the environment', route, answer: Rules };
  const shown = await read(github, { ...about, absent: ok(undefined) });
  if (!shown.ok) return shown;
  if (shown.value === undefined) return ok(undefined);
  const { protection_rules: rules, deployment_branch_policy: policy } = shown.value;
  const hasReviewers = rules.some(
    ({ type, reviewers }) => type === 'required_reviewers' && reviewers.length > 0,
  );
  if (policy?.custom_branch_policies !== true) {
    return ok({ hasReviewers, branches: policy === undefined || policy === null ? 'all' : 'protected' });
  }
  const patterns = await read(github, {
    ...common,
    parameters: { ...common.parameters, per_page: 100 },
    operation: 'read the branches of the environment',
    route: `${route}/deployment-branch-policies`,
    answer: Patterns,
  });
  return patterns.ok ? ok({ hasReviewers, branches: patterns.value }) : patterns;
}
