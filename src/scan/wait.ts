import type { Clock } from '../clock.ts';
import { explainStop, type NotScanned, stopCause } from '../domain/result.ts';
import { isTerminal, type Scan, shownInFull, showsOtherChange, type TerminalStatus } from '../domain/scan.ts';
import type { CommitRange } from '../domain/target.ts';
import { type ApiError, isNotFound } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { classify, waitAdvisedBy } from '../scan-api/retry.ts';
import type { CompareFiles } from './same-files.ts';

/**
 * Our choice: the limits for consecutive failures, by number and by time. Restarts and address changes of the service
 * usually stay below both limits.
 */
const MOST_FAILURES_IN_A_ROW = 20;
const LONGEST_SILENCE_MS = 10 * 60_000;

/** Counts consecutive failures, and measures the time since the first of them. */
export interface Patience {
  worked(): void;
  /** Call this if the service asks for a wait. Such a wait is not a failure, and its time does not count. */
  limited(): void;
  /**
   * Call this after a failure.
   * @returns the number of consecutive failures; undefined if there are too many, or if they last too long
   */
  failed(): number | undefined;
}

export function createPatience(clock: Clock): Patience {
  let failures = 0;
  // The time of the first of the consecutive failures. After a wait that the service asked for, the next failure counts
  // as the first.
  let silentSince: number | undefined;
  return {
    worked() {
      failures = 0;
      silentSince = undefined;
    },
    limited() {
      silentSince = undefined;
    },
    failed() {
      failures += 1;
      silentSince ??= clock.now();
      const atEnd = failures >= MOST_FAILURES_IN_A_ROW || clock.now() - silentSince >= LONGEST_SILENCE_MS;
      return atEnd ? undefined : failures;
    },
  };
}

/** The interval if the service advises none. */
const DEFAULT_MS = 10_000;
/**
 * Our choice: the largest random addition, as a share of the interval. Because of the addition, jobs that start
 * together do not keep polling at the same time.
 */
const LARGEST_JITTER = 0.1;

/**
 * Returns the milliseconds until the next poll: the advised interval or 10 seconds, plus a random addition of up to a
 * tenth.
 * @param advisedMs the advised interval, already limited
 */
export function pollInterval(advisedMs: number | undefined, random: () => number): number {
  return (advisedMs ?? DEFAULT_MS) * (1 + random() * LARGEST_JITTER);
}

export interface FollowDeps {
  readonly api: Pick<ScanApi, 'scan'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
}

export interface FollowRequest {
  readonly projectId: string;
  readonly scanId: string;
  readonly expected: CommitRange;
  /**
   * Called if a COMPLETED scan shows another commit or base. Says whether the files are the same. Default: only the
   * expected commits are accepted.
   */
  readonly compareFiles?: CompareFiles | undefined;
  /** Called after each successful poll, with the milliseconds since the first poll. */
  readonly onProgress?: (scan: Scan, elapsedMs: number) => void;
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

export type Followed =
  | EndedScan
  /** The scan may still be running and use credits. The run that launched the scan cancels it. */
  | {
      readonly kind: 'left-running';
      readonly why: LeftRunning;
      readonly failure: NotScanned;
      readonly scan: Scan | undefined;
    };

/**
 * `stopped`: the run was stopped. `wrong-scan`: the scan shows another change. `not-found`: the service does not know
 * the id. `no-answer`: the service refused a poll, or too many polls failed.
 */
export type LeftRunning = 'stopped' | 'wrong-scan' | 'not-found' | 'no-answer';

/** Polls the scan until it ends, or until there is a reason to leave it running. */
export async function followScan(deps: FollowDeps, request: FollowRequest): Promise<Followed> {
  const start = deps.clock.now();
  const followed = await pollUntilEnd(deps, request, start);
  request.onEnd?.(deps.clock.now() - start);
  return followed;
}

async function pollUntilEnd(deps: FollowDeps, request: FollowRequest, start: number): Promise<Followed> {
  const { api, clock, signal, random } = deps;
  const { projectId, scanId } = request;
  const patience = createPatience(clock);
  let scan: Scan | undefined;
  /** Why the last poll failed. Undefined if it did not fail. */
  let failing: ApiError | undefined;

  for (;;) {
    const cause = stopCause(signal);
    if (cause !== undefined) return stillRunning('stopped', notFinished(cause, failing, scan), scan);
    const answer = await api.scan(projectId, scanId, { signal });
    let advised: number | undefined;
    if (answer.ok) {
      patience.worked();
      failing = undefined;
      scan = answer.value.scan;
      request.onProgress?.(scan, clock.now() - start);
      if (isTerminal(scan.status)) return judgeEnded(scan, scan.status, request);
      const wrong = wrongScan(scan, request.expected);
      if (wrong !== undefined) return stillRunning('wrong-scan', wrong, scan);
      advised = answer.value.retryAfterMs;
    } else {
      const { error } = answer;
      if (error.kind === 'stopped')
        return stillRunning('stopped', notFinished(error.by, failing, scan), scan);
      failing = error;
      const failure = classify(error);
      // An invalid answer can come from a proxy or a firewall, and a scan that the service has shown does not disappear.
      // So both count as a failed poll.
      const mayPass = error.kind === 'invalid' || (isNotFound(error) && scan !== undefined);
      const isFinal = failure === 'definite' && !mayPass;
      if (failure === 'rate-limited') patience.limited();
      else if (isFinal || patience.failed() === undefined) {
        const why = isNotFound(error) ? 'not-found' : 'no-answer';
        return stillRunning(why, explainApiError(error, { scanShown: scan !== undefined }), scan);
      }
      advised = waitAdvisedBy(error);
    }
    await clock.sleep(pollInterval(advised, random), signal);
  }
}

function stillRunning(why: LeftRunning, failure: NotScanned, scan: Scan | undefined): Followed {
  return { kind: 'left-running', why, failure, scan };
}

/**
 * @param failing why the last poll failed
 * @param scan the scan as the service showed it last
 */
function notFinished(
  by: 'timeout' | 'signal',
  failing: ApiError | undefined,
  scan: Scan | undefined,
): NotScanned {
  const stop = explainStop(by, 'the scan finished');
  if (by === 'signal' || failing === undefined) return stop;
  const { cause, nextStep } = explainApiError(failing, { scanShown: scan !== undefined });
  // Only a rate limit can last until the timeout, however long the timeout is.
  const isLimited = classify(failing) === 'rate-limited';
  return { ...stop, cause: `${stop.cause} ${cause}`, nextStep: isLimited ? nextStep : stop.nextStep };
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

/** Makes the result of a scan that has ended. @param scan a scan that shows no other change */
function conclude(scan: Scan, status: TerminalStatus, expected: CommitRange): EndedScan {
  switch (status) {
    case 'COMPLETED':
      return completed(scan, expected);
    case 'FAILED':
      return {
        kind: 'ended',
        scan,
        failure: {
          reason: 'scan-failed',
          cause: 'The scanning service reported the status FAILED.',
          nextStep: 'See the scan in the scanning service for the cause, then re-run this job.',
        },
      };
    case 'CANCELLED':
      return {
        kind: 'ended',
        scan,
        failure: {
          reason: 'scan-cancelled',
          cause: 'The scanning service reported the status CANCELLED.',
          nextStep: 'Re-run this job if you still need the result.',
        },
      };
  }
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
