import { confirm, readFirst, watchPullRequest } from '../change/pull-request.ts';
import { closed } from '../change/superseded.ts';
import { createSeal } from '../domain/seal.ts';
import { scanKindOf } from '../domain/target.ts';
import { judge, neverAllowClosed, type ScanOutcome } from '../domain/verdict.ts';
import { hasPullRequest, readTarget } from '../github/event.ts';
import { TIMEOUT_MINUTES } from '../runner/inputs.ts';
import { createWarnings } from '../runner/log.ts';
import { readLaunchParameters } from '../scan-api/wire-writes.ts';
import { connectGitHub, connectService } from '../start/step.ts';
import { decide } from './decide.ts';
import { deliverVerdict } from './deliver-verdict.ts';
import { type Gate, notScanned, type RunResult, type RunStep } from './gate.ts';
import { endWithoutScan, settleEarlierAttempt } from './older-scans.ts';
import { scanChange } from './scan-change.ts';

/**
 * Runs one step, from its inputs to its exit code.
 * @returns 0 only if the result is proven, or allowed by the policy
 */
export async function run(step: RunStep): Promise<0 | 1> {
  const gate = openGate(step);
  // Nothing is scanned if, for example, the pull request is closed or nothing changed.
  const plan = await decide(gate);
  // Each change gets one scan, unless `reuse-scan` is `false`. The run uses a scan that a mark proves, and follows it
  // if it is still running.
  //
  // If several jobs launch at the same time, one job keeps its scan. All other jobs cancel their scans and follow this
  // scan.
  //
  // A check run that an earlier attempt left in progress is completed with the result of the scan.
  const scanned =
    plan.kind === 'scan' ? await scanChange(gate, plan.change) : await endWithoutScan(gate, plan);
  // If nothing is scanned, a check run of an earlier attempt can still be in progress. The run takes it over. If the
  // pull request is closed, the run also cancels the scan of that attempt.
  const settled = await settleEarlierAttempt(gate, scanned);
  // Before exit 0, the run confirms that the pull request still has this head and this base branch. If not, the result
  // is `superseded`. If the pull request was closed during the run, `unchanged` and `paths` do not pass.
  const confirmed = await confirmResult(gate, settled);
  const verdict = judge(confirmed.outcome, gate.policy);
  await deliverVerdict(gate, confirmed, verdict);
  return verdict.exitCode;
}

/** Prepares a run. The limit of the input `timeout-minutes` starts now. */
function openGate(step: RunStep): Gate {
  const { clock, deadlines, environment, payload, reading, log } = step;
  const { inputs } = reading;
  const { connection, policy, setup, timeoutMinutes } = inputs;
  // Only the log shows these warnings, because they concern the workflow and not the change.
  for (const sentence of reading.warnings) log.warning(sentence);
  const warnings = createWarnings(log);
  const { warn } = warnings;
  const event = readTarget(environment, payload);
  deadlines.startTimeout(timeoutMinutes ?? TIMEOUT_MINUTES[event.ok ? scanKindOf(event.value) : 'diff']);
  const github = connectGitHub(step, connection, environment);
  const signal = deadlines.work;
  const isFirst = environment.runAttempt === 1;
  const watch = event.ok
    ? watchPullRequest({ github, clock, deadlines, warn }, event.value, isFirst)
    : undefined;
  const firstRead: Gate['firstRead'] = once(async () => (watch === undefined ? event : readFirst(watch)));
  const api = connectService(step, connection, {
    // The log of a public repository is public too, so it does not show the service's messages.
    showMessages: async () => {
      if (!event.ok || event.value.repository.isPublic) return false;
      const now = await firstRead();
      return !(now.ok && now.value.repository.isPublic);
    },
    leftMs: deadlines.leftMs,
    onLongList: step.preferLittleMemory,
  });
  return {
    ...step,
    inputs,
    parameters: readLaunchParameters(setup.launchParameters),
    policy: neverAllowClosed(policy, hasPullRequest(payload)),
    seal: createSeal(connection.apiToken, environment.repositoryId),
    warnings,
    warn,
    spent: { waitedForReadinessMs: 0, scanMs: 0 },
    signal,
    api,
    github,
    token: once(() => api.token({ signal })),
    event,
    watch,
    firstRead,
  };
}

/**
 * Returns a function that calls `ask` only once, and always returns the same promise. If `ask` fails, every caller that
 * awaits the promise sees the failure.
 */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      // If `ask` fails while no caller awaits the promise, this handler keeps Node from ending the process.
      answer.catch(() => {});
    }
    return answer;
  };
}

async function confirmResult({ deadlines, policy, watch }: Gate, settled: RunResult): Promise<RunResult> {
  const outcome = markSignal(settled.outcome, deadlines.signalled);
  const result = { ...settled, outcome };
  const reason = outcome.kind === 'not-scanned' ? outcome.failure.reason : undefined;
  const mayPass = reason !== 'superseded' && judge(outcome, policy).exitCode === 0;
  if (watch === undefined || !mayPass) return result;
  const failure = await confirm(watch);
  if (failure !== undefined) return { ...result, ...notScanned(failure), target: watch.target };
  // An open pull request can have the head of this one and a different base. `unchanged` and `paths` prove nothing
  // about that pull request, so they do not pass if this one is closed.
  const isAboutThisOne = outcome.kind === 'unchanged' || reason === 'paths';
  const isClosed = watch.newest?.state.isOpen === false;
  return isAboutThisOne && isClosed
    ? { ...result, ...notScanned(closed(watch.target.pullRequest.number)) }
    : result;
}

/**
 * Marks a `not-scanned` outcome if a signal cancelled the job. A marked outcome fails, whatever the policy allows. The
 * signal may have come after the end of the work.
 */
function markSignal(outcome: ScanOutcome, { aborted }: AbortSignal): ScanOutcome {
  if (!aborted || outcome.kind !== 'not-scanned') return outcome;
  return { ...outcome, failure: { ...outcome.failure, bySignal: true } };
}
