import type { ConnectionInputs } from '../runner/inputs.ts';
import type { ScanApiOptions } from '../scan-api/client.ts';
import { createTriageApi, type TriageApi } from '../scan-api/triage-api.ts';
import type { StepProcess } from './step-process.ts';

/**
 * Creates the client that changes findings. It has a file of its own, so that the bundle of the gate does not contain
 * the client.
 */
export function connectTriage(
  { clock, fetch, random, log }: Pick<StepProcess, 'clock' | 'fetch' | 'random' | 'log'>,
  { baseUrl, token }: Pick<ConnectionInputs, 'baseUrl'> & { readonly token: string },
  options: Pick<ScanApiOptions, 'showMessages' | 'leftMs'>,
): TriageApi {
  return createTriageApi({ baseUrl, token, clock, fetch, random, debug: log.debug, ...options });
}
