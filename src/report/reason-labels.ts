import type { Reason } from '../domain/not-scanned.ts';

/** Headings that say why nothing was scanned. The cause below the heading gives the details. */
export const REASON_LABELS: Readonly<Record<Reason, string>> = {
  'missing-token': 'GitHub did not pass the API token',
  'untrusted-fork': 'untrusted fork',
  'insufficient-credits': 'not enough credits',
  'rate-limited': 'rate limit or spend limit reached',
  initializing: 'the repository is still initializing',
  timeout: 'timed out',
  'scan-failed': 'scan failed',
  'scan-cancelled': 'cancelled',
  'launch-unknown': 'launch not confirmed',
  'service-error': 'service error',
  superseded: 'outdated run',
  'unsupported-event': 'unsupported event',
  paths: 'only files that need no scan',
  configuration: 'configuration error',
};
