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

/** Our choice: a request limit ends after a wait or two, a spend limit does not end within a job. */
const MOST_RATE_LIMIT_WAITS = 3;
/** Our choice: within a shorter wait, another job will hardly launch the same scan, and a check takes a request. */
const LONG_WAIT_MS = 30_000;

export interface LaunchDeps {
  readonly api: Pick<ScanApi, 'launch' | 'repositories'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** For the launch request. It ends later than `signal`, because the answer is worth a longer wait. */
  readonly launchSignal: AbortSignal;
  readonly random: () => number;
  /** Called with one sentence of plain text before each wait. */
  readonly onWaiting?: (message: string) => void;
  /** Called after each wait for the service to analyze the repository. */
  readonly onWaitedForReadiness?: (ms: number) => void;
  /** Called before each request. After that, a scan may exist. */
  readonly onSend?: () => void;
  /** Called if the service definitely did not act on the request. */
  readonly onNothingLaunched?: () => void;
  /**
   * Called after a long wait, when the list of scans may be out of date.
   * @returns a scan that another job launched in the meantime, to be used instead
   */
  readonly afterLongWait?: () => Promise<DatedScan | undefined>;
}

export interface LaunchRequest {
  readonly projectId: string;
  /** The repository that has to be ready. */
  readonly repositoryId: string;
  /** Merged with `launch-parameters` and ready to be sent. */
  readonly body: LaunchBody;
  /** The budget in the body. */
  readonly creditBudget: number | undefined;
  /** The token's limits; undefined if they are not known. */
  readonly token?: TokenInformation | undefined;
}

export type Launch =
  | { readonly kind: 'launched'; readonly scan: LaunchedScan }
  /** Another job launched the scan while we waited. It can be followed, but is not ours. */
  | { readonly kind: 'running'; readonly scan: DatedScan }
  /** The service sees no change between base and commit. The caller verifies that with GitHub. */
  | { readonly kind: 'empty-diff' }
  /** The launch may have been accepted, but the answer is missing or unreadable. It must not be sent again. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * Launches at most one scan. Sends the request again only if the service definitely did not act: it did not get the
 * request, or refused it for now. Waits for the repository to be ready until the signal is aborted.
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
