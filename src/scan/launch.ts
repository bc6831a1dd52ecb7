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

/** Chosen: a spend limit does not lift within a job, a request ceiling does within a window or two. */
const MOST_RATE_LIMIT_WAITS = 3;
/** Chosen: in less time than this another job hardly launches the same scan, and looking is one more request. */
const LONG_WAIT_MS = 30_000;

export interface LaunchDeps {
  readonly api: Pick<ScanApi, 'launch' | 'repositories'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** For the request alone: its answer is worth waiting for a little longer. */
  readonly launchSignal: AbortSignal;
  readonly random: () => number;
  /** One plain sentence each time something is waited for. */
  readonly onWaiting?: (message: string) => void;
  /** Called after each wait for a repository that the service analyzes. */
  readonly onWaitedForReadiness?: (ms: number) => void;
  /** Called before each request: from now on there may be a scan. */
  readonly onSend?: () => void;
  /** Called when the service surely did not act on the request. */
  readonly onNothingLaunched?: () => void;
  /**
   * Called after a long wait, when what was known of the service's scans is old.
   * @returns a scan that meanwhile runs in the place of the one to be launched
   */
  readonly afterLongWait?: () => Promise<DatedScan | undefined>;
}

export interface LaunchRequest {
  readonly projectId: string;
  /** The repository whose readiness is waited for. */
  readonly repositoryId: string;
  /** Merged, ready to be sent. */
  readonly body: LaunchBody;
  /** As the body has it. */
  readonly creditBudget: number | undefined;
  /** What is known of the token's limits; undefined: nothing. */
  readonly token?: TokenInformation | undefined;
}

export type Launch =
  | { readonly kind: 'launched'; readonly scan: LaunchedScan }
  /** While we waited another job launched it: to be followed, not ours. */
  | { readonly kind: 'running'; readonly scan: DatedScan }
  /** The service sees no change between base and commit; the caller checks that against GitHub. */
  | { readonly kind: 'empty-diff' }
  /** It may have been accepted: the answer that would say so is missing or unreadable. It must not be sent again. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * Launches the scan at most once: sent again only where the service surely did not act (it never got the request,
 * or refused it for now). Waits for an initializing repository as long as the signal lets it.
 */
export async function launchScan(deps: LaunchDeps, request: LaunchRequest): Promise<Launch> {
  const { api, clock, signal, launchSignal, random } = deps;
  const { creditBudget, token } = request;
  let unsent = 0;
  let limited = 0;
  let waitedLong = false;

  for (;;) {
    const running = waitedLong && !signal.aborted ? await deps.afterLongWait?.() : undefined;
    if (running !== undefined) return { kind: 'running', scan: running };
    waitedLong = false;
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
        waitedLong = wait >= LONG_WAIT_MS;
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
        waitedLong = true;
      }
    }
  }
}

function notScanned(failure: NotScanned): Launch {
  return { kind: 'not-scanned', failure };
}
