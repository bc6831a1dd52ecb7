import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import { DEFAULT_PRESETS } from '../../sandbox/scan-service/options.ts';
import { fullScan, push } from './branch-events.ts';
import { anEarlierRun, refusingAs, showing } from './effects.ts';
import { outputs, requests, summarizes } from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import type { End, RunRow } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';

const EVENTS = ['schedule', 'workflow_dispatch'] as const;
type Options = Parameters<typeof fullScan>[2];
const by =
  (event: (typeof EVENTS)[number], options?: Options) =>
  ({ scenario }: OtherJobs) =>
    fullScan(scenario, event, options);
const NEXT = { runId: 9_000_000_200 };

const launchesWithoutBase: End = ({ environment: { service }, headSha }) => {
  const { body } = service.requests.find(({ point }) => point === 'scans.launch') ?? expect.unreachable();
  expect(body).toMatchObject({ presetRef: 'full-audit', commit: headSha });
  expect(body).not.toHaveProperty('baseCommit');
};
/** A full scan asks GitHub only for its check run. */
const asksForCheckRun: End = ({ environment: { github } }) =>
  expect([...new Set(github.requests.map(({ point }) => point))]).toEqual([
    'check.list',
    'check.create',
    'check.update',
  ]);
const sarifHasNoBase: End = async ({ workspace }) => {
  const sarif = await readFile(path.join(workspace, 'out.sarif'), 'utf8');
  expect(sarif).toContain('"versionControlProvenance"');
  expect(sarif).not.toContain('baseCommit');
};
/** The event in a fork. */
const inFork =
  (name: (typeof EVENTS)[number]) =>
  (jobs: OtherJobs): ReturnType<typeof fullScan> => {
    const { event, ...run } = by(name)(jobs);
    const { repository, ...payload } = event?.payload ?? {};
    const fork = { ...(isObject(repository) && repository), fork: true };
    return { ...run, event: { name, payload: { ...payload, repository: fork } } };
  };
const ON_SCHEDULE = { event: by('schedule') };

testScans('full-scan', ON_SCHEDULE, {
  ...rowsFor(EVENTS, (event) => [
    `for the event ${event}, a run scans all files of the commit and writes no comment`,
    {
      event: by(event),
      inputs: { comment: 'always', 'paths-unscanned': 'src/**' },
      ends: [
        outputs({ 'scan-kind': 'full', 'base-commit': '' }),
        launchesWithoutBase,
        asksForCheckRun,
        summarizes('all files of <code>'),
      ],
    },
  ]),
  ...rowsFor(EVENTS, (event) => [
    `after the event ${event}, the next run reuses the scan if the branch has not moved`,
    { earlier: [anEarlierRun({}, {}, by(event))], event: by('schedule', NEXT) },
  ]),
  ...rowsFor(EVENTS, (event) => [
    `for the event ${event}, a run launches no scan in a fork without the secret`,
    { event: inFork(event), inputs: { 'api-token': '' } },
  ]),
  'a run pays for a new full scan after the branch moved': {
    earlier: [anEarlierRun({}, {}, by('schedule'))],
    event: (jobs) => by('schedule', { ...NEXT, sha: jobs.scenario.repository.id('and empty') })(jobs),
  },
  'a full scan does not reuse the scan of a change': {
    earlier: [anEarlierRun()],
    ends: outputs({ 'scan-kind': 'full' }),
  },
  'a push does not reuse a full scan': {
    baseRef: 'stable',
    earlier: [anEarlierRun({}, {}, by('schedule'))],
    event: ({ scenario }) => push(scenario, { before: scenario.repository.id('behind') }),
    ends: outputs({ 'scan-kind': 'diff' }),
  },
  'the SARIF file of a full scan contains no base commit': {
    inputs: { 'sarif-file': 'out.sarif' },
    ends: sarifHasNoBase,
  },
  'a full scan has a default timeout of almost six hours': {
    // Some hours are too long for the bundle even with a fast clock.
    driver: 'in process',
    service: { pace: { hold: true }, retryAfterSeconds: 600 },
    inputs: { 'timeout-minutes': '' },
    ends: [(_result, jobs) => expect(jobs.now() / 60_000).toBeCloseTo(350, -1), requests('scans.cancel', 1)],
  },
});

const DEEP = { ref: 'deep', name: 'Deep', kind: 'full', minCredits: 0 } as const;
const QUICK = { ref: 'quick', name: 'Quick', kind: 'diff', minCredits: 0 } as const;
const REFUSED: readonly (readonly [why: string, row: Omit<RunRow, 'name'>])[] = [
  ['if the preset is a diff preset', { inputs: { preset: 'diff-review' } }],
  ['if several presets are not diff presets', { service: { presets: [...DEFAULT_PRESETS, DEEP] } }],
  ['if all presets are diff presets', { service: { presets: DEFAULT_PRESETS.slice(0, 1) } }],
  ['if the service refuses a launch without a base', { service: { presets: [QUICK] } }],
  [
    'if the service refuses the launch because it finds no change',
    { at: { 'scans.launch': refusingAs(422, 'diff_empty') } },
  ],
  [
    'if `launch-parameters` sets a base',
    {
      inputs: ({ repository }) => ({
        'launch-parameters': JSON.stringify({ baseCommit: repository.id('start') }),
      }),
    },
  ],
  ['if GITHUB_SHA is not a commit id', { event: by('schedule', { sha: 'main' }) }],
  [
    'if the launched scan shows a base',
    {
      at: { 'scans.read': showing([/"baseCommit":null/, `"baseCommit":"${'a'.repeat(40)}"`]) },
    },
  ],
];
testScans('full-scan', ON_SCHEDULE, {
  ...rowsFor(REFUSED, ([why, row]) => [`a run for a full scan ends with a configuration error ${why}`, row]),
});
