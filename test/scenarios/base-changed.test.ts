import { anEarlierRun, changes } from './effects.ts';
import type { OtherJobs } from './other-jobs.ts';
import { rowsFor, testScans } from './scan-rows.ts';

/** The run for a pull request whose base branch was changed to `baseRef`. */
const moved =
  (baseRef: string) =>
  ({ scenario: { environment } }: OtherJobs) => {
    const from = environment.github.pullRequests.get(environment.pullRequest)?.baseRef;
    environment.github.setBase(environment.pullRequest, baseRef);
    const changes = { base: { ref: { from } } };
    const payload = environment.pullRequestPayload({ action: 'edited', baseRef, changes });
    return { event: { name: 'pull_request', payload }, runId: 9_000_000_002 };
  };
const FIRST = { earlier: [anEarlierRun()] };
const hidden = ['baseCommit'];

testScans('base-changed', {
  'a run launches nothing if the base branch already contains the head': { baseRef: 'stacked' },
  'after a change of the base branch, a run compares the head with the new branch': {
    ...FIRST,
    baseRef: 'stacked',
    event: moved('main'),
  },
  'after a change of the base branch, a re-run of the first run compares the head with the new branch': {
    baseRef: 'stacked',
    earlier: [anEarlierRun(), anEarlierRun({}, {}, moved('main'))],
    event: { baseRef: 'stacked' },
    attempt: 2,
  },
  ...rowsFor(
    [
      ['shows', {}],
      ['does not show', { hideFields: { scanDetail: hidden, scanItem: hidden } }],
    ],
    ([what, service]) => [
      `after a change of the merge base, a run launches a new scan (the service ${what} the earlier base)`,
      { ...FIRST, service, event: moved('older') },
    ],
  ),
  'after a change of the base branch, a run reuses the earlier scan if the merge base is the same': {
    ...FIRST,
    event: moved('stable'),
  },
  'after a change of the title, a run reuses the earlier scan': {
    earlier: [anEarlierRun(), changes({ title: 'A better title' })],
    event: { action: 'edited', changes: { title: { from: 'A change' } } },
    runId: 9_000_000_002,
  },
});
