import { supersededByHead } from '../../../src/change/superseded.ts';
import { explainStop, type NotScanned, REASONS, type Reason } from '../../../src/domain/result.ts';
import type { ListedReport } from '../../../src/report/report.ts';
import { describeCancellation } from '../../../src/scan/cancel.ts';
import { noMatch } from '../../../src/scan/new-scans.ts';
import {
  closedPullRequest,
  failedScan,
  lostLaunch,
  onlyDocuments,
  refused,
  refusedTarget,
} from './sample-failures.ts';
import { BASE, HEAD, sampleReport, sampleTarget } from './sample-report.ts';

/** One failure for each reason. */
const STOPS: Readonly<Record<Reason, NotScanned>> = {
  'missing-token': await refusedTarget('pull_request', { isFork: true, secretsWithheld: true }, false),
  'untrusted-fork': await refusedTarget('pull_request_target', { isFork: true, author: 'mona' }, true),
  'insufficient-credits': refused('launch the scan', 402, 'insufficient_credits'),
  'rate-limited': refused('launch the scan', 429, 'rate_limited'),
  initializing: refused('launch the scan', 409, 'repository_initializing'),
  timeout: explainStop('timeout', 'the scan finished'),
  'scan-failed': await failedScan(),
  'scan-cancelled': explainStop('signal', 'the scan finished'),
  'launch-unknown': lostLaunch(noMatch('none'), {
    subject: {
      repositoryId: 'rep_1',
      baseSha: BASE,
      headSha: HEAD,
      presetRef: 'diff-standard',
      creditBudget: 40,
      areas: [],
    },
  }),
  'service-error': refused('list the findings', 500, 'internal'),
  superseded: supersededByHead('c'.repeat(40)),
  'unsupported-event': closedPullRequest(),
  paths: await onlyDocuments(),
  configuration: refused('launch the scan', 403, 'forbidden'),
};

/** A report of a scan that we launched and cancelled. */
const CANCELLED: Partial<ListedReport> = {
  scanId: 'scn_01HZX5M3',
  scanStatus: 'CANCELLED',
  creditsReserved: 40,
  warnings: [describeCancellation('scn_01HZX5M3', { kind: 'cancelled' })],
};
const BEFORE_THE_BASE: Partial<ListedReport> = { diffBase: undefined, preflight: undefined };
const MEMBERS: Partial<Record<Reason, Partial<ListedReport>>> = {
  'missing-token': {
    ...BEFORE_THE_BASE,
    target: sampleTarget({ secretsWithheld: true, pullRequest: { isFork: true } }),
  },
  'untrusted-fork': {
    ...BEFORE_THE_BASE,
    target: sampleTarget({ event: 'pull_request_target', pullRequest: { isFork: true, author: 'mona' } }),
  },
  'unsupported-event': { ...BEFORE_THE_BASE, target: sampleTarget({ pullRequest: { state: 'closed' } }) },
  timeout: CANCELLED,
  'scan-cancelled': CANCELLED,
  'scan-failed': { scanId: 'scn_01HZX5M3', scanStatus: 'FAILED', creditsReserved: 40 },
};

/** A report for each reason. */
export const REASON_STATES: Readonly<Record<string, ListedReport>> = Object.fromEntries(
  REASONS.map((reason) => [
    reason,
    sampleReport({ kind: 'not-scanned', failure: STOPS[reason] }, MEMBERS[reason] ?? {}),
  ]),
);
