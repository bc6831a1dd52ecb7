import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { err, type NotScanned, ok, type Result } from '../domain/result.ts';
import {
  isCommitId,
  type ScanTarget,
  type TargetPullRequest,
  type TargetRepository,
} from '../domain/target.ts';
import type { GitHubEnvironment } from './environment.ts';
import { CommitId, Timestamp } from './schemas.ts';

const SUPPORTED =
  '`pull_request`, `pull_request_target`, `merge_group`, `push`, `schedule` or `workflow_dispatch`';
export const DEPENDABOT = 'dependabot[bot]';

export const Repository = v.object({
  full_name: v.string(),
  visibility: v.optional(v.string()),
  private: v.optional(v.boolean()),
});

type Visibility = Pick<v.InferOutput<typeof Repository>, 'visibility' | 'private'>;

function targetRepository(environment: GitHubEnvironment, shown: Visibility): TargetRepository {
  return { owner: environment.owner, name: environment.repo, isPublic: isPublic(shown) };
}

/** True if the repository is public, or if the payload does not show that it is private. */
export function isPublicRepository(payload: unknown): boolean {
  const parsed = v.safeParse(v.object({ repository: Repository }), payload);
  return !parsed.success || isPublic(parsed.output.repository);
}

function isPublic({ visibility, private: isPrivate }: Visibility): boolean {
  return visibility === undefined ? isPrivate !== true : visibility === 'public';
}

/** @param why a sentence without its full stop */
export function unsupportedEvent(why: string): NotScanned {
  return {
    reason: 'unsupported-event',
    cause: `${why}.`,
    nextStep: `Run this workflow on ${SUPPORTED}.`,
  };
}

export function malformed(
  event: string,
  issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]],
): Result<never, NotScanned> {
  const path = v.getDotPath(issues[0]) ?? 'the payload';
  return err({
    reason: 'configuration',
    cause: `The payload of the \`${event}\` event is not as documented: \`${path}\` is missing or malformed.`,
    nextStep: 'Re-run the workflow. Do not override `GITHUB_EVENT_PATH` or `GITHUB_EVENT_NAME`.',
  });
}

/**
 * Reads the event's payload from the runner's file. Only parses the JSON: `readTarget` and other functions validate it.
 */
export function readPayload(eventPath: string): Result<unknown, NotScanned> {
  try {
    const payload: unknown = JSON.parse(String(readFileSync(eventPath)));
    return ok(payload);
  } catch (error) {
    return err({
      reason: 'configuration',
      cause: `Could not read the event payload at \`GITHUB_EVENT_PATH\`: ${error instanceof SyntaxError ? 'it is not JSON' : 'the file cannot be opened'}.`,
      nextStep: 'Re-run the workflow. Do not override `GITHUB_EVENT_PATH`.',
    });
  }
}

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

const Fork = v.object({ fork: v.optional(v.boolean()) });

const PushPayload = v.object({
  ref: v.string(),
  before: CommitId,
  after: CommitId,
  repository: v.object({
    ...Repository.entries,
    ...Fork.entries,
    default_branch: v.pipe(v.string(), v.minLength(1)),
  }),
});

/** `repository` is optional, because older versions of GitHub Enterprise Server omit it for the event `schedule`. */
const FullScanPayload = v.object({
  /** Present only for `workflow_dispatch`. */
  ref: v.fallback(v.optional(v.string()), undefined),
  repository: v.optional(v.object({ ...Repository.entries, ...Fork.entries })),
});

/**
 * Reads the target of a push to a branch. The error is `unsupported-event` if the ref is not a branch, or if the push
 * deletes the branch.
 */
function readPush(environment: GitHubEnvironment, payload: unknown): Result<ScanTarget, NotScanned> {
  const parsed = v.safeParse(PushPayload, payload);
  if (!parsed.success) return malformed('push', parsed.issues);
  const { ref, before, after, repository } = parsed.output;
  const branch = ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : '';
  if (branch === '') return err(notABranch(ref));
  if (isNone(after)) return err(deleted(branch));
  return ok({
    event: 'push',
    repository: targetRepository(environment, repository),
    headSha: after,
    base: {
      kind: 'push',
      branch,
      before: isNone(before) ? undefined : before,
      defaultBranch: repository.default_branch,
    },
    secretsWithheld: isWithheld(environment, repository.fork),
    pullRequest: undefined,
  });
}

/**
 * Reads the target of a scheduled or dispatched run. The target is a full scan of the commit on which the workflow
 * runs. The error is `unsupported-event` if the workflow runs on a tag.
 */
function readFullScan(
  environment: GitHubEnvironment,
  event: 'schedule' | 'workflow_dispatch',
  payload: unknown,
): Result<ScanTarget, NotScanned> {
  const parsed = v.safeParse(FullScanPayload, payload);
  if (!parsed.success) return malformed(event, parsed.issues);
  const { repository, ref } = parsed.output;
  const { sha } = environment;
  const tag = [ref, environment.ref].find((name) => name?.startsWith(TAG));
  if (tag !== undefined) return err(startedOnTag(tag));
  if (!isCommitId(sha)) return err(NO_SHA);
  return ok({
    event,
    repository: targetRepository(environment, repository ?? {}),
    headSha: sha,
    base: { kind: 'none' },
    secretsWithheld: isWithheld(environment, repository?.fork),
    pullRequest: undefined,
  });
}

function notABranch(ref: string): NotScanned {
  return {
    ...unsupportedEvent(`A push of ${JSON.stringify(ref)} is not to a branch`),
    nextStep: 'To run on branches only, add `branches` to the `push` event in the workflow.',
  };
}

function startedOnTag(ref: string): NotScanned {
  return {
    ...unsupportedEvent(`The workflow was started on ${JSON.stringify(ref)}, which is not a branch`),
    nextStep: 'Start it on a branch.',
  };
}

function deleted(branch: string): NotScanned {
  return {
    ...unsupportedEvent(`The push deleted the branch ${JSON.stringify(branch)}`),
    nextStep:
      'To skip such pushes, add `if: github.event.deleted != true` to the job for `push`. Do not add it to a required job.',
  };
}

const NO_SHA: NotScanned = {
  reason: 'configuration',
  cause: '`GITHUB_SHA` is not a full commit id.',
  nextStep: 'Do not override the `GITHUB_` variables, then re-run the workflow.',
};

/**
 * True if GitHub may withhold the secrets. A forked repository has no secrets until someone adds them, and a pull
 * request from a fork gets none. A run of Dependabot gets only Dependabot secrets.
 * @param isFork true if the repository is a fork, or if the pull request is from one
 */
function isWithheld({ actor }: GitHubEnvironment, isFork: boolean | undefined): boolean {
  return isFork === true || actor === DEPENDABOT;
}

/** GitHub writes zeros if there is no commit. */
function isNone(sha: string): boolean {
  return /^0+$/.test(sha);
}

const BranchName = v.pipe(v.string(), v.minLength(1));
const Stack = v.object({ base: v.optional(v.object({ ref: BranchName })) });

const PullRequestPayload = v.object({
  action: v.optional(v.string()),
  /** Present only for `synchronize`. An invalid commit id counts as missing. */
  before: v.fallback(v.optional(CommitId), undefined),
  /** Present only for `edited`: what the edit changed. */
  changes: v.fallback(v.optional(v.object({ base: v.optional(v.unknown()) })), undefined),
  repository: Repository,
  sender: v.fallback(v.optional(v.object({ login: v.string() })), undefined),
  pull_request: v.object({
    number: v.pipe(v.number(), v.integer(), v.minValue(1)),
    state: v.optional(v.string()),
    /** An invalid time counts as missing, because it proves no order of events. */
    updated_at: v.fallback(v.optional(Timestamp), undefined),
    /** Null if the author's account was deleted. */
    user: v.nullish(v.object({ login: v.string() })),
    head: v.object({
      sha: CommitId,
      /** Null if the fork was deleted. */
      repo: v.nullish(v.object({ full_name: v.string() })),
    }),
    base: v.object({
      ref: BranchName,
      repo: v.object({ full_name: v.string() }),
    }),
    /** Null or missing outside of stacks. A malformed stack has an unknown trunk. */
    stack: v.nullish(v.fallback(Stack, {})),
  }),
});

const MergeGroupPayload = v.object({
  action: v.string(),
  repository: v.object({ ...Repository.entries, ...Fork.entries }),
  merge_group: v.object({
    head_sha: CommitId,
    base_sha: CommitId,
    base_ref: v.pipe(v.string(), v.regex(/^refs\/heads\/./, 'not a branch')),
    head_ref: v.fallback(v.optional(v.string()), undefined),
  }),
});

/**
 * Reads the target of the scan from the event's payload. A re-run gets the payload of the first attempt. The error is
 * `unsupported-event` if there is nothing to scan. It is `configuration` if the payload does not match GitHub's
 * documentation.
 */
export function readTarget(environment: GitHubEnvironment, payload: unknown): Result<ScanTarget, NotScanned> {
  switch (environment.eventName) {
    case 'pull_request':
    case 'pull_request_target':
      return readPullRequest(environment, environment.eventName, payload);
    case 'merge_group':
      return readMergeGroup(environment, payload);
    case 'push':
      return readPush(environment, payload);
    case 'schedule':
    case 'workflow_dispatch':
      return readFullScan(environment, environment.eventName, payload);
    default:
      return unsupported(`The event \`${environment.eventName}\` has no change to scan`);
  }
}

const WithPullRequest = v.object({ pull_request: v.object({}) });

/** True if the event concerns a pull request, even if there is nothing to scan. */
export function hasPullRequest(payload: unknown): boolean {
  return v.is(WithPullRequest, payload);
}

function readPullRequest(
  environment: GitHubEnvironment,
  event: 'pull_request' | 'pull_request_target',
  payload: unknown,
): Result<ScanTarget, NotScanned> {
  const parsed = v.safeParse(PullRequestPayload, payload);
  if (!parsed.success) return malformed(event, parsed.issues);
  const { action, before, changes, repository, sender, pull_request: pullRequest } = parsed.output;
  const { head, base, stack } = pullRequest;
  const author = pullRequest.user?.login ?? '';
  const isFork = head.repo == null || head.repo.full_name.toLowerCase() !== base.repo.full_name.toLowerCase();
  return ok({
    event,
    repository: targetRepository(environment, repository),
    headSha: head.sha,
    base: { kind: 'branch', name: base.ref, tip: undefined },
    secretsWithheld: isWithheld(environment, event === 'pull_request' && isFork) || author === DEPENDABOT,
    pullRequest: {
      number: pullRequest.number,
      state: action === 'closed' || pullRequest.state === 'closed' ? 'closed' : 'open',
      updatedAt: pullRequest.updated_at,
      author,
      sender: sender?.login,
      isFork,
      ...(stack == null ? {} : { stack: { trunk: stack.base?.ref } }),
      brings: broughtBy(action, changes?.base !== undefined),
      previousHead: action === 'synchronize' && before !== head.sha ? before : undefined,
    },
  });
}

function broughtBy(action: string | undefined, hasNewBase: boolean): TargetPullRequest['brings'] {
  if (action === 'opened' || action === 'synchronize') return 'head';
  if (hasNewBase || action === undefined) return 'base';
  return action === 'edited' ? 'text' : 'nothing';
}

function readMergeGroup(environment: GitHubEnvironment, payload: unknown): Result<ScanTarget, NotScanned> {
  const parsed = v.safeParse(MergeGroupPayload, payload);
  if (!parsed.success) return malformed('merge_group', parsed.issues);
  const { action, repository, merge_group: group } = parsed.output;
  if (action !== 'checks_requested') {
    return unsupported(`A \`merge_group\` event of type ${JSON.stringify(action)} requests no checks`);
  }
  return ok({
    event: 'merge_group',
    repository: targetRepository(environment, repository),
    headSha: group.head_sha,
    base: {
      kind: 'merge-group',
      sha: group.base_sha,
      branch: group.base_ref.slice('refs/heads/'.length),
      pullRequest: newestEntry(group.head_ref),
    },
    secretsWithheld: isWithheld(environment, repository.fork),
    pullRequest: undefined,
  });
}

/**
 * Returns the number of the newest pull request of a merge group. The name of the group's branch contains it:
 * `gh-readonly-queue/<base>/pr-<number>-<sha>`.
 */
function newestEntry(headRef: string | undefined): number | undefined {
  const number = headRef?.match(/^refs\/heads\/gh-readonly-queue\/.+\/pr-([1-9]\d{0,9})-[0-9a-f]+$/)?.[1];
  return number === undefined ? undefined : Number(number);
}

function unsupported(why: string): Result<never, NotScanned> {
  return err(unsupportedEvent(why));
}
