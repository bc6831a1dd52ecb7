import { describe, expect } from 'vitest';
import { push } from './branch-events.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type Situation, testSituations } from './situations.ts';
import { HIDDEN_SCOPE } from './stranger.ts';

const LOST_ANSWER = { fault: 'reset-after' } as const;
const LOST: Pick<Situation, 'atService'> = {
  atService: (jobs, point) => (point === 'scans.launch' && jobs.count(point) === 1 ? LOST_ANSWER : undefined),
};
/** Makes the service launch, and name two scans in its answer. */
const answers = (scanId: string, id: string): Pick<Situation, 'atService'> => ({
  atService: (_jobs, point) =>
    point === 'scans.launch'
      ? { rewrite: (answer) => ({ ...answer, body: { scanId, scan: { id } } }) }
      : undefined,
});
/** Makes the service launch nothing, and answer with a scan that another user launched before. */
const NOTHING_LAUNCHED: Pick<Situation, 'atService'> = {
  atService: (_jobs, point) =>
    point === 'scans.launch' ? { status: 202, body: { scanId: 'theirs' } } : undefined,
};

const toBranch = ({ scenario }: OtherJobs) => push(scenario, { before: scenario.repository.id('start') });

const UNKNOWN = { scan: '', reason: 'launch-unknown', launches: 1 } as const;
const UNAVAILABLE = { status: 503, body: 'Service Unavailable' } as const;
const NOT_FOUND = { status: 404, body: { error: { code: 'not_found', message: 'Scan was not found.' } } };

describe('a launch whose answer is lost', () => {
  testSituations([
    {
      name: 'is recovered, marked and followed, and not sent again',
      ...LOST,
      ends: {
        scan: 'own-1',
        launches: 1,
        marked: ['own-1'],
        says: ["Looking for it in the service's scan list.", 'Recovered the launch of scan `own-1`.'],
      },
    },
    {
      name: 'stays unknown if another job marks the only new scan, which is neither used nor cancelled',
      onLaunch: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs', { key: { pullRequest: 8 } });
      },
      atService: (_jobs, point) => (point === 'scans.launch' ? UNAVAILABLE : undefined),
      ends: { ...UNKNOWN, says: ['another run launched it (`theirs`)'] },
    },
    {
      name: 'does not count if the scan is already COMPLETED and the service hides what narrows it',
      ...LOST,
      own: { runsForMs: 0 },
      service: { hideFields: HIDDEN_SCOPE },
      ends: {
        ...UNKNOWN,
        marked: [undefined],
        cancelled: ['own-1'],
        says: ['Scan `own-1` had already ended as COMPLETED'],
      },
    },
    {
      name: 'is left to the post step if the scan cannot be cancelled and the service hides what narrows it',
      service: { hideFields: HIDDEN_SCOPE },
      atService: (jobs, point) => {
        if (point === 'scans.launch') return { fault: 'reset-after' };
        return jobs.cancelled().length > 0 ? { fault: 'reset-before' } : undefined;
      },
      ends: {
        ...UNKNOWN,
        cancelled: ['own-1'],
        left: 'own-1',
        says: ['Could not cancel scan `own-1`'],
      },
    },
    {
      name: 'is recovered if the service hides only repository, preset and budget',
      ...LOST,
      service: { hideFields: { scanDetail: ['repositoryId', 'presetRef', 'creditBudget'] } },
      ends: { scan: 'own-1', launches: 1 },
    },
  ]);
});

describe('a launch on a service that does not list its scans', () => {
  const launchesLost = (point: string) => (point === 'scans.launch' ? LOST_ANSWER : undefined);
  testSituations([
    {
      name: 'is followed where it is answered',
      atService: (_jobs, point) => (point === 'scans.list' ? UNAVAILABLE : undefined),
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
    {
      name: 'stays unknown where it is not answered, and they were never listed before it',
      atService: (jobs, point) =>
        point === 'scans.list' && jobs.count('scans.launch') === 0 ? UNAVAILABLE : launchesLost(point),
      ends: { ...UNKNOWN, says: ['could not read the scan list before the launch'] },
    },
    {
      name: 'is found by an older list where it is not answered, and an earlier scan was followed in vain',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.launch('earlier', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('earlier');
      },
      atService: (jobs, point) =>
        point === 'scans.list' && jobs.count('scans.launch') === 0 && jobs.now() > 10_000
          ? UNAVAILABLE
          : launchesLost(point),
      ends: { scan: 'own-1', launches: 1, says: ['Recovered the launch of scan `own-1`.'] },
    },
  ]);
});

describe('a launch whose answer names a scan that the service does not know', () => {
  testSituations([
    {
      name: 'is recovered from the scan list if the answer names several',
      ...answers('launch_4711', 'job_1'),
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
    {
      name: 'counts once in what the pull request has cost, and its scan takes the mark',
      atService: (_jobs, point) =>
        point === 'scans.launch'
          ? { rewrite: (answer) => ({ ...answer, body: { scanId: 'launch_4711' } }) }
          : undefined,
      ends: {
        scan: 'own-1',
        launches: 1,
        marked: ['own-1'],
        more: (_jobs, { run }) => expect(run.outputs['credits-pull-request']).toBe('20'),
      },
    },
    {
      name: 'is found beside its own mark where the service knows it late, whatever it hides',
      service: { hideFields: HIDDEN_SCOPE },
      // The service knows the scan after the second read of the list. The first one was before the launch.
      atService: (jobs, point) =>
        point === 'scans.read' && jobs.count('scans.list') < 2 ? NOT_FOUND : undefined,
      ends: { scan: 'own-1', launches: 1, says: ['Recovered the launch of scan `own-1`.'] },
    },
    {
      name: 'stays unknown where it names several and none is listed: all are left to the post step',
      atService: (_jobs, point) =>
        point === 'scans.launch'
          ? { status: 202, body: { scanId: 'launch_4711', scan: { id: 'job_1' } } }
          : undefined,
      ends: {
        ...UNKNOWN,
        left: '"scanId":"launch_4711","otherIds":["job_1"]}',
        says: ['the service answered with scans `launch_4711`, `job_1`, which it does not know.'],
      },
    },
    {
      name: 'stays unknown where none is listed: the named one is left to the post step',
      atService: (_jobs, point) =>
        point === 'scans.launch' ? { status: 202, body: { scanId: 'launch_4711' } } : undefined,
      ends: {
        ...UNKNOWN,
        left: '"scanId":"launch_4711","otherIds":[]}',
        says: [
          'the service answered with scan `launch_4711`, which it does not know. The service lists no new scan',
        ],
      },
    },
  ]);
});

describe('a launch whose scan the service shows, and then no longer knows,', () => {
  testSituations([
    {
      name: 'is not looked for, because that scan was its own',
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

describe('a launch whose answer names a scan that was listed before', () => {
  testSituations([
    {
      name: 'follows it, and leaves nothing to the post step, where it shows all that was asked for',
      before: (jobs) => jobs.launch('theirs', { runsForMs: 90_000 }),
      ...NOTHING_LAUNCHED,
      ends: {
        scan: 'theirs',
        reused: true,
        launches: 1,
        marked: ['theirs'],
        says: ['The service answered the launch with scan `theirs`, which another run launched.'],
      },
    },
    {
      name: 'does not follow it where a mark of another change names it',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 90_000 });
        await jobs.mark('theirs', { key: { creditBudget: 500 } });
      },
      ...NOTHING_LAUNCHED,
      ends: {
        ...UNKNOWN,
        says: ['the service answered with scan `theirs`, which it had listed before'],
      },
    },
    {
      name: 'is followed by at most one more launch if that scan fails',
      before: (jobs) => jobs.launch('theirs', { runsForMs: 20_000, endsAs: 'FAILED' }),
      ...NOTHING_LAUNCHED,
      ends: { ...UNKNOWN, launches: 2 },
    },
    {
      name: 'uses the new scan if the answer names both',
      before: (jobs) => jobs.launch('theirs', { runsForMs: 90_000 }),
      ...answers('theirs', 'own-1'),
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
  ]);
});

/** The service asks for a minute before it takes the first launch. It never answers a later one, and launches nothing. */
const LIMITED: Pick<Situation, 'atService'> = {
  atService: (jobs, point) => {
    if (point !== 'scans.launch') return undefined;
    if (jobs.count(point) > 1) return UNAVAILABLE;
    return {
      status: 429,
      headers: { 'retry-after': '60' },
      body: { error: { code: 'rate_limited', message: 'Too many requests.' } },
    };
  },
};
/** Another user launches a scan of the change, which no mark names, at the launch with this number. */
const unmarkedAt = (at: number): Pick<Situation, 'onLaunch'> => ({
  onLaunch: async (jobs, launch) => {
    if (launch === at) await jobs.launch('theirs', { runsForMs: 300_000 });
  },
});

/** The job is cancelled once the action has sent the launch and then asks for this. */
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
  left: '"knownScanIds":[]',
  more: (_jobs, { run }) => expect(run.exitCode).toBe(1),
};

describe('a launch that is cut short is not confirmed', () => {
  testSituations([
    {
      name: 'and the job is cancelled, and red whatever is allowed, where that came while it was sent',
      atService: (_jobs, point) => (point === 'scans.launch' ? HANGING : undefined),
      run: cancelledAt('scans.launch'),
      inputs: EVERYTHING_ALLOWED,
      ends: CUT_SHORT,
    },
    {
      name: 'and the job is cancelled, and red whatever is allowed, where that came while the scan was looked for',
      atService: (jobs, point) => {
        if (point === 'scans.launch') return { fault: 'reset-before' };
        return point === 'scans.list' && jobs.count('scans.launch') > 0 ? HANGING : undefined;
      },
      run: cancelledAt('scans.list'),
      inputs: EVERYTHING_ALLOWED,
      ends: CUT_SHORT,
    },
    {
      name: 'and the job is cancelled, and red whatever is allowed, where the list names the scan of another run',
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
      name: 'and the launch is unknown where the time of the run ends',
      atService: (_jobs, point) => (point === 'scans.launch' ? HANGING : undefined),
      inputs: { 'timeout-minutes': '1' },
      ends: UNKNOWN,
    },
  ]);
});

describe('a launch that waits for a request limit', () => {
  testSituations([
    {
      name: 'is not sent again where another job launches and marks the scan meanwhile: that one is used',
      onLaunch: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 90_000 });
        await jobs.mark('theirs');
      },
      ...LIMITED,
      ends: { scan: 'theirs', reused: true, launches: 1, marked: ['theirs', 'theirs'] },
    },
    {
      name: 'does not take a scan for its own that was listed meanwhile, where its answer is lost',
      ...unmarkedAt(1),
      ...LIMITED,
      ends: { ...UNKNOWN, launches: 2, says: ['The service lists no new scan'] },
    },
  ]);
});

describe('a launch whose answer is lost does not take a scan for its own that another user launched', () => {
  testSituations([
    {
      name: 'while an earlier scan was followed in vain',
      before: async (jobs) => {
        await jobs.launch('earlier', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('earlier');
      },
      onScanRead: async (jobs) => {
        if (!jobs.has('theirs')) await jobs.launch('theirs', { runsForMs: 300_000 });
      },
      atService: (_jobs, point) => (point === 'scans.launch' ? UNAVAILABLE : undefined),
      ends: { ...UNKNOWN, says: ['The service lists no new scan'] },
    },
    {
      name: 'while the scan of a job that came first was followed in vain',
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
      ends: { ...UNKNOWN, launches: 2, cancelled: ['own-1'], says: ['The service lists no new scan'] },
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
        name: `is used for ${what}, and the log says where the mark is`,
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
