import type { TokenInformation } from '../domain/project.ts';
import { explainStop, type NotScanned, stopCause } from '../domain/result.ts';
import type { LaunchedScan } from '../domain/scan.ts';
import { advisedWait } from '../http/retry.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { duration, explainApiError, STILL_INITIALIZING } from '../scan-api/explain-error.ts';
import { createPatience, pollInterval } from '../scan-api/patience.ts';
import { repositoryById, repositoryFault } from '../scan-api/repository-entry.ts';
import {
  classify,
  classifyWrite,
  type FailureClass,
  outlastsRun,
  retryAfterOf,
  SEND_ATTEMPTS,
  waitAdvisedBy,
  waitAfterFailure,
} from '../scan-api/retry.ts';
import type { LaunchBody } from '../scan-api/wire-writes.ts';
import type { ServiceStep } from '../start/step.ts';

/**
 * Our choice: a run waits at most this many times for the end of a rate limit. A rate limit ends after one or two
 * waits. A limit that lasts longer is probably the spend limit, which outlasts every job.
 */
const MOST_RATE_LIMIT_WAITS = 3;

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

/** How often a launch failed since the repository was ready. */
export interface Tries {
  readonly unsent: number;
  readonly limited: number;
}

export const NO_TRIES: Tries = { unsent: 0, limited: 0 };

/** The service certainly launched nothing. */
export interface RefusedLaunch {
  readonly kind: 'refused';
  readonly error: ApiError;
  readonly failure: Exclude<FailureClass, 'ambiguous'>;
}

export type SentLaunch =
  | { readonly kind: 'launched'; readonly scan: LaunchedScan }
  /** The service may have accepted the launch, but its answer is missing or unreadable. */
  | { readonly kind: 'lost'; readonly error: ApiError }
  | RefusedLaunch;

/** Sends the launch once. @param signal aborts later than the work, so that the answer can still arrive */
export async function sendLaunch(
  api: ScanApi,
  { projectId, body }: LaunchRequest,
  signal: AbortSignal,
): Promise<SentLaunch> {
  const answer = await api.launch(projectId, body, { signal });
  if (answer.ok) return { kind: 'launched', scan: answer.value };
  const { error } = answer;
  const failure = classifyWrite(error);
  return failure === 'ambiguous' ? { kind: 'lost', error } : { kind: 'refused', error, failure };
}

export type AfterRefusal =
  /** The run has waited, and may send the launch again. */
  | { readonly kind: 'again'; readonly tries: Tries }
  /** The service sees no change between base and commit. The caller asks GitHub whether that is right. */
  | { readonly kind: 'empty-diff' }
  | { readonly kind: 'not-scanned'; readonly failure: NotScanned };

/**
 * Waits if a refused launch may succeed later. There are three such cases: the request did not reach the service, a
 * rate limit was reached, or the repository was not ready.
 */
export async function waitAfterRefusal(
  step: ServiceStep,
  request: LaunchRequest,
  { error, failure }: RefusedLaunch,
  { unsent, limited }: Tries,
): Promise<AfterRefusal> {
  const { clock, signal, random, log } = step;
  const { creditBudget, token } = request;
  const final = (): AfterRefusal => ({
    kind: 'not-scanned',
    failure: explainApiError(error, { creditBudget, token }),
  });
  switch (failure) {
    case 'stopped':
      return final();
    case 'not-sent': {
      if (unsent + 1 >= SEND_ATTEMPTS) return final();
      const wait = waitAfterFailure(error, unsent + 1, random);
      log.info(`Could not reach the service. Retrying in ${duration(wait / 1_000)}.`);
      await clock.sleep(wait, signal);
      return again(signal, { unsent: unsent + 1, limited });
    }
    case 'rate-limited': {
      if (outlastsRun(error) || limited >= MOST_RATE_LIMIT_WAITS) return final();
      const wait = waitAfterFailure(error, limited + 1, random);
      log.info(`Rate limited. Retrying in ${duration(wait / 1_000)}.`);
      await clock.sleep(wait, signal);
      return again(signal, { unsent, limited: limited + 1 });
    }
    case 'definite': {
      if (error.code === 'diff_empty') return { kind: 'empty-diff' };
      if (error.code !== 'repository_initializing') return final();
      const fault = await waitUntilReady(step, request, retryAfterOf(error));
      return fault === undefined
        ? { kind: 'again', tries: NO_TRIES }
        : { kind: 'not-scanned', failure: fault };
    }
  }
}

function again(signal: AbortSignal, tries: Tries): AfterRefusal {
  const cause = stopCause(signal);
  return cause === undefined
    ? { kind: 'again', tries }
    : { kind: 'not-scanned', failure: explainStop(cause, 'it launched a scan') };
}

/**
 * Waits until the repository list says `ready`. Begins with a wait, because the service has just said that the
 * repository is not ready.
 * @returns why the wait ended early; undefined if the repository is ready
 */
async function waitUntilReady(
  { api, clock, signal, random, log }: ServiceStep,
  { projectId, repositoryId }: LaunchRequest,
  retryAfterSeconds: number | undefined,
): Promise<NotScanned | undefined> {
  const patience = createPatience(clock);
  const advised = advisedWait('poll', retryAfterSeconds);
  const interval = () => pollInterval(advised, random);
  let wait = interval();
  log.info(
    `The service is analyzing this repository for the first time. Checking again every ${duration(wait / 1_000)}.`,
  );
  for (;;) {
    await clock.sleep(wait, signal);
    const cause = stopCause(signal);
    if (cause !== undefined) return stoppedWaiting(cause);
    const answer = await api.repositories(projectId, { signal });
    if (answer.ok) {
      const found = repositoryById(answer.value, repositoryId);
      if (found.ok) {
        patience.worked();
        const fault = repositoryFault(found.value, repositoryId);
        if (fault !== undefined) return fault;
        if (found.value?.readiness === 'ready') return undefined;
      } else if (patience.failed()) return found.error;
      wait = interval();
    } else {
      const { error } = answer;
      if (error.kind === 'stopped') return stoppedWaiting(error.by);
      const failure = classify(error);
      const shortest = failure === 'rate-limited' ? patience.limited() : undefined;
      if (shortest === undefined && (failure === 'definite' || patience.failed())) {
        return explainApiError(error);
      }
      wait = Math.max(pollInterval(waitAdvisedBy(error) ?? advised, random), shortest ?? 0);
    }
  }
}

function stoppedWaiting(cause: 'timeout' | 'signal'): NotScanned {
  const before = 'the scanning service had analyzed this repository for the first time';
  const failure = explainStop(cause, before);
  if (cause === 'signal') return failure;
  return {
    ...failure,
    reason: 'initializing',
    nextStep: STILL_INITIALIZING,
  };
}
