import * as v from 'valibot';
import { describe, expect } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import { push } from './branch-events.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import type { MarkOptions, OtherJobs } from './other-jobs.ts';
import { type Ends, type Situation, testSituations } from './situations.ts';
import { HIDDEN_SCOPE } from './stranger.ts';

const LOST_ANSWER = { fault: 'reset-after' } as const;
const UNAVAILABLE = { status: 503, body: 'Service Unavailable' } as const;
const NOT_FOUND = { status: 404, body: { error: { code: 'not_found', message: 'Scan was not found.' } } };

/** Changes the answers to the launches with these numbers. */
const atLaunch = (interception: Interception, ...numbers: number[]): Pick<Situation, 'atService'> => ({
  atService: (jobs, point) =>
    point === 'scans.launch' && (numbers.length === 0 || numbers.includes(jobs.count(point)))
      ? interception
      : undefined,
});
/** The service launches the scan, and names this scan in its answer. */
const naming = (scanId: string): Interception => ({
  rewrite: (answer) => ({ ...answer, body: { scanId } }),
});
const isFirst = (jobs: OtherJobs, point: string) => jobs.count(point) === 1;
/** The service launches nothing, and answers with a scan that another user launched before. */
const NOTHING_LAUNCHED = { status: 202, body: { scanId: 'theirs' } };

const isFollowing = (jobs: OtherJobs) => jobs.count('scans.read') > 0;
const toBranch = ({ scenario }: OtherJobs) => push(scenario, { before: scenario.repository.id('start') });

const UNKNOWN = { scan: '', reason: 'launch-unknown', launches: 1 } as const;
/** The scan of the lost launch was cancelled, and the scan of a second launch was used. */
const RELAUNCHED = {
  scan: 'own-2',
  launches: 2,
  cancelled: ['own-1'],
  marked: ['own-2'],
  says: ["Looking for it in the service's scan list.", 'Cancelled scan `own-1`.'],
} as const;
/** Nothing is known about the scan of the launch, so `post` looks for it again. */
const LEFT: Ends = { ...UNKNOWN, left: '"before":{"ids":[' };

const NAMES_NONE: Interception = { rewrite: () => ({ status: 202, body: { accepted: true } }) };
const LOST: readonly (readonly [string, Interception])[] = [
  ['is reset', LOST_ANSWER],
  ['is cut', { fault: 'cut-body' }],
  ['never comes', { fault: 'hang-after' }],
  ['is a 503', { rewrite: () => UNAVAILABLE }],
  ['is a page instead of JSON', { rewrite: () => ({ status: 200, body: '<html>Welcome</html>' }) }],
  ['names no scan', NAMES_NONE],
  [
    'is a redirect',
    { rewrite: () => ({ status: 307, headers: { location: '/api/v1/elsewhere' }, body: '' }) },
  ],
];

describe('a launch whose answer is lost', () => {
  testSituations([
    ...LOST.filter(([, interception]) => interception !== NAMES_NONE).map(
      ([what, interception]): Situation => ({
        name: `if the answer to a launch ${what}, the run cancels the scan, and launches once more`,
        ...atLaunch(interception, 1),
        own: { runsForMs: 300_000 },
        ends: RELAUNCHED,
      }),
    ),
    ...LOST.map(
      ([what, interception]): Situation => ({
        name: `if the answer to a launch ${what}, and the service does not show what it scans, the run sends no second launch`,
        ...atLaunch(interception),
        service: {
          hideFields: { scanItem: ['baseCommit', 'commit'], scanDetail: ['baseCommit', 'commit'] },
        },
        own: { runsForMs: 3_000_000 },
        ends: {
          ...LEFT,
          says: [
            'The service lists a new scan, but Scangate could not match it to this run (`own-1`).',
            'A scan may be running, so Scangate did not launch another one. The post step will look for it again.',
            'Check project `',
            'it can use up to 20 credits.',
          ],
        },
      }),
    ),
    {
      name: 'a run cancels the scan of a lost launch even if the service hides all but base and commit',
      ...atLaunch(LOST_ANSWER, 1),
      own: { runsForMs: 300_000 },
      service: {
        hideFields: {
          ...HIDDEN_SCOPE,
          scanDetail: [...(HIDDEN_SCOPE.scanDetail ?? []), 'repositoryId', 'presetRef'],
        },
      },
      ends: RELAUNCHED,
    },
    {
      name: 'if the answer to a launch names no scan, the run cancels the scan, and launches no other one',
      ...atLaunch(NAMES_NONE),
      own: { runsForMs: 300_000 },
      ends: { ...UNKNOWN, cancelled: ['own-1'] },
    },
    {
      name: 'after a lost launch, a re-run launches nothing if the marks cannot be read',
      ...atLaunch(LOST_ANSWER, 1),
      run: () => ({ runAttempt: 2 }),
      own: { runsForMs: 300_000 },
      atGitHub: (jobs, point) =>
        point === 'check.list' && jobs.cancelled().length > 0 ? UNAVAILABLE : undefined,
      ends: { scan: '', reason: 'service-error', launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a run launches at most once more after a lost launch',
      ...atLaunch(LOST_ANSWER),
      own: { runsForMs: 300_000 },
      ends: {
        ...UNKNOWN,
        launches: 2,
        cancelled: ['own-1', 'own-2'],
        says: ['Could not confirm the launch of the scan: the connection was reset'],
        more: (_jobs, { run }) => expect(run.outputs['credits-pull-request']).toBe('40'),
      },
    },
    {
      name: 'a run launches no other scan if the scan of its lost launch has already ended',
      ...atLaunch(LOST_ANSWER, 1),
      own: { runsForMs: 0 },
      ends: {
        ...UNKNOWN,
        marked: [undefined],
        cancelled: ['own-1'],
        says: ['Scan `own-1` had already ended as COMPLETED'],
      },
    },
    {
      name: 'after a lost launch, a run launches nothing if the pull request has another head',
      ...atLaunch(LOST_ANSWER, 1),
      own: { runsForMs: 300_000 },
      onLaunch: async ({ scenario }) => {
        const { github, pullRequest } = scenario.environment;
        github.setHead(pullRequest, scenario.repository.id('clean'));
      },
      ends: { scan: '', reason: 'superseded', launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'after a lost launch, a run uses a scan of this change that another job has marked meanwhile',
      ...atLaunch(LOST_ANSWER, 1),
      own: { runsForMs: 300_000 },
      onLaunch: async (jobs, launch) => {
        if (launch > 1) return;
        await jobs.launch('theirs', { runsForMs: 90_000 });
        await jobs.mark('theirs');
      },
      ends: { scan: 'theirs', reused: true, launches: 1, cancelled: ['own-1'] },
    },
    {
      name: 'a lost launch stays unknown if another job marks the only new scan',
      onLaunch: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs', { key: { pullRequest: 8 } });
      },
      ...atLaunch(UNAVAILABLE),
      ends: { ...LEFT, says: ['another run launched it (`theirs`)'] },
    },
    {
      name: 'a run leaves its lost launch to the post step if it cannot cancel the scan',
      atService: (jobs, point) => {
        if (point === 'scans.launch') return LOST_ANSWER;
        return jobs.cancelled().length > 0 ? { fault: 'reset-before' } : undefined;
      },
      own: { runsForMs: 3_000_000 },
      ends: {
        ...LEFT,
        cancelled: expect.arrayContaining(['own-1']),
        says: ['Could not cancel scan `own-1`'],
      },
    },
    {
      name: 'a run does not look for the scan of a lost launch of a full scan',
      ...atLaunch(LOST_ANSWER),
      run: () => ({ event: { name: 'workflow_dispatch', payload: { inputs: {} } } }),
      inputs: { preset: 'full-audit' },
      ends: {
        ...UNKNOWN,
        left: '"before"',
        says: ['Scangate looks only for a diff scan whose launch was saved in full.'],
        more: (_jobs, { run }) => expect(run.log).not.toContain('Looking for it'),
      },
    },
  ]);
});

describe('a launch on a service that does not list its scans', () => {
  testSituations([
    {
      name: 'a run launches nothing if it cannot read the scan list',
      atService: (_jobs, point) => (point === 'scans.list' ? UNAVAILABLE : undefined),
      ends: {
        scan: '',
        reason: 'service-error',
        launches: 0,
        says: ['Without this list, a new scan could not be recognized, so no scan was launched.'],
      },
    },
    {
      name: 'a run reads the scan list again after it has followed an earlier scan',
      before: async (jobs) => {
        await jobs.launch('earlier', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('earlier');
      },
      atService: (jobs, point) => (point === 'scans.list' && !isFollowing(jobs) ? UNAVAILABLE : undefined),
      ends: { scan: 'own-1', launches: 1 },
    },
    {
      name: 'a run uses a scan that a mark names even if it cannot read the scan list',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 20_000 });
        await jobs.mark('theirs');
      },
      atService: (_jobs, point) => (point === 'scans.list' ? UNAVAILABLE : undefined),
      ends: { scan: 'theirs', reused: true, launches: 0 },
    },
  ]);
});

/** The service does not know the scan of the launch for this time after the launch. */
const unknownFor = (ms: number): Pick<Situation, 'atService'> => {
  let launchedAt = Number.POSITIVE_INFINITY;
  return {
    atService: (jobs, point) => {
      if (point === 'scans.launch') launchedAt = jobs.now();
      return point === 'scans.read' && jobs.now() < launchedAt + ms ? NOT_FOUND : undefined;
    },
  };
};

describe('a launch whose answer names a scan that the service does not know', () => {
  testSituations([
    {
      name: 'a run follows its scan if the service shows it after 50 seconds',
      ...unknownFor(50_000),
      own: { runsForMs: 300_000 },
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
    {
      name: 'a run follows its scan if the service lists it, and shows it after 70 seconds',
      ...unknownFor(70_000),
      own: { runsForMs: 300_000 },
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'], says: ['Looking for it'] },
    },
    {
      name: 'a run cancels the only new scan, and launches no other one',
      ...atLaunch(naming('launch_4711')),
      own: { runsForMs: 300_000 },
      ends: {
        ...UNKNOWN,
        cancelled: ['own-1'],
        marked: [undefined],
        says: [
          'the service answered with scan `launch_4711`, which it does not know. Cancelled scan `own-1`.',
        ],
        more: ({ scenario }) =>
          expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'completed' }]),
      },
    },
    {
      name: 'a run leaves the launch to the post step if the service lists no new scan',
      ...atLaunch({ status: 202, body: { scanId: 'launch_4711' } }),
      ends: {
        ...UNKNOWN,
        left: '"scanId":"launch_4711"',
        says: ['The service lists no new scan'],
        more: (_jobs, { run }) => expect(run.outputs['credits-pull-request']).toBe('0'),
      },
    },
    {
      name: 'a run uses the first of the ids in the launch answer',
      ...atLaunch({
        rewrite: (answer) => ({ ...answer, body: { scanId: 'own-1', scan: { id: 'job_1' }, id: 'x' } }),
      }),
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
    {
      name: 'a run does not search the scan list for a scan that the service has already shown',
      atService: (jobs, point) => (point === 'scans.read' && jobs.now() > 20_000 ? NOT_FOUND : undefined),
      ends: {
        scan: 'own-1',
        reason: 'service-error',
        launches: 1,
        cancelled: ['own-1'],
        more: (_jobs, { run }) => expect(run.log).not.toContain('Looking for it'),
      },
    },
  ]);
});

const withoutScans = (answer: Answer): Answer => ({
  ...answer,
  body: { items: [], page: 1, limit: 100, total: 0 },
});
/** Makes the list the first page of 500 scans, from which the scan `left` is left out. */
const asPage =
  (left?: string) =>
  (answer: Answer): Answer => {
    const { items, ...rest } = v.parse(LIST, answer.body);
    return { ...answer, body: { ...rest, items: items.filter(({ id }) => id !== left), total: 500 } };
  };
const LIST = v.looseObject({ items: v.array(v.looseObject({ id: v.string() })) });
const TIMELESS = { scanDetail: ['createdAt'], scanItem: ['createdAt'] };
const DETAIL = v.looseObject({ scan: v.looseObject({}) });
const createdEarlier = (answer: Answer): Answer => {
  const { scan } = v.parse(DETAIL, answer.body);
  return { ...answer, body: { scan: { ...scan, createdAt: '2026-01-14T00:00:00Z' } } };
};

describe('a launch whose answer names an older scan', () => {
  const theirs: MarkOptions = { mark: { pullRequest: 8 }, key: { pullRequest: 8 } };
  const NOT_OURS: Ends = {
    ...UNKNOWN,
    says: ['with scan `theirs`, and nothing proves that this launch created it.'],
    more: (jobs) => expect(jobs.marked()).not.toContain('theirs'),
  };
  const MARKED: Ends = { ...NOT_OURS, more: () => undefined };
  const older = (jobs: OtherJobs) => jobs.launch('theirs', { runsForMs: 90_000 });
  testSituations([
    {
      name: 'a run neither uses nor cancels a scan that the list showed before the launch',
      before: older,
      ...atLaunch(NOTHING_LAUNCHED),
      ends: { ...NOT_OURS, more: (jobs) => expect(jobs.count('scans.read')).toBe(0) },
    },
    {
      name: 'a run neither uses nor cancels a scan that is older than the launch, but not in the list before',
      atService: (jobs, point) => {
        const isBefore = jobs.count('scans.launch') === 0;
        if (point === 'scans.list' && isBefore) return { rewrite: withoutScans };
        if (point === 'scans.read') return { rewrite: createdEarlier };
        // With this date, the run marks the scan before it has read its record.
        const headers = { date: 'Thu, 15 Jan 2026 12:00:01 GMT' };
        return point === 'scans.launch' ? { ...NOTHING_LAUNCHED, headers } : undefined;
      },
      before: older,
      ends: {
        ...NOT_OURS,
        more: (jobs, { run }) => {
          expect(jobs.marked()).toEqual([undefined]);
          expect(run.outputs['credits-pull-request']).toBe('0');
        },
      },
    },
    {
      name: 'a run neither uses nor cancels an older scan if it knows no scan from before the launch',
      service: { hideFields: TIMELESS },
      before: older,
      atService: (jobs, point) => {
        const isBefore = jobs.count('scans.launch') === 0;
        if (point === 'scans.list') return { rewrite: asPage(isBefore ? 'theirs' : undefined) };
        return point === 'scans.launch' ? NOTHING_LAUNCHED : undefined;
      },
      ends: NOT_OURS,
    },
    {
      name: 'a run follows its scan above a scan from before the launch, even if the list shows it late',
      service: { hideFields: TIMELESS },
      before: older,
      own: { runsForMs: 300_000 },
      atService: (jobs, point) =>
        point === 'scans.list' ? { rewrite: asPage(jobs.now() < 20_000 ? 'own-1' : undefined) } : undefined,
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
    {
      name: 'a run leaves its scan to the post step if no list can prove that the scan is new',
      service: { hideFields: TIMELESS },
      own: { runsForMs: 300_000 },
      inputs: { 'timeout-minutes': '30' },
      atService: (jobs, point) => {
        if (point !== 'scans.list') return undefined;
        return jobs.count('scans.launch') === 0 ? { rewrite: asPage() } : UNAVAILABLE;
      },
      ends: { scan: 'own-1', reason: 'service-error', launches: 1, left: '"scanId":"own-1","launch":{' },
    },
    {
      name: 'a run neither uses nor cancels a scan that a mark showed before the launch',
      before: async (jobs) => {
        await older(jobs);
        await jobs.mark('theirs', theirs);
      },
      atService: (_jobs, point) => {
        if (point === 'scans.list') return { rewrite: withoutScans };
        return point === 'scans.launch' ? NOTHING_LAUNCHED : undefined;
      },
      ...atLaunch(NOTHING_LAUNCHED),
      ends: MARKED,
    },
    {
      name: 'a run neither uses nor cancels again the scan of its lost launch, even if no list shows it',
      own: { runsForMs: 300_000 },
      atService: (jobs, point) => {
        if (point === 'scans.list' && jobs.cancelled().length > 0) return { rewrite: withoutScans };
        if (point !== 'scans.launch') return undefined;
        return isFirst(jobs, point) ? LOST_ANSWER : { status: 202, body: { scanId: 'own-1' } };
      },
      ends: {
        ...UNKNOWN,
        launches: 2,
        cancelled: ['own-1'],
        says: ['with scan `own-1`, and nothing proves that this launch created it.'],
      },
    },
    {
      name: 'a run neither uses nor cancels its own first scan, which it cancelled',
      onLaunch: async (jobs) => {
        if (jobs.has('twin')) return;
        await jobs.launch('twin', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('twin');
      },
      ...atLaunch({ status: 202, body: { scanId: 'own-1' } }, 2),
      ends: {
        ...UNKNOWN,
        launches: 2,
        cancelled: ['own-1'],
        says: ['with scan `own-1`, and nothing proves that this launch created it.'],
      },
    },
  ]);
});

/**
 * Cancels the job after the request `at`. The first read of the scan list comes before the launch, so it does not
 * count.
 */
const cancelledAt =
  (at: string): NonNullable<Situation['run']> =>
  (jobs) => ({
    onStart: ({ cancel }) => {
      const isAsked = () => jobs.count('scans.launch') > 0 && jobs.count(at) > (at === 'scans.list' ? 1 : 0);
      void jobs.scenario.environment.when(isAsked).then(cancel);
    },
  });
const HANGING = { fault: 'hang-before' } as const;
const CUT_SHORT: Situation['ends'] = {
  scan: '',
  reason: 'scan-cancelled',
  launches: 1,
  left: '"before":{"ids":[]',
  more: (_jobs, { run }) => expect(run.exitCode).toBe(1),
};

describe('a launch that a cancelled job or a timeout interrupts', () => {
  testSituations([
    {
      name: 'a job fails if it is cancelled while it sends the launch',
      atService: (_jobs, point) => (point === 'scans.launch' ? HANGING : undefined),
      run: cancelledAt('scans.launch'),
      inputs: EVERYTHING_ALLOWED,
      ends: CUT_SHORT,
    },
    {
      name: 'a job fails if it is cancelled while it searches for the launched scan',
      atService: (jobs, point) => {
        if (point === 'scans.launch') return { fault: 'reset-before' };
        return point === 'scans.list' && jobs.count('scans.launch') > 0 ? HANGING : undefined;
      },
      run: cancelledAt('scans.list'),
      inputs: EVERYTHING_ALLOWED,
      ends: CUT_SHORT,
    },
    {
      name: 'a cancelled job does not use the scan of another run',
      onLaunch: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs', { key: { pullRequest: 8 } });
      },
      atService: (_jobs, point) => (point === 'scans.launch' ? HANGING : undefined),
      run: cancelledAt('scans.launch'),
      inputs: EVERYTHING_ALLOWED,
      ends: { ...CUT_SHORT, says: ['another run launched it (`theirs`)'] },
    },
    {
      name: 'a run reports an unknown launch if it times out while it sends the launch',
      atService: (_jobs, point) => (point === 'scans.launch' ? HANGING : undefined),
      inputs: { 'timeout-minutes': '1' },
      ends: LEFT,
    },
  ]);
});

/**
 * The service answers the first launch with this limit, which asks for a wait of a minute. It answers every further
 * launch with 503. It launches nothing.
 */
const LIMIT = {
  status: 429,
  headers: { 'retry-after': '60' },
  body: { error: { code: 'rate_limited', message: 'Too many requests.' } },
};
const LIMITED: Pick<Situation, 'atService'> = {
  atService: (jobs, point) => {
    if (point !== 'scans.launch') return undefined;
    return jobs.count(point) > 1 ? UNAVAILABLE : LIMIT;
  },
};
/**
 * At launch number `at` of the action, another user launches a scan of the change. No mark names the scan of this user.
 */
const unmarkedAt = (at: number): Pick<Situation, 'onLaunch'> => ({
  onLaunch: async (jobs, launch) => {
    if (launch === at) await jobs.launch('theirs', { runsForMs: 300_000 });
  },
});

describe('a launch that waits for a rate limit', () => {
  testSituations([
    {
      name: 'a run uses a scan that another job marks during a rate limit before the first launch',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 90_000 });
        await jobs.mark('theirs', { isListed: () => jobs.now() > 10_000 });
      },
      atService: (jobs, point) => (point === 'presets' && jobs.count(point) === 1 ? LIMIT : undefined),
      ends: { scan: 'theirs', reused: true, launches: 0, marked: ['theirs', 'theirs'] },
    },
    {
      name: 'a run for a push uses a scan that another job marks during a rate limit before the first launch',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 90_000 });
        const ofPush = { mark: { pullRequest: undefined }, key: { pullRequest: undefined } };
        await jobs.mark('theirs', { ...ofPush, isListed: () => jobs.now() > 10_000 });
      },
      run: toBranch,
      atService: (jobs, point) => (point === 'presets' && jobs.count(point) === 1 ? LIMIT : undefined),
      ends: { scan: 'theirs', reused: true, launches: 0, marked: ['theirs', 'theirs'] },
    },
    {
      name: 'a run uses a scan that another job marks during a rate limit',
      onLaunch: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 90_000 });
        await jobs.mark('theirs');
      },
      ...LIMITED,
      ends: { scan: 'theirs', reused: true, launches: 1, marked: ['theirs', 'theirs'] },
    },
    {
      name: 'a run does not use an unmarked scan that another user launches during a rate limit',
      ...unmarkedAt(1),
      ...LIMITED,
      ends: { ...LEFT, launches: 2, says: ['The service lists no new scan'] },
    },
  ]);
});

describe('a run with a lost launch, and a scan that another user launched', () => {
  testSituations([
    {
      name: "a run ignores another user's scan that started before the lost launch",
      before: async (jobs) => {
        await jobs.launch('earlier', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('earlier');
      },
      onScanRead: async (jobs) => {
        if (!jobs.has('theirs')) await jobs.launch('theirs', { runsForMs: 300_000 });
      },
      atService: (_jobs, point) => (point === 'scans.launch' ? UNAVAILABLE : undefined),
      ends: { ...LEFT, says: ['The service lists no new scan'] },
    },
    {
      name: "a run ignores another user's scan that started before the second launch",
      onLaunch: async (jobs) => {
        if (jobs.has('twin')) return;
        await jobs.launch('twin', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('twin');
      },
      onScanRead: async (jobs, scanId) => {
        if (scanId !== 'twin' || jobs.now() < 15_000 || jobs.has('theirs')) return;
        await jobs.launch('theirs', { runsForMs: 300_000 });
      },
      atService: (jobs, point) =>
        point === 'scans.launch' && jobs.count(point) > 1 ? UNAVAILABLE : undefined,
      ends: { ...LEFT, launches: 2, cancelled: ['own-1'], says: ['The service lists no new scan'] },
    },
  ]);
});

describe('a scan whose id is too long for a mark', () => {
  const scan = 's'.repeat(250);
  testSituations(
    (
      [
        ['a pull request', undefined, 'Only a comment can hold the mark.'],
        ['a push', toBranch, 'Later runs cannot reuse this scan.'],
      ] as const
    ).map(
      ([what, run, says]): Situation => ({
        name: `a run for ${what} uses a scan whose id is too long for a mark, and logs a notice`,
        ownId: () => scan,
        ...(run && { run }),
        ends: {
          scan,
          launches: 1,
          marked: [undefined],
          says: [`The scan id is too long for a mark in the check run. ${says}`],
        },
      }),
    ),
  );
});
