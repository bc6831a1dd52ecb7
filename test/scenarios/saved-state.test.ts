import { describe, expect, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { type OtherJobs, type OtherJobsOptions, withOtherJobs } from './other-jobs.ts';
import { MERGE_BASE } from './repository.ts';

/** A loss of the machine during a request of `main`, and what `main` has saved for `post` by then. */
interface Loss {
  readonly when: string;
  readonly before?: (jobs: OtherJobs) => Promise<void>;
  readonly options?: OtherJobsOptions;
  readonly run?: Omit<EnvironmentRunOptions, 'inputs'>;
  /** The request during which the machine is lost. */
  readonly at: string;
  /** The number of this request. Default: 1. */
  readonly nth?: number;
  readonly scan: (jobs: OtherJobs) => unknown;
  readonly checkRun: (jobs: OtherJobs) => unknown;
}

const launchOf = ({ scenario: { environment, headSha, repository } }: OtherJobs) => ({
  projectId: environment.service.project.id,
  headSha,
  pullRequest: environment.pullRequest,
  before: {
    ids: environment.service
      .scans()
      .map(({ id }) => id)
      .filter((id) => !id.startsWith('own-')),
    complete: true,
    readAt: expect.any(Number),
  },
  subject: expect.objectContaining({ baseSha: repository.id(MERGE_BASE), headSha, creditBudget: 20 }),
});
const launched = (jobs: OtherJobs) => {
  const launch = launchOf(jobs);
  return { projectId: launch.projectId, scanId: 'own-1', launch };
};
/** The saved check run. `place` is its index on GitHub. Without `place`, no id is saved. */
const checkRunOf = ({ scenario: { environment, headSha } }: OtherJobs, scanId: string, place?: number) => ({
  headSha,
  scanId,
  ...(place !== undefined && { id: environment.github.checkRuns[place]?.id }),
});

/** An earlier attempt of the run has left its check run in progress. */
const LEFT: Pick<Loss, 'before' | 'run'> = {
  before: async (jobs) => {
    const runId = jobs.scenario.environment.describeRun().runId ?? 9_000_000_001;
    await jobs.launch('earlier', { runsForMs: 0, endsAs: 'CANCELLED' });
    await jobs.mark('earlier', { mark: { runId } });
  },
  run: { runAttempt: 2 },
};

const LOSSES: readonly Loss[] = [
  {
    when: 'a job that is lost while it sends the launch has saved the launch',
    at: 'scans.launch',
    scan: launchOf,
    checkRun: () => undefined,
  },
  {
    when: 'a job that is lost while it sends the launch has also saved the check run of an earlier attempt',
    ...LEFT,
    at: 'scans.launch',
    scan: launchOf,
    checkRun: (jobs) => checkRunOf(jobs, 'earlier', 0),
  },
  {
    when: 'a job that is lost while it waits after a refused launch has saved no launch',
    options: {
      atService: (_jobs, point) =>
        point === 'scans.launch'
          ? { status: 409, body: { error: { code: 'repository_initializing', message: '' } } }
          : undefined,
    },
    at: 'repositories',
    nth: 2,
    scan: () => undefined,
    checkRun: () => undefined,
  },
  {
    when: 'a job that is lost while it creates the check run has saved the scan, and a check run without an id',
    at: 'check.create',
    scan: (jobs) => launched(jobs),
    checkRun: (jobs) => checkRunOf(jobs, 'own-1'),
  },
  {
    when: 'a job that is lost while it marks the new scan has saved the check run of an earlier attempt',
    ...LEFT,
    at: 'check.update',
    scan: (jobs) => launched(jobs),
    checkRun: (jobs) => checkRunOf(jobs, 'own-1', 0),
  },
  {
    when: 'a job that is lost while it reads the findings has saved the check run',
    at: 'findings.list',
    scan: (jobs) => ({ projectId: launchOf(jobs).projectId, scanId: 'own-1' }),
    checkRun: (jobs) => checkRunOf(jobs, 'own-1', 0),
  },
  {
    when: 'a job that replaced its own scan by the scan of another job has saved only the check run',
    options: {
      onLaunch: async (jobs) => {
        await jobs.launch('twin', { runsForMs: 90_000 });
        await jobs.mark('twin');
      },
    },
    at: 'findings.list',
    scan: () => undefined,
    checkRun: (jobs) => checkRunOf(jobs, 'own-1', 1),
  },
];

describe('the state that a lost job has saved', () => {
  // `test.each` would shorten long names.
  for (const loss of LOSSES) test(loss.when, () => lose(loss));
});

async function lose({ before, options, run, at, nth = 1, ...saved }: Loss): Promise<void> {
  let isReached = false;
  let seen = 0;
  const hang = (point: string): Interception | undefined => {
    if (point !== at) return undefined;
    seen += 1;
    if (seen < nth) return undefined;
    isReached = true;
    return { fault: 'hang-before' };
  };
  const jobs = await withOtherJobs({
    ...options,
    atService: (given, point, scanId) => hang(point) ?? options?.atService?.(given, point, scanId),
    // Other jobs create their check runs before the run starts. GitHub answers these requests.
    atGitHub: (_jobs, point) => (jobs.now() > 0 || point !== 'check.create' ? hang(point) : undefined),
  });
  await before?.(jobs);
  const { environment } = jobs.scenario;
  const lost = await environment.run({
    ...run,
    inputs: { 'timeout-minutes': '30' },
    onStart: ({ kill }) => void environment.when(() => isReached).then(() => kill('SIGKILL')),
  });
  expect(lost.signal, lost.log).toBe('SIGKILL');
  expect(
    {
      scan: read(lost.state['running-scan']),
      checkRun: read(lost.state['open-check-run']),
    },
    lost.log,
  ).toEqual({ scan: saved.scan(jobs), checkRun: saved.checkRun(jobs) });
}

/** Parses a saved value. Undefined if nothing is saved. */
function read(text = ''): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
