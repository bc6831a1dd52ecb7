import { describe, expect } from 'vitest';
import {
  cancelJob,
  forbidden,
  hanging,
  launches,
  lost,
  marks,
  refusing,
  refusingAs,
  showing,
  unavailable,
} from './effects.ts';
import {
  blocked,
  endedAs,
  exits,
  omits,
  outputs,
  paid,
  requests,
  says,
  scans,
  summarizes,
  uses,
} from './ends.ts';
import type { Course, OtherJobs } from './other-jobs.ts';
import { type Head, MERGE_BASE } from './repository.ts';
import { pushed } from './reuse.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act, Effect, Timeline } from './timeline.ts';

const POLLS = 'scans.read';
const HOUR = 60 * 60_000;
const notFound = refusingAs(404, 'not_found');
/** Another job has launched and marked a scan of this change. `of` names the commits of the launch. */
const earlier =
  (course: Course = { runsForMs: 0 }, of: { readonly base?: Head; readonly head?: Head } = {}): Act =>
  async (jobs, asked) => {
    const { repository } = jobs.scenario;
    const { base, head } = of;
    const extra = {
      ...(base && { baseCommit: repository.id(base) }),
      ...(head && { commit: repository.id(head) }),
    };
    await launches('earlier', course, extra)(jobs, asked);
    return marks('earlier')(jobs, asked);
  };
const withScan = (
  course?: Course,
  of?: Parameters<typeof earlier>[1],
): Pick<RunRow, 'scans' | 'earlier'> => ({
  scans: {},
  earlier: [earlier(course, of)],
});
const edited = { event: { action: 'edited' } } as const;
const OWN = uses('own-1', 1);
const USED = uses('earlier', 0);
const LEFT = says('Scan `earlier` is still running. Another run launched it, so this run did not cancel it.');

describe('a run that follows the scan of another run', () => {
  testRuns([
    {
      name: 'a run uses a completed scan of this change that does not show its commit',
      ...withScan(),
      service: { hideFields: { scanItem: ['commit'], scanDetail: ['commit'] } },
      ends: [
        blocked,
        USED,
        outputs({ 'credits-reserved': '0', 'scan-status': 'COMPLETED' }),
        says('Found scan `earlier` of another run.', 'Reusing scan `earlier`. No credits used.'),
        summarizes('commit not confirmed by the service'),
      ],
    },
    {
      name: 'a run launches no second scan if the findings of the first cannot be read',
      ...withScan(),
      at: { 'findings.list': unavailable },
      ends: [endedAs('service-error'), USED, outputs({ 'scan-status': 'COMPLETED' }), omits('still running')],
    },
    {
      name: 'a run launches no second scan if the first is still running at the timeout',
      ...withScan({ runsForMs: 2 * HOUR }),
      inputs: { 'timeout-minutes': '2' },
      ends: [
        endedAs('timeout'),
        USED,
        outputs({ 'credits-reserved': '0' }),
        LEFT,
        scans({ status: 'QUEUED' }),
      ],
    },
    {
      name: 'a run that is cancelled does not cancel the scan of another run',
      ...withScan({ runsForMs: 2 * HOUR }),
      at: { [`${POLLS} 2`]: [cancelJob, hanging] },
      ends: [endedAs('scan-cancelled'), exits(1), USED, LEFT],
    },
    {
      name: 'a run launches no second scan if the token may not read the first',
      ...withScan(),
      at: { [POLLS]: refusingAs(403, 'forbidden') },
      ends: [endedAs('configuration'), USED, LEFT],
    },
    {
      name: 'a run launches no second scan if the first cannot be read',
      ...withScan(),
      at: { [POLLS]: lost },
      ends: [endedAs('service-error'), USED, LEFT],
    },
    {
      name: 'a run uses the scan of another run after two answers that there is no such scan',
      ...withScan(),
      at: { [`${POLLS}/earlier 1-2`]: notFound },
      ends: [blocked, USED],
    },
    {
      name: 'a run launches a scan if the scan of another run is not found three times',
      ...withScan(),
      at: { [`${POLLS}/earlier`]: notFound },
      ends: [blocked, OWN, says('the service did not find what the request names')],
    },
    {
      name: 'a run for an edited title launches a scan if the earlier scan no longer exists',
      ...withScan(),
      ...edited,
      at: { [`${POLLS}/earlier`]: notFound },
      ends: [blocked, OWN, says('the service did not find what the request names')],
    },
    {
      name: 'a run launches a scan if the running scan of a mark is of another commit',
      ...withScan({ runsForMs: HOUR }, { head: 'low' }),
      ends: [blocked, OWN, says('Scan `earlier` cannot be reused. ')],
    },
    {
      name: 'a run for an edited title fails because of a failed scan, although the workflow allows failed scans',
      ...withScan({ runsForMs: 0, endsAs: 'FAILED' }),
      ...edited,
      inputs: { 'allow-unscanned': 'scan-failed' },
      ends: [endedAs('scan-failed'), exits(1), USED],
    },
    ...(['COMPLETED', 'FAILED'] as const).map((endsAs) => ({
      name: `a run for an edited title repeats that a ${endsAs} scan is of another commit`,
      ...withScan({ runsForMs: 0, endsAs }, { head: 'low' }),
      ...edited,
      ends: [endedAs('configuration'), USED, outputs({ 'scan-status': endsAs })],
    })),
  ]);
});

describe('the files of a scan that shows other commits', () => {
  const files = (
    name: string,
    of: Parameters<typeof earlier>[1],
    isSame: boolean,
    reads: number,
    more: Pick<RunRow, 'at' | 'inputs'> = {},
  ): RunRow => ({
    name: `a run ${isSame ? 'uses' : 'does not use'} a scan that shows ${name}`,
    ...withScan(undefined, of),
    ...edited,
    ...more,
    // GitHub has shown the files of this change already.
    ends: [isSame ? blocked : endedAs('configuration'), USED, requests('commit', reads)],
  });
  const shownAs =
    (field: 'commit' | 'baseCommit', sha: (jobs: OtherJobs) => string): Act =>
    (jobs) =>
      showing([new RegExp(`"${field}":"\\w+"`), `"${field}":"${sha(jobs)}"`]);
  const ofHead = ({ scenario }: OtherJobs) => scenario.headSha;
  const amended: Effect = shownAs('commit', ({ scenario }) => scenario.repository.id('amended'));
  const failed = (...texts: readonly string[]) => [endedAs('service-error'), exits(1), says(...texts)];
  testRuns([
    files('its commits in upper case', {}, true, 0, {
      at: { [POLLS]: shownAs('commit', (jobs) => ofHead(jobs).toUpperCase()) },
    }),
    files('another head with the same files', { head: 'amended' }, true, 1),
    files('another base with the same files', { base: 'empty' }, true, 1),
    files('another base with other files', { base: 'behind' }, false, 1),
    files('another base and another head with the same files', { base: 'empty', head: 'amended' }, true, 2),
    files('another head with other files', { head: 'low' }, false, 1),
    files('its head as its base', {}, false, 1, { at: { [POLLS]: shownAs('baseCommit', ofHead) } }),
    files(
      'another head with the same files, for a base that the workflow sets',
      { head: 'amended' },
      true,
      2,
      {
        inputs: ({ repository }) => ({ 'base-commit': repository.id(MERGE_BASE) }),
      },
    ),
    {
      name: 'a run does not compare the files of a failed scan',
      ...withScan({ runsForMs: 0, endsAs: 'FAILED' }, { head: 'amended' }),
      ...edited,
      ends: [endedAs('configuration'), USED],
    },
    {
      name: 'a run says that a scan abbreviates its commit',
      ...withScan(),
      ...edited,
      at: { [POLLS]: shownAs('commit', ({ scenario }) => scenario.repository.id('low').slice(0, 12)) },
      ends: failed('not its full SHA', 'to launch a new scan'),
    },
    {
      name: 'a run names the permission that it needs to read a commit',
      ...withScan(),
      ...edited,
      at: { [POLLS]: amended, commit: forbidden },
      ends: failed('Could not read a commit', '`contents: read`'),
    },
    {
      name: 'a run launches a scan later if GitHub no longer has the commit of a scan',
      ...withScan(),
      ...edited,
      at: { [POLLS]: amended, commit: refusing(404) },
      ends: failed('The scan shows other commits', 'to launch a new scan'),
    },
    {
      name: 'a run that times out while it compares the files says so',
      ...withScan(),
      ...edited,
      at: { [POLLS]: amended, commit: hanging },
      inputs: { 'timeout-minutes': '1' },
      ends: [endedAs('timeout'), says('before the files of the scan had not been compared')],
    },
  ]);
});

describe('a scan of other commits with the same files', () => {
  /** A scan of the head `amended` has the findings of the head `vulnerable`. The run is for a push of the latter. */
  const ofAmended = (at: Timeline, ...ends: readonly End[]): Omit<RunRow, 'name'> => ({
    head: 'amended',
    baseRef: 'stable',
    driver: 'in process',
    earlier: [async (jobs) => void (await jobs.run())],
    event: ({ scenario }) => pushed(scenario, scenario.headSha, scenario.repository.id('vulnerable')),
    at,
    ends,
  });
  const shown =
    (pattern: RegExp, replacement: string | ((jobs: OtherJobs) => string)): Act =>
    (jobs) =>
      showing([pattern, typeof replacement === 'string' ? replacement : replacement(jobs)]);
  const commit = (head: Head) =>
    shown(/"commit":"\w+"/, ({ scenario }) => `"commit":"${scenario.repository.id(head)}"`);
  const reads = requests(POLLS, 1);
  const reused = [blocked, outputs({ 'scan-reused': 'true', 'credits-reserved': '0' }), paid(1), reads];
  /** The log names the commit of the scan. */
  const ofCommit =
    (head: Head): End =>
    ({ run, repository }) =>
      expect(run.log).toContain(`is of commit \`${repository.id(head)}\`, which has the same files.`);
  const launched = [
    blocked,
    outputs({ 'scan-reused': 'false' }),
    paid(2),
    says('of the same files is not used. '),
  ];
  testRuns([
    {
      name: 'a run uses a scan of other commits with the same files',
      ...ofAmended({}, ...reused, ofCommit('amended')),
    },
    {
      name: 'a run uses a scan that shows a third commit with the same files',
      ...ofAmended(
        { [`${POLLS} 1`]: commit('and empty') },
        ...reused,
        ofCommit('and empty'),
        omits('not confirmed'),
      ),
    },
    {
      name: 'a run uses a scan that abbreviates its commit',
      ...ofAmended(
        { [`${POLLS} 1`]: shown(/(?<="commit":"\w{12})\w+/, '') },
        ...reused,
        ofCommit('amended'),
        summarizes('commit not confirmed'),
      ),
    },
    {
      name: 'a run uses a scan of the same files that shows the head of this change',
      ...ofAmended(
        { [`${POLLS} 1`]: commit('vulnerable') },
        ...reused,
        says('is of this commit, for another pull request or from a base with the same files.'),
      ),
    },
    ...(
      [
        ['has failed', shown(/"COMPLETED"/, '"FAILED"')],
        ['was cancelled', shown(/"COMPLETED"/, '"CANCELLED"')],
        ['shows a commit with other files', commit('low')],
        ['no longer exists', notFound],
      ] as const
    ).map(([what, effect]) => ({
      name: `a run does not wait for a scan of the same files that ${what}`,
      ...ofAmended({ [`${POLLS} 1`]: effect }, ...launched),
    })),
    {
      name: 'a run does not wait for a scan of the same files that cannot be read',
      ...ofAmended({ [`${POLLS} 1-4`]: lost }, ...launched),
    },
  ]);
});
