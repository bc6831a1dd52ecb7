import * as core from '@actions/core';
import type { CheckAnnotation } from './domain/annotation.ts';
import type { Delivered } from './domain/delivered.ts';
import type { Result } from './domain/result.ts';
import { type CheckRun, type CheckRunIdentity, completeCheckRun } from './github/check-run.ts';
import { syncComment } from './github/comment.ts';
import type { GitHubEnvironment } from './github/environment.ts';
import { explainGitHubError, type GitHubError } from './github/github-error.ts';
import type { GitHubClient } from './github/octokit.ts';
import type { Inputs } from './inputs.ts';
import type { Log } from './log.ts';
import { toAnnotations } from './report/annotations.ts';
import { renderCheckOutput } from './report/check-output.ts';
import { renderComment } from './report/comment.ts';
import { renderJsonReport } from './report/json-report.ts';
import type { Report } from './report/report.ts';
import { renderSummary } from './report/summary.ts';
import { writeInside } from './report-file.ts';

export interface DeliveryWorld {
  /** Stopped later than the work, so that a stopped run still tells what happened. */
  readonly github: GitHubClient;
  readonly environment: GitHubEnvironment;
  readonly inputs: Inputs;
  readonly workspace: string;
  readonly log: Log;
}

/** The check run of this step: what it is called, and what came of creating it when the scan was launched. */
export interface StepCheckRun {
  readonly identity: CheckRunIdentity;
  readonly started: Result<CheckRun, GitHubError> | undefined;
}

/** The runner shows ten log-command annotations of each level for a step, and drops the rest in silence. */
const LOG_ANNOTATIONS_PER_LEVEL = 10;

/**
 * Hands the report to every place. A place that fails is a warning, shown in the places that come after it;
 * it never changes the verdict, and never keeps another place from getting the report.
 */
export async function deliver(
  world: DeliveryWorld,
  report: Report,
  checkRun: StepCheckRun | undefined,
): Promise<Delivered> {
  const notices = [...report.notices];
  const notice = (sentence: string) => {
    notices.push(sentence);
    world.log.warning(sentence);
  };
  const startedUrl = checkRun?.started?.ok ? checkRun.started.value.url : undefined;
  const withNotices = (checkRunUrl: string | undefined): Report => ({ ...report, checkRunUrl, notices });

  const [checkRunUrl, commentUrl] = await settle(notice, [
    ['the check run', () => deliverCheckRun(world, withNotices(startedUrl), checkRun, notice)],
    ['the comment', () => deliverComment(world, withNotices(startedUrl), notice)],
  ]);
  const [reportFile] = await settle(notice, [
    ['the JSON report', () => deliverReportFile(world, withNotices(checkRunUrl ?? startedUrl))],
  ]);
  await settle(notice, [['the job summary', () => deliverSummary(withNotices(checkRunUrl ?? startedUrl))]]);
  return { checkRunUrl: checkRunUrl ?? startedUrl, commentUrl, reportFile };
}

type Delivery = readonly [what: string, send: () => Promise<string | undefined>];

/** All at once; what throws becomes a notice and undefined. */
async function settle(
  notice: (sentence: string) => void,
  deliveries: readonly Delivery[],
): Promise<(string | undefined)[]> {
  const results = await Promise.allSettled(deliveries.map(async ([, send]) => send()));
  return results.map((result, index) => {
    if (result.status === 'fulfilled') return result.value;
    const why = result.reason instanceof Error ? result.reason.message : 'an unexpected fault';
    notice(`${deliveries[index]?.[0] ?? 'A place'} could not be written: ${why}.`);
    return undefined;
  });
}

async function deliverCheckRun(
  { github, inputs, log }: DeliveryWorld,
  report: Report,
  checkRun: StepCheckRun | undefined,
  notice: (sentence: string) => void,
): Promise<string | undefined> {
  if (checkRun === undefined) return undefined;
  const { annotations, leftOut } =
    inputs.annotations === 'off' ? { annotations: [], leftOut: 0 } : toAnnotations(report);
  const { identity, started } = checkRun;
  // A refusal at the launch is a refusal now; anything else is worth another try.
  const refused = started?.ok === false && started.error.kind === 'forbidden' ? started : undefined;
  const completed =
    refused ??
    (await completeCheckRun(github, started?.ok ? started.value.id : undefined, identity, {
      conclusion: report.verdict.conclusion,
      output: renderCheckOutput(report),
      annotations,
    }));
  if (!completed.ok) {
    notice(explainGitHubError(completed.error));
    annotateInLog(log, annotations, leftOut);
    return undefined;
  }
  const { url, refused: missing, fault } = completed.value;
  if (fault !== undefined) {
    notice(`${missing} annotations are missing on the check run. ${explainGitHubError(fault)}`);
    annotateInLog(log, annotations.slice(annotations.length - missing), leftOut);
  }
  return url;
}

/** The next best place for annotations; what the runner would drop in silence is counted. */
function annotateInLog(log: Log, annotations: readonly CheckAnnotation[], leftOutBefore: number): void {
  const shown = new Map<CheckAnnotation['level'], number>();
  let leftOut = leftOutBefore;
  for (const annotation of annotations) {
    const already = shown.get(annotation.level) ?? 0;
    // One place is kept free in each level, for our own warnings and the final error.
    if (already >= LOG_ANNOTATIONS_PER_LEVEL - 1) leftOut += 1;
    else {
      shown.set(annotation.level, already + 1);
      log.annotate(annotation);
    }
  }
  if (leftOut > 0) log.info(`${leftOut} more findings are not annotated; all are listed in the job summary.`);
}

async function deliverComment(
  { github, environment, inputs, log }: DeliveryWorld,
  report: Report,
  notice: (sentence: string) => void,
): Promise<string | undefined> {
  const pullRequest = report.target?.pullRequest?.number;
  if (pullRequest === undefined || report.target === undefined || inputs.comment === 'never')
    return undefined;
  const synced = await syncComment(github, {
    pullRequest,
    headSha: report.target.headSha,
    checkName: inputs.checkName,
    runId: environment.runId,
    runAttempt: environment.runAttempt,
    body: renderComment(report),
    mayCreate: inputs.comment === 'always' || report.verdict.findings.reported.length > 0,
  });
  if (!synced.ok) {
    notice(explainGitHubError(synced.error));
    return undefined;
  }
  if (synced.value.action === 'superseded') {
    log.info('The comment was left alone: it belongs to a newer commit or a later run.');
  }
  return synced.value.url;
}

async function deliverReportFile(
  { inputs, workspace }: DeliveryWorld,
  report: Report,
): Promise<string | undefined> {
  const { outcome } = report.verdict;
  if (inputs.reportFile === undefined || (outcome !== 'passed' && outcome !== 'blocked')) return undefined;
  await writeInside(workspace, inputs.reportFile, renderJsonReport(report));
  return inputs.reportFile;
}

async function deliverSummary(report: Report): Promise<undefined> {
  await core.summary.addRaw(renderSummary(report), true).write();
}
