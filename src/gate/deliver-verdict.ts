import { readForComment } from '../change/pull-request.ts';
import { inProgressOf, stepCheckRun } from '../deliver/check-run.ts';
import { findEarlierPublication } from '../deliver/comment.ts';
import { deliver, leaveForPost } from '../deliver/deliver.ts';
import { outputsOf } from '../deliver/outputs.ts';
import { attempt } from '../deliver/place.ts';
import type { Delivered } from '../domain/check-output.ts';
import type { Publication } from '../domain/project.ts';
import { err, type Result } from '../domain/result.ts';
import { disclosureOf } from '../domain/target.ts';
import { isScanned, type Verdict } from '../domain/verdict.ts';
import { type Report, toReport, type WholeReport } from '../report/report.ts';
import { createStepIdentity } from '../scan/step-identity.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { Gate, RunResult } from './gate.ts';

/** Publishes the scan if an input requests it. Delivers the report everywhere, then writes the outputs. */
export async function deliverVerdict(gate: Gate, result: RunResult, verdict: Verdict): Promise<void> {
  const { environment, inputs, state, seal, deadlines, log, watch } = gate;
  const leave = (about: Report, checkRunInProgress: Delivered['checkRunInProgress']) =>
    leaveForPost(state, about, checkRunInProgress, result.mayStillBeRunning === true);
  // Saves the verdict. If the job is killed later, `post` completes the check run with this verdict.
  const judged = toReport(reportOf(gate, result, verdict));
  await attempt('state', log.warning, async () => leave(judged, inProgressOf(result.checkRun)));
  const publication = await publish(gate, result, verdict);
  const whole = reportOf(gate, result, verdict, publication);
  const report = toReport(whole);

  const { checkName } = inputs.delivery;
  const identity =
    result.identity ??
    (result.target && createStepIdentity(environment, { seal, checkName }, result.target.headSha, undefined));
  const delivered = await deliver(
    { ...gate, signal: deadlines.wrapUp, inputs: inputs.delivery },
    whole,
    identity && stepCheckRun(identity.checkRun(result), result, (id) => identity.isStarted(id, result)),
    identity?.mark(result),
    // Publishing can take minutes, so the last read may be too old for the comment.
    watch && ((until) => readForComment(watch, until)),
  );
  // The state is saved first. If the outputs cannot be written, `post` still knows what was delivered.
  leave(report, delivered.checkRunInProgress);
  gate.writeOutputs(outputsOf(report, delivered));
}

/**
 * Publishes a COMPLETED scan if this run launched it, and the input `publish` requests it. If the run reused the scan,
 * returns the page whose id the comment holds. If the service refuses to publish, the report gets a warning.
 */
async function publish(
  { inputs, api, github, seal, deadlines, signal, log, warn, watch }: Gate,
  result: RunResult,
  verdict: Verdict,
): Promise<Publication | undefined> {
  const { connection, delivery } = inputs;
  const { when, gated } = inputs.publish;
  const { target, preflight: ready, scanId, reused } = result;
  const wanted = when === 'always' || (when === 'on-findings' && verdict.findings.reported.length > 0);
  if (!isScanned(verdict) || scanId === undefined) return undefined;
  if (reused === true) {
    const last = watch?.last?.answer;
    const reads = [last?.ok ? last.value : undefined, watch?.first].filter((one) => one !== undefined);
    // A read may lack the comments. That happens if only the REST API answers, or if there are more than 100 comments.
    const state = reads.find(({ comments }) => comments !== undefined) ?? reads[0];
    const pullRequest = target?.pullRequest?.number;
    if (state === undefined || pullRequest === undefined) return undefined;
    const access = { github, seal, signal: deadlines.wrapUp };
    const { checkName } = delivery;
    const { baseUrl } = connection;
    return findEarlierPublication(access, state, { pullRequest, checkName }, scanId, baseUrl);
  }
  if (!wanted || ready === undefined) return undefined;
  const published = await publishScan(api, ready.projectId, scanId, gated, signal);
  if (!published.ok) {
    warn(published.error);
    return undefined;
  }
  if (published.value.accessPassword !== null) log.mask(published.value.accessPassword);
  return published.value;
}

function reportOf(
  { inputs, clock, environment: { serverUrl, runUrl, runAttempt }, warnings, spent, startedAt }: Gate,
  { outcome: _, ...facts }: RunResult,
  verdict: Verdict,
  publication?: Publication,
): WholeReport {
  const { policy, delivery, connection } = inputs;
  return {
    ...facts,
    verdict,
    disclosure: disclosureOf(facts.target),
    policy,
    checkName: delivery.checkName,
    note: delivery.commentNote,
    publication,
    serverUrl,
    serviceOrigin: URL.parse(connection.baseUrl)?.origin ?? '',
    runUrl,
    runAttempt,
    warnings: warnings.list(),
    date: clock.date(),
    timeSpent: {
      waitedForReadinessMs: Math.round(spent.waitedForReadinessMs),
      scanMs: Math.round(spent.scanMs),
      totalMs: Math.round(clock.now() - startedAt),
    },
  };
}

/**
 * Publishes a COMPLETED scan. A failure does not affect the verdict.
 * @param gated true if the page asks for a password
 * @returns the public page, or the text of a warning
 */
async function publishScan(
  api: ScanApi,
  projectId: string,
  scanId: string,
  gated: boolean,
  signal: AbortSignal,
): Promise<Result<Publication, string>> {
  const answer = await api.publish(projectId, scanId, gated, { signal });
  if (!answer.ok) {
    const { cause, nextStep } = explainApiError(answer.error);
    const lost = answer.error.kind === 'refused' ? '' : ' It may be public anyway.';
    return err(`The scan was not published. ${cause}${lost} ${nextStep}`);
  }
  if (gated && answer.value.accessPassword === null) {
    // The message omits the address. The log may be public, and the page shows more than the log.
    return err(
      'The service published the scan without the password that Scangate asked for. Check in the service who can read the page.',
    );
  }
  return answer;
}
