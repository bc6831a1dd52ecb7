import { expect } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import { showing } from './effects.ts';
import { scans } from './ends.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { MERGE_BASE } from './repository.ts';
import type { End } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Scenario } from './scenario.ts';

const RENAMED = { launchFields: { commit: 'headCommit' } };
const ALLOWED = { inputs: EVERYTHING_ALLOWED };

testScans('right-scan', ALLOWED, {
  'a run cancels and reports a scan of another commit if the service ignores the field `commit`': {
    service: { ...RENAMED, pace: { phasesPerPoll: 1 } },
    ends: (result, jobs) => scans({ commit: result.repository.id('moved on') })(result, jobs),
  },
  'a run cancels and reports a scan that shows another base': {
    service: { pace: { hold: true } },
    at: { 'scans.read': showing([/"baseCommit":"\w+"/, `"baseCommit":"${'e'.repeat(40)}"`]) },
  },
  'a run fails if its completed scan is of another commit than the head': {
    service: { ...RENAMED, pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
  },
});

/** The summary says that the service has not confirmed these commits. */
const saysUnconfirmed =
  (...names: readonly string[]): End =>
  ({ run }) =>
    expect(run.summary.match(/\b(?:commit|base)(?= not confirmed by the service)/g)).toEqual(names);
testScans('right-scan', {
  ...rowsFor(
    [
      [['commit'], ['commit']],
      [['baseCommit'], ['base']],
      [
        ['commit', 'baseCommit'],
        ['commit', 'base'],
      ],
    ],
    ([hidden, names]) => [
      `a run adds a note to the report if the service hides commits of the scan (hidden: ${hidden})`,
      {
        head: 'clean',
        service: { hideFields: { scanItem: hidden, scanDetail: hidden } },
        ends: saysUnconfirmed(...names),
      },
    ],
  ),
});

/** The input `launch-parameters`, with the ids of commits. */
const sending =
  (parameters: (id: (name: string) => string) => Readonly<Record<string, unknown>>) =>
  ({ repository }: Pick<Scenario, 'repository'>) => ({
    ...EVERYTHING_ALLOWED,
    'launch-parameters': JSON.stringify(parameters(repository.id)),
  });
const sendsFields: End = ({ environment: { service } }) => {
  const launch = service.requests.find(({ point }) => point === 'scans.launch');
  const names = ['baseCommit', 'creditBudget', 'headCommit', 'presetRef', 'repository'];
  expect(Object.keys(isObject(launch?.body) ? launch.body : {}).toSorted()).toEqual(names);
};
const REFUSED: Readonly<Record<string, Parameters<typeof sending>[0]>> = {
  'names another commit': (id) => ({ commit: id('clean') }),
  'names a branch': () => ({ commit: 'main' }),
  'names a branch as the base': () => ({ baseCommit: 'main' }),
  'removes the field `commit`': () => ({ commit: null }),
  'sets the base to the head': (id) => ({ baseCommit: id('vulnerable') }),
};
testScans('right-scan', {
  'the input `launch-parameters` can rename a field of the launch request': {
    service: { launchFields: { commit: 'headCommit', repository: 'repository' } },
    inputs: sending((id) => ({
      commit: null,
      headCommit: id('vulnerable'),
      repositoryId: null,
      repository: 'repo_octo-repo',
    })),
    ends: [
      sendsFields,
      (result, jobs) =>
        scans({ commit: result.headSha, baseCommit: result.repository.id(MERGE_BASE) })(result, jobs),
    ],
  },
  'a run launches nothing if `launch-parameters` renames the field `commit` and names another commit': {
    service: RENAMED,
    inputs: sending((id) => ({ commit: null, headCommit: id('clean') })),
  },
  'the input `launch-parameters` can set another base': {
    inputs: sending((id) => ({ baseCommit: id('behind') })),
    ends: (result, jobs) => scans({ baseCommit: result.repository.id('behind') })(result, jobs),
  },
  ...rowsFor(Object.entries(REFUSED), ([what, parameters]) => [
    `the input \`launch-parameters\` is refused before the launch if it ${what}`,
    { inputs: sending(parameters) },
  ]),
  'a run launches nothing if `launch-parameters` sets the base to a commit that contains the head': {
    head: 'behind',
    inputs: sending((id) => ({ baseCommit: id(MERGE_BASE) })),
  },
});
