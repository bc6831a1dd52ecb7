import { REASON_STATES } from '../test/unit/report/reason-states.ts';
import { sampleReport } from '../test/unit/report/sample-report.ts';
import { SINCE_STATES } from '../test/unit/report/since-states.ts';
import { manyFindings, STATES } from '../test/unit/report/states.ts';
import type { GalleryGroup, GalleryState } from './gallery.ts';

const REPORTS = { ...STATES, ...REASON_STATES, 'two-hundred-findings': sampleReport(manyFindings(200)) };
const ALL: ReadonlyMap<string, GalleryState> = new Map([
  ...Object.entries(SINCE_STATES),
  ...Object.entries(REPORTS).map(([id, report]): [string, GalleryState] => [id, { report }]),
]);

/** The states of the golden files, each reason, and a long list. The one that equals a reason is shown once. */
export const EVERY_STATE: readonly GalleryGroup[] = [
  group('Blocked', {
    blocked: 'Findings at or above the gate',
    'second-push': 'After a second push',
    'blocked-public-published': 'Public repository, published page',
    'blocked-evidence': 'Only what is proven blocks',
    'blocked-still-found': 'Marked as resolved, and still found',
  }),
  group('Passed', {
    clean: 'Nothing found',
    'second-push-fixed': 'All mended by a second push',
    passed: 'Findings below the gate',
    'passed-without-evidence': 'Severe, but not confirmed',
    'passed-fail-on-none': 'Findings, and a gate that never blocks',
    unchanged: 'Nothing changed',
  }),
  group('Not scanned', {
    'missing-token': 'Fork, token withheld',
    'not-scanned-allowed': 'Fork, token withheld, allowed to pass',
    'not-scanned-dependabot': 'Dependabot, token withheld',
    'untrusted-fork': 'Fork of a stranger',
    'insufficient-credits': 'Too few credits',
    'rate-limited': 'Too many requests',
    initializing: 'Repository still analyzed',
    timeout: 'Out of time',
    'scan-failed': 'Scan failed',
    'scan-cancelled': 'Scan cancelled',
    'launch-unknown': 'Launch without an answer',
    'service-error': 'Service out of order',
    superseded: 'Newer head commit',
    'not-scanned-findings-unread': 'Scanned, findings unread',
    configuration: 'Wrong configuration',
    'unsupported-event': 'Closed pull request',
  }),
  group('Long', { 'sixty-findings': '60 findings', 'two-hundred-findings': '200 findings' }),
  group('Hostile', { hostile: 'Hostile text everywhere' }),
];

/** Names by id. */
function group(title: string, names: Readonly<Record<string, string>>): GalleryGroup {
  const states = Object.entries(names).map(([id, name]) => {
    const state = ALL.get(id);
    if (state === undefined) throw new Error(`there is no state ${id}`);
    return [id, { ...state, name }] as const;
  });
  return { title, states: Object.fromEntries(states) };
}
