import type { Clock } from '../clock.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { TokenInformation } from '../domain/project.ts';
import type { LaunchedScan } from '../domain/scan.ts';
import { explainStop, stopCause } from '../domain/stop.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { duration, explainApiError } from '../scan-api/explain-error.ts';
import {
  classifyWrite,
  outlastsRun,
  retryAfterOf,
  SEND_ATTEMPTS,
  waitAfterFailure,
} from '../scan-api/retry.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import type { LaunchBody } from '../scan-api/wire-writes.ts';
import { waitUntilReady } from './readiness.ts';
import type { DatedScan } from './scan-mark.ts';

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
