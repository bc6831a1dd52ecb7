import * as v from 'valibot';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import { readFullScan, readPush } from './branch-event.ts';
import type { GitHubEnvironment } from './environment.ts';
import { DEPENDABOT, malformed, Repository, targetRepository, unsupportedEvent } from './event-payload.ts';
import { CommitId } from './object-id.ts';
import { Timestamp } from './timestamp.ts';

/** The actions that bring a new head commit. After any other action, the head commit can be an old one. */
const BRINGS_HEAD: ReadonlySet<string> = new Set(['opened', 'synchronize']);
/** The actions that can change the head, the base, the title or the body. */
const BRINGS_CHANGE: ReadonlySet<string> = new Set([...BRINGS_HEAD, 'edited']);

const PullRequestPayload = v.object({
  action: v.optional(v.string()),
  /** Present only for `synchronize`. An invalid commit id counts as missing. */
  before: v.fallback(v.optional(CommitId), undefined),
  /** Present only for `edited`: what the edit changed. */
  changes: v.fallback(v.optional(v.object({ base: v.optional(v.unknown()) })), undefined),
  repository: Repository,
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
      ref: v.pipe(v.string(), v.minLength(1)),
      repo: v.object({ full_name: v.string() }),
    }),
  }),
});

const MergeGroupPayload = v.object({
  action: v.string(),
  repository: Repository,
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
  const { action, before, changes, repository, pull_request: pullRequest } = parsed.output;
  const { head, base } = pullRequest;
  const author = pullRequest.user?.login ?? '';
  const isFork = head.repo == null || head.repo.full_name.toLowerCase() !== base.repo.full_name.toLowerCase();
  return ok({
    event,
    repository: targetRepository(environment, repository),
    headSha: head.sha,
    base: { kind: 'branch', name: base.ref, tip: undefined },
    secretsWithheld:
      (event === 'pull_request' && isFork) || environment.actor === DEPENDABOT || author === DEPENDABOT,
    pullRequest: {
      number: pullRequest.number,
      state: action === 'closed' || pullRequest.state === 'closed' ? 'closed' : 'open',
      updatedAt: pullRequest.updated_at,
      author,
      isFork,
      editedOnly: action === 'edited' && changes?.base === undefined,
      ...(action !== undefined && !BRINGS_CHANGE.has(action) ? { bringsNothing: true } : {}),
      ...(action === 'opened' ? { isNew: true } : {}),
      headIsNew: BRINGS_HEAD.has(action ?? ''),
      previousHead: action === 'synchronize' && before !== head.sha ? before : undefined,
    },
  });
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
    secretsWithheld: false,
    pullRequest: undefined,
  });
}

/**
 * Returns the number of the newest pull request of a merge group. The name of the group's branch contains it:
 * `gh-readonly-queue/<base>/pr-<number>-<sha>`.
 */
function newestEntry(headRef: string | undefined): number | undefined {
  const number = /^refs\/heads\/gh-readonly-queue\/.+\/pr-([1-9]\d{0,9})-[0-9a-f]+$/.exec(headRef ?? '')?.[1];
  return number === undefined ? undefined : Number(number);
}

function unsupported(why: string): Result<never, NotScanned> {
  return err(unsupportedEvent(why));
}
