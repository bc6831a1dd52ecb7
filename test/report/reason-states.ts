import { type NotScanned, REASONS, type Reason } from '../../src/domain/not-scanned.ts';
import { explainStop } from '../../src/domain/stop.ts';
import type { Report } from '../../src/report/report.ts';
import { launchUnknown } from '../../src/scan/launch-unknown.ts';
import type { Operation } from '../../src/scan-api/api-error.ts';
import { explainApiError } from '../../src/scan-api/explain-error.ts';
import { BASE, HEAD, sampleReport } from './sample-report.ts';

const refused = (operation: Operation, status: number, code: string): NotScanned =>
  explainApiError({
    kind: 'refused',
    operation,
    status,
    code,
    message: '',
    retryAfterSeconds: undefined,
    tooFresh: false,
  });

/** One way to each reason. */
const STOPS: Readonly<Record<Reason, NotScanned>> = {
  'missing-token': {
    reason: 'missing-token',
    cause: 'GitHub gives no secrets to pull requests from forks, so there is no `api-token`.',
    nextStep:
      'A maintainer who has read the change can push its commits to a branch of this repository and open a pull request from there, or let the workflow run on `pull_request_target`, where forks of trusted authors are scanned.',
  },
  'untrusted-fork': {
    reason: 'untrusted-fork',
    cause: 'The pull request comes from a fork, and its author mona may not write to this repository.',
    nextStep:
      'A maintainer who has read the change can push its commits to a branch of this repository and open a pull request from there.',
  },
  'insufficient-credits': refused('launch the scan', 402, 'insufficient_credits'),
  'rate-limited': refused('launch the scan', 429, 'rate_limited'),
  initializing: refused('launch the scan', 409, 'repository_initializing'),
  timeout: explainStop('timeout', 'the scan had not finished'),
  'scan-failed': {
    reason: 'scan-failed',
    cause: 'The scan failed in the scanning service.',
    nextStep: 'Look at the scan in the service for its cause, then run the job again.',
  },
  'scan-cancelled': explainStop('signal', 'the scan had not finished'),
  'launch-unknown': launchUnknown(
    {
      kind: 'unreachable',
      operation: 'launch the scan',
      sent: 'unknown',
      detail: 'ECONNRESET',
      cause: 'reset',
    },
    {
      projectId: 'prj_1',
      headSha: HEAD,
      noted: [],
      wanted: {
        repositoryId: 'rep_1',
        baseCommit: BASE,
        commit: HEAD,
        presetRef: 'diff-standard',
        creditBudget: 40,
      },
    },
    { kind: 'undecided', why: 'none', ids: [], settled: true },
    false,
  ),
  'service-error': refused('list the findings', 500, 'internal'),
  'unsupported-event': {
    reason: 'unsupported-event',
    cause: 'There is nothing to scan: the pull request is closed.',
    nextStep:
      'Let the workflow run on pull_request, pull_request_target and merge_group events of open changes.',
  },
  configuration: refused('launch the scan', 403, 'forbidden'),
};

/** The scan was launched and has been cancelled by us. */
const CANCELLED: Partial<Report> = {
  scanId: 'scn_01HZX5M3',
  scanStatus: 'CANCELLED',
  creditsReserved: 40,
  notices: [
    'Scan `scn_01HZX5M3` was cancelled: its reservation is released, work already done is still charged.',
  ],
};
const BEFORE_THE_BASE: Partial<Report> = { diffBase: undefined, preset: undefined };
const MEMBERS: Partial<Record<Reason, Partial<Report>>> = {
  'missing-token': BEFORE_THE_BASE,
  'untrusted-fork': BEFORE_THE_BASE,
  'unsupported-event': { ...BEFORE_THE_BASE, target: undefined },
  timeout: CANCELLED,
  'scan-cancelled': CANCELLED,
  'scan-failed': { scanId: 'scn_01HZX5M3', scanStatus: 'FAILED', creditsReserved: 40 },
};

/** A report for each reason. */
export const REASON_STATES: Readonly<Record<string, Report>> = Object.fromEntries(
  REASONS.map((reason) => [
    reason,
    sampleReport({ kind: 'not-scanned', stop: STOPS[reason] }, MEMBERS[reason] ?? {}),
  ]),
);
