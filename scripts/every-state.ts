import type { SinceLastPush } from '../src/domain/history.ts';
import { type Report, toReport } from '../src/report/report.ts';
import { REASON_STATES } from '../test/unit/report/reason-states.ts';
import { cancelledLaunch, unreadMarks } from '../test/unit/report/sample-failures.ts';
import { sampleReport } from '../test/unit/report/sample-report.ts';
import { SINCE_STATES } from '../test/unit/report/since-states.ts';
import { manyFindings, STATES } from '../test/unit/report/states.ts';
import { WITHHELD_STATES } from '../test/unit/report/withheld-states.ts';

/** A report, and facts that only its comment shows. */
export interface GalleryState {
  readonly report: Report;
  readonly since?: SinceLastPush | undefined;
}

/** States of one kind. The keys are anchors. Each state has a name for readers. */
export interface GalleryGroup {
  readonly title: string;
  readonly states: Readonly<Record<string, GalleryState & { readonly name: string }>>;
}

const REPORTS = {
  ...STATES,
  ...REASON_STATES,
  'launch-cancelled': sampleReport({ kind: 'not-scanned', failure: cancelledLaunch() }),
  'marks-unread': sampleReport({ kind: 'not-scanned', failure: unreadMarks() }, { preflight: undefined }),
  'two-hundred-findings': sampleReport(manyFindings(200)),
};
const ALL: Readonly<Record<string, GalleryState>> = {
  ...SINCE_STATES,
  ...mapped(REPORTS, (report) => ({ report })),
  ...mapped(WITHHELD_STATES, (whole) => ({ report: toReport(whole) })),
};

/**
 * The states to show. They are the states of the golden files, one state for each reason, and states with long lists. A
 * state that is also a reason is shown once.
 */
export const EVERY_STATE: readonly GalleryGroup[] = [
  group('Blocked', {
    blocked: 'Blocking findings',
    'second-push': 'After a second push',
    'blocked-public-published': 'Public repository, published page',
    'blocked-evidence': 'Only proven findings block',
    'blocked-fail-on-list': 'Other evidence of other severities',
    'push-blocked': 'Push to a branch',
    'public-push-blocked': 'Push to a branch of a public repository',
    'public-full-scan-blocked': 'All files of a public repository',
    'blocked-still-found': 'Marked as resolved, but still found',
  }),
  group('Passed', {
    clean: 'No findings',
    'second-push-fixed': 'All fixed by a second push',
    passed: 'Findings below the gate',
    'passed-without-evidence': 'Severe, but not confirmed',
    'passed-exempt': 'Severe, but exempt by path',
    'passed-fail-on-none': 'Findings in report-only mode',
    'full-scan': 'All files, in report-only mode',
    'public-full-scan': 'All files of a public repository, in report-only mode',
    'public-full-scan-clean': 'All files of a public repository, no findings',
    guided: 'The pull request changes the guidance file',
    unchanged: 'No changes',
  }),
  group('Not scanned', {
    'missing-token': 'Fork, token withheld',
    'not-scanned-allowed': 'Fork, token withheld, allowed to pass',
    'not-scanned-dependabot': 'Dependabot, token withheld',
    'untrusted-fork': 'Untrusted fork',
    'insufficient-credits': 'Not enough credits',
    'rate-limited': 'Rate limited',
    initializing: 'Repository initializing',
    timeout: 'Timeout',
    'scan-failed': 'Scan failed',
    'scan-cancelled': 'Scan cancelled',
    'launch-unknown': 'Launch not confirmed',
    'launch-cancelled': 'Launch not confirmed, scan cancelled',
    'service-error': 'Service error',
    'marks-unread': 'Earlier scans not read',
    superseded: 'Newer head commit',
    'not-scanned-findings-unread': 'Scanned, findings not read',
    configuration: 'Configuration error',
    'not-scanned-problems': 'Several configuration errors',
    'not-scanned-guidance': 'No guidance file in the base branch',
    'push-without-base': 'First push of a branch',
    'unsupported-event': 'Closed pull request',
    paths: 'Only files that need no scan',
  }),
  group('Long', {
    'sixty-findings': '60 findings',
    'two-hundred-findings': '200 findings',
    'public-full-scan-long': '200 findings of a public repository',
  }),
  group('Hostile', { hostile: 'Hostile text everywhere' }),
];

/** Makes a group of states. The keys are the ids of the states. */
function group(title: string, names: Readonly<Record<string, string>>): GalleryGroup {
  const states = mapped(names, (name, id) => {
    const { [id]: state } = ALL;
    if (state === undefined) throw new Error(`there is no state ${id}`);
    return { ...state, name };
  });
  return { title, states };
}

function mapped<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, id: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, change(value, id)]));
}
