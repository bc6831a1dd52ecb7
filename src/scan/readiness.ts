import type { Clock } from '../clock.ts';
import { explainStop, type NotScanned, stopCause } from '../domain/result.ts';
import { advisedWait } from '../http/retry.ts';
import type { Log } from '../runner/log.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { duration, explainApiError, STILL_INITIALIZING } from '../scan-api/explain-error.ts';
import { createPatience, pollInterval } from '../scan-api/patience.ts';
import { repositoryById, repositoryFault } from '../scan-api/repository-entry.ts';
import { classify, waitAdvisedBy } from '../scan-api/retry.ts';

export interface ReadinessDeps {
  readonly api: Pick<ScanApi, 'repositories'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly log: Pick<Log, 'info'>;
}

/**
 * Waits until the repository list says `ready`. Begins with a wait, because the service has just said that the
 * repository is not ready.
 * @returns why the wait ended early; undefined if the repository is ready
 */
export async function waitUntilReady(
  deps: ReadinessDeps,
  request: {
    readonly projectId: string;
    readonly repositoryId: string;
    readonly retryAfterSeconds: number | undefined;
  },
): Promise<NotScanned | undefined> {
  const { api, clock, signal, random } = deps;
  const patience = createPatience(clock);
  const advised = advisedWait('poll', request.retryAfterSeconds);
  const interval = () => pollInterval(advised, random);
  let wait = interval();
  deps.log.info(
    `The service is analyzing this repository for the first time. Checking again every ${duration(wait / 1_000)}.`,
  );
  for (;;) {
    await clock.sleep(wait, signal);
    const cause = stopCause(signal);
    if (cause !== undefined) return stoppedWaiting(cause);
    const answer = await api.repositories(request.projectId, { signal });
    if (answer.ok) {
      const found = repositoryById(answer.value, request.repositoryId);
      if (found.ok) {
        patience.worked();
        const fault = repositoryFault(found.value, request.repositoryId);
        if (fault !== undefined) return fault;
        if (found.value?.readiness === 'ready') return undefined;
      } else if (patience.failed()) return found.error;
      wait = interval();
    } else {
      const { error } = answer;
      if (error.kind === 'stopped') return stoppedWaiting(error.by);
      const failure = classify(error);
      if (failure === 'rate-limited') patience.limited();
      else if (failure === 'definite' || patience.failed()) return explainApiError(error);
      wait = pollInterval(waitAdvisedBy(error) ?? advised, random);
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
