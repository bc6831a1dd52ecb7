import type { CheckAnnotation, Delivered } from '../domain/check-output.ts';
import { ok, type Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import {
  type CheckRun,
  type CheckRunIdentity,
  type CompletedIdentity,
  completeCheckRun,
  listCheckRuns,
} from '../github/check-run.ts';
import { causeOf, explainGitHubError, type GitHubError } from '../github/errors.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import { type Annotations, renderCheckOutput } from '../report/check-output.ts';
import type { Report } from '../report/report.ts';
import type { SummaryCoverage } from '../report/summary.ts';
import type { Warn } from '../runner/log.ts';

/**
 * The check run of this step. `started` is a check run that is already in progress, or GitHub's error if the creation
 * failed. Undefined if nothing was started.
 */
export interface StepCheckRun {
  readonly identity: CompletedIdentity;
  readonly started: Result<CheckRun, GitHubError> | undefined;
  /** True if this step started a check run with this `external_id`. */
  readonly isStarted: (externalId: string) => boolean;
  /** False on a closed pull request: a new check run would also appear on open pull requests with the same head. */
  readonly mayCreate: boolean;
}

export interface DeliveredCheckRun {
  readonly url: string | undefined;
  /** The id of a check run that was started and does not show the verdict yet. Undefined if there is none. */
  readonly inProgress: Delivered['checkRunInProgress'];
  /** Annotations that are missing from the check run. The log shows them instead. */
  readonly unshown: readonly CheckAnnotation[];
}

/**
 * Returns the check run that this step completes or creates. An earlier attempt may have started it. If this run has no
 * scan, the mark in that check run stays, unless it is wrong.
 *
 * On a closed pull request, the step creates no check run, because it would also appear on open pull requests with the
 * same head. If there is no check run to complete either, returns undefined.
 */
export function stepCheckRun(
  identity: CheckRunIdentity,
  {
    target,
    scanId,
    checkRun: started,
    isMarkWrong = false,
  }: {
    readonly target?: ScanTarget | undefined;
    readonly scanId?: string | undefined;
    readonly checkRun?: StepCheckRun['started'];
    readonly isMarkWrong?: boolean;
  },
  isStarted: StepCheckRun['isStarted'],
): StepCheckRun | undefined {
  const mayCreate = target?.pullRequest?.state !== 'closed';
  if (!mayCreate && inProgressOf(started) === undefined) return undefined;
  const keepsMark = scanId === undefined && started?.ok === true && !isMarkWrong;
  return {
    identity: keepsMark ? { ...identity, externalId: undefined } : identity,
    started,
    isStarted,
    mayCreate,
  };
}

/**
 * The id of the check run that is in progress. `not known` if GitHub's answer with the id was lost. Undefined if no
 * check run is in progress.
 */
export function inProgressOf(started: StepCheckRun['started']): Delivered['checkRunInProgress'] {
  if (started?.ok === false) return started.error.ambiguous ? 'not known' : undefined;
  return started?.value.id;
}

/**
 * Completes the check run of the step and adds the annotations. Creates a check run if none is in progress and
 * `mayCreate` is true.
 */
export async function deliverCheckRun(
  { github, signal }: GitHubAccess,
  report: Report,
  checkRun: StepCheckRun,
  annotated: Annotations,
  warn: Warn,
  coverage?: SummaryCoverage,
): Promise<DeliveredCheckRun> {
  const { identity, started } = checkRun;
  // If GitHub denied access to the check run, it would deny a retry too. After a different error, the step tries once
  // more to create the check run.
  const refused = started?.ok === false && started.error.kind === 'forbidden' ? started : undefined;
  const found = await findStarted({ github, signal }, identity, started, checkRun.isStarted);
  const open = found.ok ? found.value : undefined;
  const unsettled = found.ok ? undefined : inProgressOf(started);
  if (open === undefined && !checkRun.mayCreate) {
    return { url: undefined, inProgress: unsettled, unshown: annotated.annotations };
  }
  const completed =
    refused ??
    (await completeCheckRun(
      github.until(signal),
      open?.id,
      identity,
      {
        conclusion: report.verdict.conclusion,
        output: renderCheckOutput(report, annotated, coverage),
        annotations: annotated.annotations,
      },
      checkRun.mayCreate,
    ));
  if (!completed.ok) {
    warn(explainGitHubError(completed.error));
    return { url: open?.url, inProgress: open?.id ?? unsettled, unshown: annotated.annotations };
  }
  const { url, refused: unshown, fault, notUpdated } = completed.value;
  if (fault !== undefined) {
    const missing = unshown.length === 1 ? '1 annotation is' : `${unshown.length} annotations are`;
    warn(`${missing} missing on the check run. ${explainGitHubError(fault)}`);
  }
  if (notUpdated !== undefined) warn(`${causeOf(notUpdated)} ${SECOND_CHECK_RUN}`);
  return { url, inProgress: notUpdated === undefined ? unsettled : open?.id, unshown };
}

const SECOND_CHECK_RUN =
  'The result is in a second check run. The post step tries to complete the first one. If that one stays in progress, re-run this job.';

/**
 * Finds the check run in progress that the step completes. Returns undefined if there is none.
 *
 * If the id is not known, the mark identifies the check run. Only the run that launches a scan creates a check run with
 * the mark of this scan.
 */
export async function findStarted(
  { github, signal }: GitHubAccess,
  { headSha, name }: CompletedIdentity,
  started: StepCheckRun['started'],
  isStarted: StepCheckRun['isStarted'],
): Promise<Result<CheckRun | undefined, GitHubError>> {
  if (started?.ok) return started;
  if (inProgressOf(started) === undefined) return ok(undefined);
  const listed = await listCheckRuns(github.until(signal), headSha, name);
  if (!listed.ok) return listed;
  return ok(listed.value.find((run) => run.status !== 'completed' && isStarted(run.externalId)));
}
