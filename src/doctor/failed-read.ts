import type { NotScanned } from '../domain/not-scanned.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { Fixer } from './row.ts';

/** Explains a failed read as the gate does. Only the text about a time limit is different. */
export function explainRead(failure: ApiError): NotScanned {
  if (failure.kind !== 'stopped' || failure.by !== 'timeout') return explainApiError(failure);
  return {
    reason: 'timeout',
    cause: `The doctor reached its time limit before it could ${failure.operation}.`,
    nextStep: "Check the service's status page, then run the doctor again.",
  };
}

/** Who can fix a failed request. */
export function fixerOf(failure: ApiError): Fixer {
  switch (failure.kind) {
    case 'refused':
      return failure.status === 429 || failure.status >= 500
        ? 'Support of the service'
        : 'Project admin of the service';
    case 'invalid':
      return failure.status >= 500 ? 'Support of the service' : 'Workflow maintainer';
    case 'unreachable':
      return failure.cause === 'reset' || failure.cause === 'timeout' || failure.cause === 'other'
        ? 'Support of the service'
        : 'Admin of the runner';
    case 'stopped':
      return 'Workflow maintainer';
  }
}
