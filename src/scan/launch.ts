import type { Clock } from '../clock.ts';
import type { TokenInformation } from '../domain/project.ts';
import { explainStop, type NotScanned, stopCause } from '../domain/result.ts';
import type { LaunchedScan } from '../domain/scan.ts';
import { type ApiError, isNotFound } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { duration, explainApiError } from '../scan-api/explain-error.ts';
import {
  classifyWrite,
  outlastsRun,
  retryAfterOf,
  SEND_ATTEMPTS,
  waitAfterFailure,
} from '../scan-api/retry.ts';
import type { LaunchBody } from '../scan-api/wire-writes.ts';
import { waitUntilReady } from './readiness.ts';
import type { DatedScan } from './scan-mark.ts';

/** The two deadlines for the requests. */
export interface ChoiceSignals {
  /** Aborts the reads and their retries. */
  readonly signal: AbortSignal;
  /**
   * Aborts later than `signal`. After `signal` has aborted, the run asks the service for the ids once more, because it
   * needs the right id to cancel its scan.
   */
  readonly cancelSignal: AbortSignal;
}

/**
 * Chooses the id of the scan among those in the launch answer. It is the first id that the service knows. If a read
 * fails with an error other than 404, the choice is not certain. Then `otherIds` has the ids that were not chosen.
 * @returns undefined if the service knows none of the ids, and `signal` has not aborted
 */
export async function chooseLaunchedId(
  api: Pick<ScanApi, 'readScan' | 'scan'>,
  projectId: string,
  ids: readonly [string, ...string[]],
  { signal, cancelSignal }: ChoiceSignals,
): Promise<LaunchedScan | undefined> {
  const chosen = (scanId: string) => ({ scanId, otherIds: ids.filter((id) => id !== scanId) });
  for (const id of ids) {
    const read = await api.readScan(projectId, id, { signal });
    if (read.ok) return { scanId: id, otherIds: [] };
    if (read.error.kind === 'stopped') break;
    if (!isNotFound(read.error)) return chosen(id);
  }
  if (!signal.aborted) return undefined;
  for (const id of ids) {
    const read = await api.scan(projectId, id, { signal: cancelSignal });
    if (read.ok) return { scanId: id, otherIds: [] };
  }
  return chosen(ids[0]);
}

/**
 * Our choice: how far ahead of the runner's clock a time may be. Marks are ordered by the time of the launch, so a scan
 * from the future would count as the newest for ever.
 */
const MOST_AHEAD_SECONDS = 300;

export interface LaunchTimeDeps {
  readonly api: Pick<ScanApi, 'scan' | 'scans'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A scan, and what the run knows already about the time of its launch. */
export type DatableScan = Pick<LaunchedScan, 'scanId' | 'acceptedAt'> & {
  /** The time that the scan shows, if the run has read the scan. */
  readonly createdAt?: string | undefined;
};

/**
 * Finds when a scan was launched, in whole seconds since the epoch. Prefers the clock of the service, because all runs
 * share it. Uses the date of the launch answer. If it is missing, uses the time that the scan shows. If neither is
 * known, or the time is more than `MOST_AHEAD_SECONDS` in the future, uses the clock of this job.
 */
export async function findLaunchTime(
  deps: LaunchTimeDeps,
  projectId: string,
  scan: DatableScan,
): Promise<number> {
  const shown = await findTimeShown(deps, projectId, scan);
  const ours = Math.floor(deps.clock.date().getTime() / 1_000);
  return shown === undefined || shown > ours + MOST_AHEAD_SECONDS ? ours : shown;
}

async function findTimeShown(
  { api, signal }: LaunchTimeDeps,
  projectId: string,
  { scanId, acceptedAt, createdAt }: DatableScan,
): Promise<number | undefined> {
  const known = secondsOf(acceptedAt?.getTime()) ?? secondsShown(createdAt);
  if (known !== undefined) return known;
  const detail = await api.scan(projectId, scanId, { signal });
  const ofDetail = detail.ok ? secondsShown(detail.value.scan.createdAt) : undefined;
  if (ofDetail !== undefined) return ofDetail;
  const list = await api.scans(projectId, { signal });
  const listed = list.ok ? list.value.scans.find(({ id }) => id === scanId) : undefined;
  return secondsShown(listed?.createdAt);
}

function secondsShown(time: string | undefined): number | undefined {
  return secondsOf(Date.parse(String(time)));
}

/** @param milliseconds since the epoch @returns undefined if the value is not a time after the epoch */
function secondsOf(milliseconds: number | undefined): number | undefined {
  const seconds = Math.floor(Number(milliseconds) / 1_000);
  return seconds >= 0 ? seconds : undefined;
}

/**
 * Our choice: a run waits at most this many times for the end of a rate limit. A rate limit ends after one or two
 * waits. A limit that lasts longer is probably the spend limit, which outlasts every job.
 */
const MOST_RATE_LIMIT_WAITS = 3;
/**
 * Our choice: before a launch, a run looks again if it last read the pull request and the marks this long ago. They
 * rarely change in less time.
 */
const LOOK_AGAIN_AFTER_MS = 30_000;

export interface LaunchDeps {
  readonly api: Pick<ScanApi, 'launch' | 'repositories'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The signal for the launch request. It aborts later than `signal`, so that the answer can still arrive. */
  readonly launchSignal: AbortSignal;
  readonly random: () => number;
  /** Called with a plain text when the run begins to wait. */
  readonly onWaiting?: (message: string) => void;
  /** Called after each wait for the service to analyze the repository. */
  readonly onWaitedForReadiness?: (ms: number) => void;
  /** Called before each launch request. From then on, a scan may exist. */
  readonly onSend?: () => void;
  /** Called if the service certainly did not act on the request. */
  readonly onNothingLaunched?: () => void;
  /** When the run last read the pull request and the marks, in milliseconds of `clock.now()`. */
  readonly knownSince: () => number;
  /**
   * Called before a launch request if what the run knows may be out of date.
   * @returns a scan that another job launched meanwhile, or why the run must not launch; undefined if the run may
   * launch
   */
  readonly lookAgain?: () => Promise<Extract<Launch, { kind: 'running' | 'not-scanned' }> | undefined>;
}

export interface LaunchRequest {
  readonly projectId: string;
  /** The repository that has to be ready for a scan. */
  readonly repositoryId: string;
  /** The body to send. `launch-parameters` are merged already. */
  readonly body: LaunchBody;
  /** The budget that the body contains. */
  readonly creditBudget: number | undefined;
  /** The limits of the token; undefined if they are not known. */
  readonly token?: TokenInformation | undefined;
}

export type Launch =
  | { readonly kind: 'launched'; readonly scan: LaunchedScan }
  /** Another job has launched the scan meanwhile. This run may follow it, but must not cancel it. */
  | { readonly kind: 'running'; readonly scan: DatedScan }
  /** The service sees no change between base and commit. The caller asks GitHub whether that is right. */
  | { readonly kind: 'empty-diff' }
  /**
   * The service may have accepted the launch, but its answer is missing or unreadable. The request must not be
   * repeated.
   */
  | { readonly kind: 'lost'; readonly error: ApiError }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * Launches at most one scan. Repeats the request only if the service certainly launched nothing. There are three such
 * cases: the request did not reach the service, a rate limit was reached, or the repository was not ready. If it was
 * not ready, waits for it.
 */
export async function launchScan(deps: LaunchDeps, request: LaunchRequest): Promise<Launch> {
  const { api, clock, signal, launchSignal, random } = deps;
  const { creditBudget, token } = request;
  let unsent = 0;
  let limited = 0;
  let hasWaited = false;

  for (;;) {
    const isOld = hasWaited || clock.now() - deps.knownSince() >= LOOK_AGAIN_AFTER_MS;
    if (isOld && !signal.aborted) {
      const instead = await deps.lookAgain?.();
      if (instead !== undefined) return instead;
      hasWaited = false;
    }
    const cause = stopCause(signal);
    if (cause !== undefined) return notScanned(explainStop(cause, 'it launched a scan'));
    deps.onSend?.();
    const answer = await api.launch(request.projectId, request.body, { signal: launchSignal });
    if (answer.ok) return { kind: 'launched', scan: answer.value };
    const { error } = answer;
    const failure = classifyWrite(error);
    if (failure === 'ambiguous') return { kind: 'lost', error };
    deps.onNothingLaunched?.();

    switch (failure) {
      case 'stopped':
        return notScanned(explainApiError(error));
      case 'not-sent': {
        unsent += 1;
        if (unsent >= SEND_ATTEMPTS) return notScanned(explainApiError(error));
        const wait = waitAfterFailure(error, unsent, random);
        deps.onWaiting?.(`Could not reach the service. Retrying in ${duration(wait / 1_000)}.`);
        await clock.sleep(wait, signal);
        break;
      }
      case 'rate-limited': {
        limited += 1;
        if (outlastsRun(error) || limited > MOST_RATE_LIMIT_WAITS)
          return notScanned(explainApiError(error, { creditBudget, token }));
        const wait = waitAfterFailure(error, limited, random);
        deps.onWaiting?.(`Rate limited. Retrying in ${duration(wait / 1_000)}.`);
        await clock.sleep(wait, signal);
        break;
      }
      case 'definite': {
        if (error.code === 'diff_empty') return { kind: 'empty-diff' };
        if (error.code !== 'repository_initializing')
          return notScanned(explainApiError(error, { creditBudget, token }));
        const start = clock.now();
        const failure = await waitUntilReady(deps, { ...request, retryAfterSeconds: retryAfterOf(error) });
        deps.onWaitedForReadiness?.(clock.now() - start);
        if (failure !== undefined) return notScanned(failure);
        unsent = 0;
        limited = 0;
        hasWaited = true;
      }
    }
  }
}

function notScanned(failure: NotScanned): Launch {
  return { kind: 'not-scanned', failure };
}
