import { err, explainStop, type NotScanned, type Result, type Stop, stopCause } from '../domain/result.ts';
import {
  isTerminal,
  type NamedScan,
  type Scan,
  shownInFull,
  showsOtherChange,
  type TerminalStatus,
} from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import { elapsedOf, progressOf } from '../report/log-lines.ts';
import { type ApiError, isNotFound } from '../scan-api/api-error.ts';
import type { PolledScan } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { createPatience, pollInterval, waitPatiently } from '../scan-api/patience.ts';
import { classify } from '../scan-api/retry.ts';
import type { ServiceStep } from '../start/step.ts';

/** A question that got no answer. */
interface Unanswered {
  /** The last error. Undefined if the run was stopped and no request failed. */
  readonly error: ApiError | undefined;
  /** Why the run was stopped. Undefined if the service refused to answer, or failed too often. */
  readonly stopped: Stop['cause'] | undefined;
}

/**
 * Repeats a request about a scan that is paid for until it succeeds. No single failure is final.
 * @param unknownMs for this time, a 404 means that the service does not show the scan yet. It is final afterwards.
 * Undefined if the service has shown the scan: a 404 is then a failure like others
 */
export async function untilAnswered<T>(
  { clock, signal, random }: ServiceStep,
  ask: () => Promise<Result<T, ApiError>>,
  unknownMs?: number,
): Promise<Result<T, Unanswered>> {
  const patience = createPatience(clock);
  const start = clock.now();
  for (let last: ApiError | undefined; ; ) {
    const cause = stopCause(signal);
    if (cause !== undefined) return err({ error: last, stopped: cause });
    const answer = await ask();
    if (answer.ok) return answer;
    const { error } = answer;
    if (error.kind === 'stopped') return err({ error: last, stopped: error.by });
    last = error;
    const wait = waitPatiently(patience, error, random);
    const isGone = isNotFound(error) && unknownMs !== undefined && clock.now() - start >= unknownMs;
    if (wait === undefined || isGone) return err({ error, stopped: undefined });
    await clock.sleep(wait, signal);
  }
}

/** True if the files are the same. An error means that this could not be determined. */
export type SameFiles = Result<boolean, NotScanned>;

/** True if the commits of a scan have the same files as the expected commits. */
export type CompareFiles = (scan: Scan, expected: CommitRange) => Promise<SameFiles>;

export interface FollowRequest extends NamedScan {
  readonly expected: CommitRange;
  /**
   * Called if a COMPLETED scan shows another commit or base. Says whether the files are the same. Default: only the
   * expected commits are accepted.
   */
  readonly compareFiles?: CompareFiles | undefined;
  /** Called at the end, with the milliseconds since the first poll. */
  readonly onEnd?: (elapsedMs: number) => void;
}

/** A COMPLETED scan. The commits that it shows are the expected commits, or have the same files. */
export interface CompletedScan {
  readonly kind: 'completed';
  readonly scan: Scan;
  /** True if the service shows the full head SHA of the scan. */
  readonly commitConfirmed: boolean;
  /** True if the service shows the full base SHA of the scan. Undefined for a full scan, which has no base. */
  readonly baseConfirmed: boolean | undefined;
}

export type EndedScan =
  | CompletedScan
  /** The scan ended without a usable result. The run need not cancel it. */
  | { readonly kind: 'ended'; readonly failure: NotScanned; readonly scan: Scan };

/** The scan may still be running and use credits. The run that launched the scan cancels it. */
export interface LeftScan {
  readonly kind: 'left-running';
  readonly why: LeftRunning;
  readonly failure: NotScanned;
  readonly scan: Scan | undefined;
}

export type Followed = EndedScan | LeftScan;

/**
 * `stopped`: the run was stopped. `wrong-scan`: the scan shows another change. `not-found`: the service does not know
 * the id. `no-answer`: the service refused too many polls, or too many polls failed.
 */
export type LeftRunning = 'stopped' | 'wrong-scan' | 'not-found' | 'no-answer';

/**
 * Reads a scan until the service shows it. Repeats a failed read.
 * @param unknownMs for this time, a 404 means that the service does not show the scan yet
 */
export async function awaitScan(
  step: ServiceStep,
  { projectId, scanId }: NamedScan,
  unknownMs: number,
): Promise<Result<PolledScan, LeftScan>> {
  const { api, signal } = step;
  const polled = await untilAnswered(step, () => api.scan(projectId, scanId, { signal }), unknownMs);
  return polled.ok ? polled : err(leftAfter(polled.error, undefined));
}

/**
 * Polls the scan until it ends, or until there is a reason to leave it running. Logs a line if the progress has changed.
 * @param shown the first answer to the polls
 */
export async function followScan(
  step: ServiceStep,
  request: FollowRequest,
  shown: PolledScan,
): Promise<Followed> {
  const { api, clock, signal, random, log } = step;
  const { projectId, scanId, onEnd } = request;
  const start = clock.now();
  let printed = '';
  const end = (followed: Followed) => {
    onEnd?.(clock.now() - start);
    return followed;
  };
  for (let polled = shown; ; ) {
    const { scan, retryAfterMs } = polled;
    const progress = progressOf(scan);
    if (progress !== printed) log.info(`Scan ${progress}, after ${elapsedOf(clock.now() - start)}.`);
    printed = progress;
    if (isTerminal(scan.status)) return end(await judgeEnded(scan, scan.status, request));
    const wrong = wrongScan(scan, request.expected);
    if (wrong !== undefined) return end(left('wrong-scan', wrong, scan));
    await clock.sleep(pollInterval(retryAfterMs, random), signal);
    const answer = await untilAnswered(step, () => api.scan(projectId, scanId, { signal }));
    if (!answer.ok) return end(leftAfter(answer.error, scan));
    polled = answer.value;
  }
}

function left(why: LeftRunning, failure: NotScanned, scan: Scan | undefined): LeftScan {
  return { kind: 'left-running', why, failure, scan };
}

/** @param scan the scan as the service showed it last */
function leftAfter(unanswered: Unanswered, scan: Scan | undefined): LeftScan {
  const { error, stopped } = unanswered;
  const failure = explainUnanswered(unanswered, 'the scan finished', scan !== undefined);
  if (stopped !== undefined) return left('stopped', failure, scan);
  const isUnknown = error !== undefined && isNotFound(error);
  return left(isUnknown ? 'not-found' : 'no-answer', failure, scan);
}

/**
 * Explains why a question got no answer.
 * @param before what the run waited for, as in "before the scan finished"
 */
export function explainUnanswered(
  { error, stopped }: Unanswered,
  before: string,
  scanShown: boolean,
): NotScanned {
  const unread = error && explainApiError(error, { scanShown });
  if (stopped === undefined && unread !== undefined) return unread;
  const stop = explainStop(stopped, before);
  if (stopped !== 'timeout' || error === undefined || unread === undefined) return stop;
  // Only a rate limit can last until the timeout, however long the timeout is.
  const nextStep = classify(error) === 'rate-limited' ? unread.nextStep : stop.nextStep;
  return { ...stop, cause: `${stop.cause} ${unread.cause}`, nextStep };
}

/**
 * Judges a scan that has ended. A COMPLETED scan that shows other commits is accepted if `compareFiles` says that the
 * files are the same.
 */
export async function judgeEnded(
  scan: Scan,
  status: TerminalStatus,
  { expected, compareFiles }: Pick<FollowRequest, 'expected' | 'compareFiles'>,
): Promise<EndedScan> {
  const wrong = wrongScan(scan, expected);
  if (wrong === undefined) return conclude(scan, status, expected);
  const same = status === 'COMPLETED' ? await compareFiles?.(scan, expected) : undefined;
  if (same?.ok && same.value) return completed(scan, expected);
  return { kind: 'ended', failure: same === undefined || same.ok ? wrong : same.error, scan };
}

function completed(scan: Scan, { baseSha, headSha }: CommitRange): CompletedScan {
  return {
    kind: 'completed',
    scan,
    commitConfirmed: shownInFull(scan.headSha, headSha) !== undefined,
    baseConfirmed:
      baseSha === undefined ? undefined : shownInFull(scan.baseSha ?? undefined, baseSha) !== undefined,
  };
}

const WITHOUT_RESULT = {
  FAILED: {
    reason: 'scan-failed',
    nextStep: 'See the scan in the scanning service for the cause, then re-run this job.',
  },
  CANCELLED: { reason: 'scan-cancelled', nextStep: 'Re-run this job if you still need the result.' },
} as const;

/** Makes the result of a scan that has ended. @param scan a scan that shows no other change */
function conclude(scan: Scan, status: TerminalStatus, expected: CommitRange): EndedScan {
  if (status === 'COMPLETED') return completed(scan, expected);
  const cause = `The scanning service reported the status ${status}.`;
  return { kind: 'ended', scan, failure: { ...WITHOUT_RESULT[status], cause } };
}

/**
 * Explains that the scan is of another commit or base. Undefined if commit and base match, or if the scan does not show
 * them.
 */
function wrongScan(scan: Scan, expected: CommitRange): NotScanned | undefined {
  if (!showsOtherChange(scan, expected)) return undefined;
  const shown = [scan.baseSha, scan.headSha].map((id) => id?.slice(0, 12) ?? '(not shown)').join('..');
  const wanted = [expected.baseSha, expected.headSha].map((id) => id?.slice(0, 12) ?? '(no base)').join('..');
  return {
    reason: 'configuration',
    cause: `The service is scanning a different commit range (expected \`${wanted}\`, got \`${shown}\`).`,
    nextStep:
      'The service may not read the fields `commit` and `baseCommit`. Set the fields that it reads in `launch-parameters` and push.',
  };
}
