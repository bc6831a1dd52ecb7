import type { Reason } from '../domain/not-scanned.ts';

/** Why nothing was scanned, in a few words for a heading; the cause says it in full. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  'missing-token': 'GitHub withheld the API token',
  'untrusted-fork': 'the fork is not trusted',
  'insufficient-credits': 'not enough credits',
  'rate-limited': 'a limit of the API token is reached',
  initializing: 'the service is still preparing the repository',
  timeout: 'the time ran out',
  'scan-failed': 'the scan failed',
  'scan-cancelled': 'the scan was cancelled',
  'launch-unknown': 'the answer to the launch was lost',
  'service-error': 'a service failed',
  superseded: 'this run is out of date',
  'unsupported-event': 'this event brings no change to scan',
  configuration: 'the setup has to be mended',
};
