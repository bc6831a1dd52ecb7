import { describe, expect, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { type OtherJobs, type OtherJobsOptions, withOtherJobs } from './other-jobs.ts';
import { MERGE_BASE } from './repository.ts';

/** What `main` has saved for `post` when its machine is lost at a request. */
interface Loss {
  readonly when: string;
  readonly before?: (jobs: OtherJobs) => Promise<void>;
  readonly options?: OtherJobsOptions;
  readonly run?: Omit<EnvironmentRunOptions, 'inputs'>;
  /** The request during which the machine is lost. */
  readonly at: string;
  readonly scan: (jobs: OtherJobs) => unknown;
  readonly checkRun: (jobs: OtherJobs) => unknown;
}

const launchOf = ({ scenario: { environment, headSha, repository } }: OtherJobs) => ({
  projectId: environment.service.project.id,
  headSha,
  pullRequest: environment.pullRequest,
  knownScanIds: environment.service
    .scans()
    .map(({ id }) => id)
    .filter((id) => !id.startsWith('own-')),
  subject: expect.objectContaining({ baseSha: repository.id(MERGE_BASE), headSha, creditBudget: 20 }),
});
const launched = (jobs: OtherJobs, ids: object = { scanId: 'own-1' }) => {
  const launch = launchOf(jobs);
  return { projectId: launch.projectId, ...ids, launch };
};
/** `place`: of the check run on GitHub. */
const checkRunOf = ({ scenario: { environment, headSha } }: OtherJobs, scanId: string, place?: number) => ({
  headSha,
  scanId,
  ...(place !== undefined && { id: environment.github.checkRuns[place]?.id }),
});

/** An earlier attempt of the run left its check run in progress. */
const LEFT: Pick<Loss, 'before' | 'run'> = {
  before: async (jobs) => {
    const runId = jobs.scenario.environment.describeRun().runId ?? 9_000_000_001;
    await jobs.launch('earlier', { runsForMs: 0, endsAs: 'CANCELLED' });
    await jobs.mark('earlier', { mark: { runId } });
  },
  run: { runAttempt: 2 },
};

/** The answer to the launch names a scan that the service does not know, beside the one that it launched. */
const NAMES_TWO: OtherJobsOptions = {
  atService: (_jobs, point) =>
    point === 'scans.launch'
      ? { rewrite: (answer) => ({ ...answer, body: { scanId: 'launch_4711', scan: { id: 'own-1' } } }) }
      : undefined,
};

const LOSSES: readonly Loss[] = [
  {
    when: 'while the launch is sent, the launch',
    at: 'scans.launch',
    scan: launchOf,
    checkRun: () => undefined,
  },
  {
    when: 'while the launch is sent, also the check run of an earlier attempt',
    ...LEFT,
    at: 'scans.launch',
    scan: launchOf,
    checkRun: (jobs) => checkRunOf(jobs, 'earlier', 0),
  },
  {
    when: 'while the answer names several scans, each of them',
    options: NAMES_TWO,
    at: 'scans.read',
    scan: (jobs) => launched(jobs, { scanId: 'launch_4711', otherIds: ['own-1'] }),
    checkRun: () => undefined,
  },
  {
    when: 'once it is known which of several scans it is, that one alone',
    options: NAMES_TWO,
    at: 'check.create',
    scan: (jobs) => launched(jobs),
    checkRun: (jobs) => checkRunOf(jobs, 'own-1'),
  },
  {
    when: 'while the check run is created, the scan and that the check run may exist',
    at: 'check.create',
    scan: (jobs) => launched(jobs),
    checkRun: (jobs) => checkRunOf(jobs, 'own-1'),
  },
  {
    when: 'while the mark of the new scan is written, the check run of an earlier attempt',
    ...LEFT,
    at: 'check.update',
    scan: (jobs) => launched(jobs),
    checkRun: (jobs) => checkRunOf(jobs, 'own-1', 0),
  },
  {
    when: 'while the findings are read, the check run',
    at: 'findings.list',
    scan: (jobs) => launched(jobs),
    checkRun: (jobs) => checkRunOf(jobs, 'own-1', 0),
  },
  {
    when: 'after the launch is answered with the scan of another run, nothing',
    before: (jobs) => jobs.launch('theirs', { runsForMs: 90_000 }),
    options: {
      atService: (_jobs, point) =>
        point === 'scans.launch' ? { status: 202, body: { scanId: 'theirs' } } : undefined,
    },
    at: 'findings.list',
    scan: () => undefined,
    checkRun: () => undefined,
  },
  {
    when: 'after it yields to another job, the check run alone',
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

describe('a job that is lost has saved', () => {
  // Not `test.each`: it shortens the names.
  for (const loss of LOSSES) test(loss.when, () => lose(loss));
});

async function lose({ before, options, run, at, ...saved }: Loss): Promise<void> {
  let isReached = false;
  const hang = (point: string): Interception | undefined => {
    if (point !== at) return undefined;
    isReached = true;
    return { fault: 'hang-before' };
  };
  const jobs = await withOtherJobs({
    ...options,
    atService: (given, point, scanId) => hang(point) ?? options?.atService?.(given, point, scanId),
    // Not while the other jobs prepare.
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

/** Undefined: nothing is saved. */
function read(text = ''): unknown {
  return text === '' ? undefined : JSON.parse(text);
}
