import { closed } from '../change/closed-pull-request.ts';
import { type ConfirmDeps, confirmTarget } from '../change/confirm-target.ts';
import { createLastLook } from '../change/last-look.ts';
import type { Clock } from '../clock.ts';
import { inProgressOf, stepCheckRun } from '../deliver/check-run.ts';
import { deliver } from '../deliver/deliver.ts';
import { findEarlierPublication } from '../deliver/earlier-publication.ts';
import { leaveForPost } from '../deliver/left-for-post.ts';
import { type Outputs, outputsOf } from '../deliver/outputs.ts';
import { attempt, type DeliveryDeps } from '../deliver/place.ts';
import type { Delivered } from '../domain/delivered.ts';
import { disclosureOf } from '../domain/disclosure.ts';
import type { Publication } from '../domain/project.ts';
import { ok } from '../domain/result.ts';
import { createSeal } from '../domain/seal.ts';
import { type ScanTarget, scanKindOf } from '../domain/target.ts';
import {
  type GatePolicy,
  isScanned,
  judge,
  neverAllowClosed,
  type ScanOutcome,
  type Verdict,
} from '../domain/verdict.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { hasPullRequest, readTarget } from '../github/event.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { type Report, type TimeSpent, toReport, type WholeReport } from '../report/report.ts';
import type { Deadlines } from '../runner/deadlines.ts';
import { type InputReading, TIMEOUT_MINUTES } from '../runner/inputs.ts';
import type { Log } from '../runner/log.ts';
import type { WritableState } from '../runner/state.ts';
import { createWarnings } from '../runner/step.ts';
import { publishScan } from '../scan/publish.ts';
import { connectGitHub, connectService } from '../start/clients.ts';
import { decide, type Plan } from './decide.ts';
import type { ChangeDeps } from './launch-change.ts';
import { endWhatIsLeft } from './left-by-earlier-attempt.ts';
import { cancelForOlderHeads } from './older-heads.ts';
import type { RunResult } from './run-result.ts';
import { scanChange } from './scan-change.ts';
import { createStepIdentity } from './step-identity.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface RunDeps {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly deadlines: Deadlines;
  readonly log: Log;
  readonly environment: GitHubEnvironment;
  /** The event's payload, not yet parsed. */
  readonly payload: unknown;
  readonly reading: InputReading;
  /** Absolute path of the job's workspace. */
  readonly workspace: string;
  /** Started with the step. */
  readonly stopwatch: Stopwatch;
  readonly state: WritableState;
  /** Throws where the runner does not take them. */
  readonly writeOutputs: (outputs: Outputs) => void;
  readonly writeSummary: DeliveryDeps['writeSummary'];
  /** Called before a long list of findings is read. */
  readonly preferLittleMemory: () => void;
}

/**
 * One step from its inputs to its exit code: decide what is to be scanned, scan it, take over what an earlier attempt
 * left, confirm what would be exit 0, judge, publish, deliver, write the outputs.
 * @returns the exit code: 0 only for what was proven or allowed
 */
export async function run(deps: RunDeps): Promise<0 | 1> {
  const { deadlines, log, reading, stopwatch } = deps;
  const { inputs } = reading;
  // In the log alone: they are about the workflow, and not about the change.
  for (const sentence of reading.warnings) log.warning(sentence);
  const warnings = createWarnings(log);
  const event = readTarget(deps.environment, deps.payload);
  deadlines.startTimeout(
    inputs.timeoutMinutes ?? TIMEOUT_MINUTES[event.ok ? scanKindOf(event.value) : 'diff'],
  );
  const clients = createChangeDeps(deps, event, warnings.warn);
  const number = event.ok ? event.value.pullRequest?.number : undefined;
  const look = number === undefined ? undefined : createLastLook(clients, number);
  // Only exit 0 and the comment need the look: a blocked run without a comment does not begin one.
  const onScanCompleted = inputs.delivery.comment === 'never' ? undefined : look?.begin;
  const changeDeps = { ...clients, onScanCompleted };

  const policy = neverAllowClosed(inputs.policy, hasPullRequest(deps.payload));
  const plan = await decide(changeDeps, { ...deps, event });
  const carriedOut = await carryOut(changeDeps, deps, plan);
  const ended = await endWhatIsLeft(
    changeDeps,
    deps.environment,
    { checkName: inputs.delivery.checkName, projectId: inputs.connection.projectId },
    carriedOut,
  );
  const confirmDeps = { ...changeDeps, read: look?.read };
  const { result, pullRequest } = await confirm(confirmDeps, deps.environment.runAttempt, policy, {
    ...ended,
    outcome: markSignal(ended.outcome, deadlines.signalled),
  });
  const verdict = judge(result.outcome, policy);
  const leave = (about: Report, checkRunInProgress: Delivered['checkRunInProgress']) =>
    leaveForPost(deps.state, about, { checkRunInProgress }, result.mayStillBeRunning === true);
  // A job that is killed from here on has a verdict, and `post` must not deny it.
  const judged = toReport(reportOf(deps, result, verdict, warnings.list(), stopwatch.read()));
  await attempt('state', log.warning, async () => leave(judged, inProgressOf(result.checkRun)));
  const publication = await publish(deps, changeDeps, result, verdict, pullRequest);
  const whole = reportOf(deps, result, verdict, warnings.list(), stopwatch.read(), publication);
  const report = toReport(whole);

  const identity =
    result.identity ??
    (result.target &&
      createStepIdentity(
        deps.environment,
        { seal: changeDeps.seal, checkName: inputs.delivery.checkName },
        result.target.headSha,
        undefined,
      ));
  const delivered = await deliver(
    {
      ...deps,
      github: changeDeps.github,
      seal: changeDeps.seal,
      signal: deadlines.wrapUp,
      inputs: inputs.delivery,
      warnings,
    },
    whole,
    identity && stepCheckRun(identity.checkRun(result), result, (id) => identity.isStarted(id, result)),
    identity?.mark(result),
    pullRequest === undefined ? look?.read : async () => ok(pullRequest),
  );
  // Before the outputs: where those cannot be written, `post` must not undo what was delivered.
  leave(report, delivered.checkRunInProgress);
  deps.writeOutputs(outputsOf(report, delivered));
  return verdict.exitCode;
}

function createChangeDeps(
  deps: RunDeps,
  event: ReturnType<typeof readTarget>,
  warn: ChangeDeps['warn'],
): ChangeDeps {
  const { clock, random, deadlines, environment, reading, log, state, stopwatch } = deps;
  const { connection, policy, reuseScan, delivery } = reading.inputs;
  // The log of a public repository is public, too.
  const showMessages = event.ok && !event.value.repository.isPublic;
  return {
    api: connectService(deps, connection, {
      showMessages,
      leftMs: deadlines.leftMs,
      onLongList: deps.preferLittleMemory,
    }),
    github: connectGitHub(deps, connection, environment),
    inputs: { policy, reuseScan, checkName: delivery.checkName },
    seal: createSeal(connection.apiToken, environment.repositoryId),
    stopwatch,
    clock,
    random,
    deadlines,
    signal: deadlines.work,
    log,
    warn,
    state,
  };
}

/** Scans the change, or ends what an older head of the pull request left running. */
async function carryOut(
  deps: ChangeDeps,
  { environment }: Pick<RunDeps, 'environment'>,
  plan: Plan,
): Promise<RunResult> {
  if (plan.kind === 'scan') return { ...plan.known, ...(await scanChange(deps, plan.change)) };
  const { result, superseding } = plan;
  if (superseding !== undefined) await cancelForOlderHeads(deps, superseding, environment, superseding.marks);
  return result;
}

/** A cancelled job is red, whatever else ended the work before, and whatever is allowed. */
function markSignal(outcome: ScanOutcome, { aborted }: AbortSignal): ScanOutcome {
  if (!aborted || outcome.kind !== 'not-scanned') return outcome;
  return { ...outcome, failure: { ...outcome.failure, bySignal: true } };
}

/**
 * Before exit 0 the pull request is read once more: it may have another head or another base branch by now.
 * @returns the pull request as it was just read, so that the comment does not read it again
 */
async function confirm(
  deps: ConfirmDeps,
  runAttempt: number,
  policy: GatePolicy,
  result: RunResult,
): Promise<{ readonly result: RunResult; readonly pullRequest?: PullRequestState | undefined }> {
  const { target, pullRequestRead, outcome } = result;
  const isSuperseded = outcome.kind === 'not-scanned' && outcome.failure.reason === 'superseded';
  if (target === undefined || isSuperseded || judge(outcome, policy).exitCode !== 0) {
    return { result };
  }
  const confirmed = await confirmTarget(deps, target, pullRequestRead, runAttempt === 1);
  const { state: pullRequest } = confirmed;
  if (confirmed.kind === 'refused') {
    const stopped = { ...result, outcome: { kind: 'not-scanned', failure: confirmed.failure } } as const;
    return { result: pullRequest?.isOpen === false ? withClosed(stopped, target) : stopped, pullRequest };
  }
  // The commit may be the head of another pull request, of which nothing is known here.
  const isAboutThisOne =
    outcome.kind === 'unchanged' || (outcome.kind === 'not-scanned' && outcome.failure.reason === 'paths');
  if (isAboutThisOne && target.pullRequest !== undefined && pullRequest?.isOpen === false) {
    const failure = closed(target.pullRequest.number);
    return { result: { ...result, outcome: { kind: 'not-scanned', failure } }, pullRequest };
  }
  return { result, pullRequest };
}

/** Nothing new is shown on a closed pull request. */
function withClosed(result: RunResult, target: ScanTarget): RunResult {
  const { pullRequest } = target;
  if (pullRequest === undefined) return result;
  return { ...result, target: { ...target, pullRequest: { ...pullRequest, state: 'closed' } } };
}

/**
 * Only a COMPLETED scan is published, and only by the run that launched it. A run that reads it again names the page
 * that the comment shows. A refusal is a warning.
 */
async function publish(
  { reading }: Pick<RunDeps, 'reading'>,
  { api, seal, signal, log, warn }: Pick<ChangeDeps, 'api' | 'seal' | 'signal' | 'log' | 'warn'>,
  { preflight: ready, scanId, reused, pullRequestRead }: RunResult,
  verdict: Verdict,
  pullRequest: PullRequestState | undefined,
): Promise<Publication | undefined> {
  const { when, gated } = reading.inputs.publish;
  const wanted = when === 'always' || (when === 'on-findings' && verdict.findings.reported.length > 0);
  if (!isScanned(verdict) || scanId === undefined) return undefined;
  if (reused === true) {
    const state = pullRequest ?? pullRequestRead?.state;
    const { baseUrl } = reading.inputs.connection;
    const { checkName } = reading.inputs.delivery;
    return findEarlierPublication(state, scanId, seal, { baseUrl, checkName });
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
  { clock, environment, reading }: Pick<RunDeps, 'clock' | 'environment' | 'reading'>,
  result: RunResult,
  verdict: Verdict,
  warnings: readonly string[],
  timeSpent: TimeSpent,
  publication?: Publication,
): WholeReport {
  const { inputs } = reading;
  return {
    verdict,
    disclosure: disclosureOf(result.target),
    policy: inputs.policy,
    checkName: inputs.delivery.checkName,
    target: result.target,
    diffBase: result.diffBase,
    projectId: result.preflight?.projectId,
    preset: result.preflight?.preset,
    scanId: result.scanId,
    scanStatus: result.scanStatus,
    creditsReserved: result.creditsReserved,
    cost: result.cost,
    reused: result.reused === true,
    sameFilesAs: result.sameFilesAs,
    commitConfirmed: result.commitConfirmed,
    baseConfirmed: result.baseConfirmed,
    guidance: result.guidance,
    publication,
    serverUrl: environment.serverUrl,
    serviceOrigin: URL.parse(inputs.connection.baseUrl)?.origin ?? '',
    runUrl: environment.runUrl,
    runAttempt: environment.runAttempt,
    checkRunUrl: undefined,
    warnings,
    date: clock.date(),
    timeSpent,
  };
}
