import * as v from 'valibot';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { isCommitId, type ScanTarget } from '../domain/target.ts';
import type { GitHubEnvironment } from './environment.ts';
import { DEPENDABOT, malformed, Repository, targetRepository, unsupportedEvent } from './event-payload.ts';
import { CommitId } from './object-id.ts';

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
export function readPush(environment: GitHubEnvironment, payload: unknown): Result<ScanTarget, NotScanned> {
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
export function readFullScan(
  environment: GitHubEnvironment,
  event: 'schedule' | 'workflow_dispatch',
  payload: unknown,
): Result<ScanTarget, NotScanned> {
  const parsed = v.safeParse(FullScanPayload, payload);
  if (!parsed.success) return malformed(event, parsed.issues);
  const { repository, ref = '' } = parsed.output;
  const { sha } = environment;
  const tag = [ref, environment.ref].find((name) => name.startsWith(TAG));
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
 * True if GitHub may withhold the secrets. A forked repository has no secrets until someone adds them. A run of
 * Dependabot gets only Dependabot secrets.
 */
function isWithheld({ actor }: GitHubEnvironment, isFork: boolean | undefined): boolean {
  return isFork === true || actor === DEPENDABOT;
}

/** GitHub writes zeros if there is no commit. */
function isNone(sha: string): boolean {
  return /^0+$/.test(sha);
}
