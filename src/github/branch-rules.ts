import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/** A rule from the rulesets of a branch. */
export interface BranchRule {
  readonly type: string;
  readonly parameters?: unknown;
}

export interface BranchRules {
  readonly rules: readonly BranchRule[];
  /** False if there are more pages of rules. */
  readonly complete: boolean;
}

/** Checks only the type of each rule, because its parameters depend on the type. */
const Rules = v.array(
  v.fallback(v.object({ type: v.string(), parameters: v.optional(v.unknown()) }), { type: '' }),
);
const StatusChecks = v.object({
  required_status_checks: v.array(
    v.object({ context: v.string(), integration_id: v.fallback(v.nullish(v.number()), undefined) }),
  ),
});
const Workflows = v.object({
  workflows: v.array(
    v.object({
      path: v.string(),
      repository_id: v.number(),
      ref: v.fallback(v.nullish(v.string()), undefined),
      sha: v.fallback(v.nullish(v.string()), undefined),
    }),
  ),
});

export interface RequiredCheck {
  readonly name: string;
  /** The id of the app that has to report the check. If undefined, everyone who may write statuses can report it. */
  readonly appId: number | undefined;
}

/** A workflow that a ruleset requires to pass. */
export interface RequiredWorkflow {
  readonly path: string;
  /** The repository that contains the workflow. */
  readonly repositoryId: number;
  /** A commit, a branch or a tag; undefined means the default branch. */
  readonly ref: string | undefined;
}

/** Reads the rules of the active rulesets. Classic branch protection is not among them. */
export async function readBranchRules(
  github: GitHubClient,
  branch: string,
  signal: AbortSignal,
): Promise<Result<BranchRules, GitHubError>> {
  const rules = await github.ask({
    operation: 'read the rules of the base branch',
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/rules/branches/{branch}',
    parameters: { branch, per_page: 100 },
    answer: Rules,
    signal,
  });
  return rules.ok ? ok({ rules: rules.value.data, complete: !rules.value.hasNextPage }) : rules;
}

/** The status checks that these rules require. */
export function requiredChecks(rules: readonly BranchRule[]): readonly RequiredCheck[] {
  return rules.flatMap(({ type, parameters }) => {
    const read = v.safeParse(StatusChecks, parameters);
    if (type !== 'required_status_checks' || !read.success) return [];
    return read.output.required_status_checks.map(({ context, integration_id: id }) => ({
      name: context,
      appId: id ?? undefined,
    }));
  });
}

/** The workflows that these rules require. */
export function requiredWorkflows(rules: readonly BranchRule[]): readonly RequiredWorkflow[] {
  return rules.flatMap(({ type, parameters }) => {
    const read = v.safeParse(Workflows, parameters);
    if (type !== 'workflows' || !read.success) return [];
    return read.output.workflows.map(({ path, repository_id: repositoryId, ref, sha }) => ({
      path,
      repositoryId,
      ref: sha || ref || undefined,
    }));
  });
}

/**
 * True if a rule has an unknown form. `requiredChecks` and `requiredWorkflows` do not return what such a rule requires.
 */
export function requireMore(rules: readonly BranchRule[]): boolean {
  return rules.some(
    ({ type, parameters }) =>
      type === '' ||
      (type === 'workflows' && !v.is(Workflows, parameters)) ||
      (type === 'required_status_checks' && !v.is(StatusChecks, parameters)),
  );
}
