import * as v from 'valibot';
import { ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/** A rule of the rulesets that apply to a branch. Its parameters depend on its type. */
export interface BranchRule {
  readonly type: string;
  readonly parameters?: unknown;
}

export interface BranchRules {
  readonly rules: readonly BranchRule[];
  /** False: there are rules on further pages. */
  readonly complete: boolean;
}

/** Rules of other types may look as they like. */
const Rules = v.array(
  v.fallback(v.object({ type: v.string(), parameters: v.optional(v.unknown()) }), { type: '' }),
);
const StatusChecks = v.object({ required_status_checks: v.array(v.object({ context: v.string() })) });

/** The rules of the active rulesets. What classic branch protection asks for is not among them. */
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

/** The names of the status checks that the rules require. */
export function requiredChecks(rules: readonly BranchRule[]): readonly string[] {
  return rules.flatMap(({ type, parameters }) =>
    type === 'required_status_checks' && v.is(StatusChecks, parameters)
      ? parameters.required_status_checks.map(({ context }) => context)
      : [],
  );
}

/** Some rule requires what `requiredChecks` does not name: a workflow, or something of an unknown form. */
export function requireMore(rules: readonly BranchRule[]): boolean {
  return rules.some(
    ({ type, parameters }) =>
      type === '' ||
      type === 'workflows' ||
      (type === 'required_status_checks' && !v.is(StatusChecks, parameters)),
  );
}
