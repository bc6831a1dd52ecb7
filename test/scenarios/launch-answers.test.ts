import { describe, expect, test } from 'vitest';
import { push } from './branch-events.ts';
import { EVERYTHING_ALLOWED } from './expect-result.ts';
import { type MarkOptions, type OtherJobs, withOtherJobs } from './other-jobs.ts';
import { type Situation, testSituations } from './situations.ts';
import { HIDDEN_SCOPE } from './stranger.ts';

const LOST_ANSWER = { fault: 'reset-after' } as const;
const LOST: Pick<Situation, 'atService'> = {
  atService: (jobs, point) => (point === 'scans.launch' && jobs.count(point) === 1 ? LOST_ANSWER : undefined),
};
/** The service launches the scan, and names these two scans in its answer. */
const answers = (scanId: string, id: string): Pick<Situation, 'atService'> => ({
  atService: (_jobs, point) =>
    point === 'scans.launch'
      ? { rewrite: (answer) => ({ ...answer, body: { scanId, scan: { id } } }) }
      : undefined,
});
/** The service launches nothing, and answers with a scan that another user launched before. */
const NOTHING_LAUNCHED: Pick<Situation, 'atService'> = {
  atService: (_jobs, point) =>
    point === 'scans.launch' ? { status: 202, body: { scanId: 'theirs' } } : undefined,
};

const isFollowing = (jobs: OtherJobs) => jobs.count('scans.read') > 0;
const toBranch = ({ scenario }: OtherJobs) => push(scenario, { before: scenario.repository.id('start') });

const UNKNOWN = { scan: '', reason: 'launch-unknown', launches: 1 } as const;
const UNAVAILABLE = { status: 503, body: 'Service Unavailable' } as const;
const NOT_FOUND = { status: 404, body: { error: { code: 'not_found', message: 'Scan was not found.' } } };

describe('a launch whose answer is lost', () => {
  testSituations([
    {
      name: 'a run recovers the scan of a lost launch, and marks that scan',
      ...LOST,
      ends: {
        scan: 'own-1',
        launches: 1,
        marked: ['own-1'],
        says: ["Looking for it in the service's scan list.", 'Recovered the launch of scan `own-1`.'],
      },
    },
    {
      name: 'a run recovers a lost launch even if it can list the scans only after it has followed an earlier scan',
      before: async (jobs) => {
        await jobs.launch('earlier', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('earlier');
      },
      atService: (jobs, point) => {
        if (point === 'scans.list' && !isFollowing(jobs)) return UNAVAILABLE;
        return point === 'scans.launch' ? LOST_ANSWER : undefined;
      },
      ends: { scan: 'own-1', launches: 1, says: ['Recovered the launch of scan `own-1`.'] },
    },
    {
      name: 'a lost launch stays unknown if another job marks the only new scan',
      onLaunch: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs', { key: { pullRequest: 8 } });
      },
      atService: (_jobs, point) => (point === 'scans.launch' ? UNAVAILABLE : undefined),
      ends: { ...UNKNOWN, says: ['another run launched it (`theirs`)'] },
    },
    {
      name: 'a lost launch stays unknown if the service hides the scope of the new scan',
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
      name: 'a run leaves its lost launch to the post step if it cannot cancel the new scan',
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
      name: 'a lost launch is recovered if the service hides the repository, preset and budget of the scan',
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
      name: 'a run needs no scan list if the launch answer contains the scan id',
      atService: (_jobs, point) => (point === 'scans.list' ? UNAVAILABLE : undefined),
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
    {
      name: 'a lost launch stays unknown if the run could not read the scan list before the launch',
      atService: (jobs, point) =>
        point === 'scans.list' && jobs.count('scans.launch') === 0 ? UNAVAILABLE : launchesLost(point),
      ends: { ...UNKNOWN, says: ['could not read the scan list before the launch'] },
    },
    {
      name: 'one scan list from before the launch is enough to recover a lost launch',
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

/** GitHub loses the creation of the check run, and then does not answer the next request for the check runs. */
function unansweredLook(): Situation {
  const at: { looked?: number; searched?: number } = {};
  return {
    name: 'a run looks for the scan of its launch at once, even if GitHub does not answer which check runs exist',
    atService: (jobs, point) => {
      if (point === 'scans.list' && jobs.count('check.create') > 0) at.searched ??= jobs.now();
      return point === 'scans.launch'
        ? { rewrite: (answer) => ({ ...answer, body: { scanId: 'launch_4711' } }) }
        : undefined;
    },
    atGitHub: (jobs, point) => {
      if (point === 'check.create') return jobs.count(point) === 1 ? LOST_ANSWER : undefined;
      if (point !== 'check.list' || jobs.count('check.create') === 0) return undefined;
      // The run tries three times to find the check run that it has just created.
      if (jobs.count('check.list') <= 4) return { fault: 'reset-before' };
      if (at.looked !== undefined) return undefined;
      at.looked = jobs.now();
      return { fault: 'hang-before' };
    },
    own: { runsForMs: 300_000 },
    ends: {
      scan: 'own-1',
      launches: 1,
      more: () => expect(Number(at.searched) - Number(at.looked)).toBeLessThan(1_000),
    },
  };
}

describe('a launch whose answer names a scan that the service does not know', () => {
  testSituations([
    {
      name: 'a run finds its scan in the scan list if the launch answer contains unknown scan ids',
      ...answers('launch_4711', 'job_1'),
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
    },
    {
      name: 'a launch with an unknown scan id in its answer counts once in the cost of the pull request',
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
      name: 'a recovered launch uses the check run of the unknown scan even if the answer to its creation is lost',
      atService: (_jobs, point) =>
        point === 'scans.launch'
          ? { rewrite: (answer) => ({ ...answer, body: { scanId: 'launch_4711' } }) }
          : undefined,
      atGitHub: (jobs, point) => {
        if (point === 'check.create') return LOST_ANSWER;
        // The run lists the check runs once before the launch. GitHub answers none of the three requests after it.
        const isUnlisted = jobs.count('check.create') > 0 && jobs.count('check.list') <= 4;
        return point === 'check.list' && isUnlisted ? { fault: 'reset-before' } : undefined;
      },
      ends: {
        scan: 'own-1',
        launches: 1,
        marked: ['own-1'],
        more: ({ scenario }) =>
          expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'completed' }]),
      },
    },
    unansweredLook(),
    {
      name: 'a recovered launch of a re-run uses the check run of the earlier attempt, although GitHub refused to change it at first',
      before: async (jobs) => {
        await jobs.launch('earlier', { runsForMs: 0, endsAs: 'FAILED' });
        await jobs.mark('earlier', { mark: { runId: 9_000_000_001 } });
      },
      run: () => ({ runId: 9_000_000_001, runAttempt: 2 }),
      ...answers('launch_4711', 'launch_4711'),
      atGitHub: (jobs, point) => {
        // The test itself has created the first check run.
        const isFirst =
          (point === 'check.update' && jobs.count(point) === 1) ||
          (point === 'check.create' && jobs.count(point) === 2);
        return isFirst
          ? { status: 403, body: { message: 'Resource not accessible by integration' } }
          : undefined;
      },
      ends: {
        scan: 'own-1',
        launches: 1,
        marked: ['own-1'],
        more: ({ scenario }) =>
          expect(scenario.environment.github.checkRuns).toMatchObject([{ status: 'completed' }]),
      },
    },
    {
      name: 'a launch is recovered even if the service does not know the new scan at first',
      service: { hideFields: HIDDEN_SCOPE },
      // The service shows the scan only after the second read of the scan list. The first of these reads comes before
      // the launch.
      atService: (jobs, point) =>
        point === 'scans.read' && jobs.count('scans.list') < 2 ? NOT_FOUND : undefined,
      ends: { scan: 'own-1', launches: 1, says: ['Recovered the launch of scan `own-1`.'] },
    },
    {
      name: 'a run leaves all scan ids of the launch answer to the post step if the service does not list the scans',
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
      name: 'a run leaves the scan id of the launch answer to the post step if the service does not list the scan',
      atService: (_jobs, point) =>
        point === 'scans.launch' ? { status: 202, body: { scanId: 'launch_4711' } } : undefined,
      ends: {
        ...UNKNOWN,
        left: '"scanId":"launch_4711","otherIds":[]}',
        says: [
          'the service answered with scan `launch_4711`, which it does not know. The service lists no new scan',
          'The post step will try to cancel it.',
        ],
      },
    },
  ]);
});

describe('a launch whose answer names an older scan, on a service that does not list its scans', () => {
  const theirs: MarkOptions = { mark: { pullRequest: 8 }, key: { pullRequest: 8 } };
  testSituations([
    {
      name: 'a run does not take a scan for its own if a mark from before the run shows it',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs', theirs);
      },
      atService: (_jobs, point) => {
        if (point === 'scans.list') return UNAVAILABLE;
        return point === 'scans.launch' ? { status: 202, body: { scanId: 'theirs' } } : undefined;
      },
      ends: { ...UNKNOWN, says: ['the service answered with scan `theirs` from before the launch.'] },
    },
    {
      name: 'a run does not take a scan for its own if it has read a mark of that scan while it followed another scan',
      before: async (jobs) => {
        await jobs.launch('earlier', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('earlier');
      },
      onScanRead: async (jobs, scanId) => {
        if (scanId !== 'earlier' || jobs.has('theirs')) return;
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs', theirs);
      },
      atService: (_jobs, point) => {
        if (point === 'scans.list') return UNAVAILABLE;
        return point === 'scans.launch' ? { status: 202, body: { scanId: 'theirs' } } : undefined;
      },
      ends: UNKNOWN,
    },
    {
      name: 'a run does not use its own first scan, which it cancelled, if the answer to its second launch names it',
      onLaunch: async (jobs) => {
        if (jobs.has('twin')) return;
        await jobs.launch('twin', { runsForMs: 20_000, endsAs: 'FAILED' });
        await jobs.mark('twin');
      },
      atService: (jobs, point) => {
        if (point === 'scans.list') return UNAVAILABLE;
        return point === 'scans.launch' && jobs.count(point) === 2
          ? { status: 202, body: { scanId: 'own-1' } }
          : undefined;
      },
      ends: { ...UNKNOWN, launches: 2, cancelled: ['own-1'] },
    },
  ]);
});

test('a run does not take a scan for its own if it has read a mark of that scan while it looked for other jobs', async () => {
  const jobs: OtherJobs = await withOtherJobs({
    onLaunch: async () => {
      if (jobs.has('twin')) return;
      await jobs.launch('theirs', { runsForMs: 300_000 });
      await jobs.mark('theirs', {
        mark: { pullRequest: 8 },
        key: { pullRequest: 8 },
        isListed: isUncancelled,
      });
      await jobs.launch('twin', { runsForMs: 20_000, endsAs: 'FAILED' });
      await jobs.mark('twin');
    },
    atService: (_jobs, point) => {
      if (point === 'scans.list') return UNAVAILABLE;
      const isSecond = point === 'scans.launch' && jobs.count(point) === 2;
      return isSecond ? { status: 202, body: { scanId: 'theirs' } } : undefined;
    },
  });
  const isUncancelled = () => jobs.count('scans.cancel') === 0;
  const { run } = await jobs.run();
  // The record of that scan shows all that the launch requested, so the run may follow it. It must not cancel it.
  expect(run.outputs, run.log).toMatchObject({ 'scan-id': 'theirs', 'scan-reused': 'true' });
  expect(run.log).toContain(
    'The service answered the launch with scan `theirs`, which another run launched.',
  );
});

describe('a launched scan that the service shows at first, and does not know later', () => {
  testSituations([
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

describe('a launch whose answer names a scan that was listed before', () => {
  testSituations([
    {
      name: 'a run follows the scan of another run if the launch answer names that scan',
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
      name: 'a run does not follow the scan in the launch answer if a mark shows another budget for that scan',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 90_000 });
        await jobs.mark('theirs', { key: { creditBudget: 500 } });
      },
      ...NOTHING_LAUNCHED,
      ends: {
        ...UNKNOWN,
        says: ['the service answered with scan `theirs` from before the launch'],
      },
    },
    {
      name: 'a run launches once more if the older scan in the launch answer fails',
      before: (jobs) => jobs.launch('theirs', { runsForMs: 20_000, endsAs: 'FAILED' }),
      ...NOTHING_LAUNCHED,
      ends: { ...UNKNOWN, launches: 2 },
    },
    {
      name: 'a run uses the new scan if the launch answer names a new and an older scan',
      before: (jobs) => jobs.launch('theirs', { runsForMs: 90_000 }),
      ...answers('theirs', 'own-1'),
      ends: { scan: 'own-1', launches: 1, marked: ['own-1'] },
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
  left: '"knownScanIds":[]',
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
      ends: UNKNOWN,
    },
  ]);
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
      ends: { ...UNKNOWN, launches: 2, says: ['The service lists no new scan'] },
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
      ends: { ...UNKNOWN, says: ['The service lists no new scan'] },
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
