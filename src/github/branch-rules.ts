import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import { type GitHubError, messageLine, unusable } from './errors.ts';
import { type GitHubClient, read } from './octokit.ts';

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
): Promise<Result<BranchRules, GitHubError>> {
  const rules = await github.ask({
    operation: 'read the rules of the base branch',
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/rules/branches/{branch}',
    parameters: { branch, per_page: 100 },
    answer: Rules,
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

/**
 * How a merge queue merges. `ALLGREEN`: an entry merges if its own checks pass. `HEADGREEN`: if the checks of the last
 * entry of a group pass, all entries ahead of it merge too.
 */
export type Grouping = 'ALLGREEN' | 'HEADGREEN';

const operation = 'read the merge queue of the base branch';
const permission = 'contents: read';
const QUERY = `query($owner: String!, $repo: String!, $branch: String!) {
  repository(owner: $owner, name: $repo) {
    mergeQueue(branch: $branch) { configuration { mergingStrategy } }
  }
}`;

const AllGreen = v.object({ grouping_strategy: v.literal('ALLGREEN') });
const QueueAnswer = v.object({
  data: v.object({
    repository: v.object({
      mergeQueue: v.nullable(
        v.object({
          configuration: v.object({ mergingStrategy: v.picklist(['ALLGREEN', 'HEADGREEN']) }),
        }),
      ),
    }),
  }),
});

/** If GraphQL refuses a request, the answer has the status 200 and this body. */
const Refusal = v.object({
  errors: v.pipe(
    v.array(v.object({ type: v.literal('FORBIDDEN'), message: v.optional(v.string(), '') })),
    v.minLength(1),
  ),
});

/**
 * Reads how the merge queue of the branch groups entries. `none` means that the branch has no queue.
 *
 * Uses the rules of the branch if they show the queue. Otherwise uses GraphQL, which also shows the queue of classic
 * branch protection. Returns an error if GraphQL is needed but fails.
 */
export async function readMergeQueue(
  github: GitHubClient,
  branch: string,
  rules: Result<BranchRules, GitHubError>,
): Promise<Result<Grouping | 'none', GitHubError>> {
  // An incomplete list of rules does not count, because a later page could contain another rule for the queue.
  const grouping = rules.ok && rules.value.complete ? groupingOf(rules.value.rules) : undefined;
  if (grouping !== undefined) return ok(grouping);
  const queue = await read(github, {
    operation,
    permission,
    route: `POST ${github.graphqlUrl}`,
    parameters: { query: QUERY, variables: { owner: github.owner, repo: github.repo, branch } },
    answer: v.union([QueueAnswer, Refusal]),
    repeatable: true,
  });
  if (!queue.ok) return queue;
  const answer = queue.value;
  if ('data' in answer) return ok(answer.data.repository.mergeQueue?.configuration.mergingStrategy ?? 'none');
  const message = messageLine(answer.errors.map((error) => error.message).join('; '));
  return err({ ...unusable({ operation, permission }, message), kind: 'forbidden' });
}

/**
 * Reads how the merge queue groups entries. Uses the rules of the branch, otherwise GraphQL. Returns undefined if
 * neither shows it.
 */
export async function readGrouping(github: GitHubClient, branch: string): Promise<Grouping | undefined> {
  const queue = await readMergeQueue(github, branch, await readBranchRules(github, branch));
  return queue.ok && queue.value !== 'none' ? queue.value : undefined;
}

/**
 * Returns `ALLGREEN` if every merge queue rule requires it, otherwise `HEADGREEN`. Undefined if there is no such rule.
 */
function groupingOf(rules: readonly BranchRule[]): Grouping | undefined {
  const queues = rules.filter(({ type }) => type === 'merge_queue');
  if (queues.length === 0) return undefined;
  return queues.every(({ parameters }) => v.is(AllGreen, parameters)) ? 'ALLGREEN' : 'HEADGREEN';
}
