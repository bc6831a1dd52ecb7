import type { CheckAnnotation } from '../domain/annotation.ts';
import type { Delivered } from '../domain/delivered.ts';
import { ok, type Result } from '../domain/result.ts';
import type { ScanTarget } from '../domain/target.ts';
import type { GitHubAccess } from '../github/access.ts';
import {
  type CheckRun,
  type CheckRunIdentity,
  type CompletedIdentity,
  completeCheckRun,
} from '../github/check-run.ts';
import { listCheckRuns } from '../github/check-run-list.ts';
import { explainGitHubError, type GitHubError } from '../github/github-error.ts';
import type { Annotations } from '../report/annotations.ts';
import { renderCheckOutput } from '../report/check-output.ts';
import type { Report } from '../report/report.ts';
import type { SummaryCoverage } from '../report/summary-coverage.ts';
import type { Warn } from '../runner/step.ts';

/** The check run of this step: its name and mark, and the answer to its creation at the launch. */
export interface StepCheckRun {
  readonly identity: CompletedIdentity;
  readonly started: Result<CheckRun, GitHubError> | undefined;
  /** True if the check run was started under this `external_id`. */
  readonly isStarted: (externalId: string) => boolean;
}

export interface DeliveredCheckRun {
  readonly url: string | undefined;
  /** The check run that was started, if it does not show the verdict. */
  readonly inProgress: Delivered['checkRunInProgress'];
  /** Annotations that the check run does not show. The log shows them instead. */
  readonly unshown: readonly CheckAnnotation[];
}

/**
 * The check run of this step. If this run has no scan, a check run that an earlier attempt left open keeps the mark of
 * its scan. Undefined for a closed pull request, because its commit may be the head of another one.
 */
export function stepCheckRun(
  identity: CheckRunIdentity,
  {
    target,
    scanId,
    checkRun: started,
  }: {
    readonly target?: ScanTarget;
    readonly scanId?: string;
    readonly checkRun?: StepCheckRun['started'];
  },
  isStarted: StepCheckRun['isStarted'],
): StepCheckRun | undefined {
  if (target?.pullRequest?.state === 'closed' && started?.ok !== true) return undefined;
  return scanId === undefined && started?.ok
    ? { identity: { ...identity, externalId: undefined }, started, isStarted }
    : { identity, started, isStarted };
}

/** The step's check run before it shows a verdict. */
export function inProgressOf(started: StepCheckRun['started']): Delivered['checkRunInProgress'] {
  if (started?.ok === false) return started.error.ambiguous ? 'not known' : undefined;
  return started?.value.id;
}

/**
 * Completes the step's check run and adds the annotations. If the launch started one, completes that one, even if its
 * id was lost.
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
  // If GitHub refused it at the launch, it would refuse it again. After any other error, another attempt is made.
  const refused = started?.ok === false && started.error.kind === 'forbidden' ? started : undefined;
  const found = await findStarted({ github, signal }, checkRun);
  const open = found.ok ? found.value : undefined;
  const unsettled = found.ok ? undefined : inProgressOf(started);
  const completed =
    refused ??
    (await completeCheckRun(
      github,
      open?.id,
      identity,
      {
        conclusion: report.verdict.conclusion,
        output: renderCheckOutput(report, annotated, coverage),
        annotations: annotated.annotations,
      },
      signal,
    ));
  if (!completed.ok) {
    warn(explainGitHubError(completed.error));
    return { url: open?.url, inProgress: open?.id ?? unsettled, unshown: annotated.annotations };
  }
  const { url, refused: unshown, fault } = completed.value;
  if (fault !== undefined) {
    const missing = unshown.length === 1 ? '1 annotation is' : `${unshown.length} annotations are`;
    warn(`${missing} missing on the check run. ${explainGitHubError(fault)}`);
  }
  return { url, inProgress: unsettled, unshown };
}

/**
 * Finds the check run that was started at the launch; undefined if there is none, an error if that is not known. Only
 * the run that launches a scan starts a check run for it, so one in progress with its mark is ours.
 */
async function findStarted(
  { github, signal }: GitHubAccess,
  { identity: { headSha, name }, started, isStarted }: StepCheckRun,
): Promise<Result<CheckRun | undefined, GitHubError>> {
  if (started?.ok) return started;
  if (inProgressOf(started) === undefined) return ok(undefined);
  const listed = await listCheckRuns(github, headSha, name, signal);
  if (!listed.ok) return listed;
  return ok(listed.value.find((run) => run.status !== 'completed' && isStarted(run.externalId)));
}
