import { describe, expect, test } from 'vitest';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { type OtherJobs, type OtherJobsOptions, withOtherJobs } from './other-jobs.ts';
import { MERGE_BASE } from './repository.ts';

/**
 * The state that a job saved before its machine was lost, and what `post` does with this state. `saved-state.test.ts`
 * tests what a job saves.
 */
interface Lost extends OtherJobsOptions {
  readonly name: string;
  /** What the lost job and other jobs did before `post`. */
  readonly before?: (jobs: OtherJobs) => Promise<unknown>;
  readonly scan?: (jobs: OtherJobs) => object;
  readonly checkRun?: (jobs: OtherJobs) => object;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The exit code of `post`. 1 means that a scan may still be running. Default: 0. */
  readonly exitCode?: 1;
  /** The scans that `post` asked to cancel. Default: none. */
  readonly cancelled?: readonly string[];
  /**
   * The conclusions of the head's check runs after `post`; null for a check run in progress. Default: there is no check
   * run.
   */
  readonly conclusions?: readonly (string | null)[];
  /** Texts in the log of `post`. Default: the log has no warnings and no errors. */
  readonly says?: readonly string[];
  readonly more?: (jobs: OtherJobs, post: ActionRun) => void;
}

const runIdOf = ({ scenario }: OtherJobs) => scenario.environment.describeRun().runId ?? 9_000_000_001;

/** The saved state of a launch that got no answer. Before the launch, the service listed no scan. */
const launchOf = ({ scenario: { environment, headSha, repository } }: OtherJobs) => ({
  projectId: environment.service.project.id,
  headSha,
  pullRequest: environment.pullRequest,
  before: { ids: [], complete: true },
  subject: {
    repositoryId: environment.service.repositories[0]?.id,
    presetRef: 'diff-review',
    baseSha: repository.id(MERGE_BASE),
    headSha,
    creditBudget: 20,
    areas: [],
  },
});
/** The saved state of a launch whose answer named this scan. It is not proven yet that the scan is new. */
const answeredWith = (scanId: string) => (jobs: OtherJobs) => ({
  projectId: launchOf(jobs).projectId,
  scanId,
  launch: launchOf(jobs),
});

const launch =
  (...scanIds: string[]) =>
  async (jobs: OtherJobs) => {
    for (const scanId of scanIds) await jobs.launch(scanId, { runsForMs: 300_000 });
  };
const FORBIDDEN = { status: 403, body: { message: 'Resource not accessible by integration' } } as const;
const NOT_FOUND = { status: 404, body: { error: { code: 'not_found', message: 'Scan was not found.' } } };
const noCheckRuns: Pick<Lost, 'atGitHub'> = {
  atGitHub: (_jobs, point) => (point === 'check.list' ? FORBIDDEN : undefined),
};

function testLost(rows: readonly Lost[]): void {
  // `test.each` would shorten long names.
  for (const row of rows) test(row.name, () => cleanUp(row));
}

async function cleanUp(row: Lost): Promise<void> {
  const jobs = await withOtherJobs(row);
  await row.before?.(jobs);
  const marked = jobs.marked();
  const { environment } = jobs.scenario;
  const state = {
    'running-scan': row.scan === undefined ? '' : JSON.stringify(row.scan(jobs)),
    'open-check-run': row.checkRun === undefined ? '' : JSON.stringify(row.checkRun(jobs)),
  };
  const post = await environment.run({ step: 'post', state, ...(row.inputs && { inputs: row.inputs }) });
  expect(
    {
      exitCode: post.exitCode,
      cancelled: jobs.cancelled(),
      conclusions: environment.github.checkRuns.map(({ conclusion }) => conclusion),
    },
    post.log,
  ).toEqual({
    exitCode: row.exitCode ?? 0,
    cancelled: row.cancelled ?? [],
    conclusions: row.conclusions ?? [],
  });
  // The marks stay, so that later runs can use the scans.
  expect(jobs.marked()).toEqual(marked);
  for (const text of row.says ?? []) expect(post.log).toContain(text);
  if (row.says === undefined) expect(post.log).not.toMatch(/##\[(?:warning|error)\]/);
  row.more?.(jobs, post);
}

describe('the post step cancels the scan of a launch whose answer was saved', () => {
  testLost([
    {
      name: 'the post step cancels the scan that the launch answer names, without reading the scan first',
      before: launch('new'),
      scan: (jobs) => ({ projectId: launchOf(jobs).projectId, scanId: 'new' }),
      cancelled: ['new'],
      more: (jobs) => expect(jobs.count('scans.read')).toBe(0),
    },
    {
      name: 'the post step cancels the scan that the launch answer names if the scan is new',
      before: launch('new'),
      scan: answeredWith('new'),
      cancelled: ['new'],
    },
    {
      name: 'the post step cancels nothing, and fails, if the launch answer names a scan from before the launch',
      before: launch('old'),
      scan: (jobs) => ({
        ...answeredWith('old')(jobs),
        launch: { ...launchOf(jobs), before: { ids: ['old'], complete: true } },
      }),
      exitCode: 1,
      says: ['with scan `old`, and nothing proves that this launch created it.'],
    },
    {
      name: 'if the launch answer names an unknown scan, the post step cancels the only new scan',
      before: async (jobs) => {
        await jobs.launch('new', { runsForMs: 300_000 });
        await jobs.mark('launch_4711', { mark: { runId: runIdOf(jobs) } });
      },
      scan: answeredWith('launch_4711'),
      cancelled: ['new'],
      conclusions: [null],
      says: ['The service does not know the scan that it named. Looking for it in the scan list.'],
    },
    {
      name: 'the post step waits until the service lists the scan of the launch answer, and then cancels the scan',
      before: async (jobs) => {
        await jobs.launch('new', { runsForMs: 300_000 });
        await jobs.mark('new', { mark: { runId: runIdOf(jobs) } });
      },
      scan: answeredWith('new'),
      atService: (jobs, point) =>
        point !== 'scans.list' && jobs.count('scans.list') === 0 ? NOT_FOUND : undefined,
      cancelled: ['new'],
      conclusions: [null],
      more: (_jobs, { durationMs }) => expect(durationMs).toBeLessThan(30_000),
    },
    {
      name: 'the post step fails if the service forbids the cancellation',
      before: launch('new'),
      scan: answeredWith('new'),
      atService: (_jobs, point) => (point === 'scans.cancel' ? FORBIDDEN : undefined),
      exitCode: 1,
      cancelled: ['new'],
      says: ['##[error]Could not cancel scan `new`.'],
    },
    {
      name: 'the post step passes if the service neither knows nor lists the scan of the launch answer',
      scan: answeredWith('launch_4711'),
      says: ['The service lists no new scan of this commit. Most likely no scan was launched.'],
    },
  ]);
});

describe('the post step looks for the scan of a launch without an answer', () => {
  const atRisk = 'If it is running, cancel it: it can use up to 20 credits.';
  testLost([
    {
      name: 'the post step passes if the service lists no new scan of the change within a minute',
      before: (jobs) => jobs.launch('theirs', { runsForMs: 300_000 }, { creditBudget: 40 }),
      scan: launchOf,
      says: ['The service lists no new scan of this commit. Most likely no scan was launched.'],
    },
    {
      name: 'the post step cancels nothing and fails if the service lists several new scans of the change',
      before: launch('a', 'b'),
      scan: launchOf,
      exitCode: 1,
      says: ['##[error]A scan may have been launched. The service lists several new scans', atRisk],
    },
    {
      name: 'the post step cancels nothing and fails if another job has marked the new scan',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs');
      },
      scan: launchOf,
      exitCode: 1,
      conclusions: [null],
      says: ['another run launched it (`theirs`)', atRisk],
    },
    {
      name: 'the post step cancels nothing and fails if the marks cannot be read',
      before: launch('new'),
      scan: launchOf,
      ...noCheckRuns,
      exitCode: 1,
      says: ['could not read the check runs that name its run (`new`)'],
    },
    {
      name: 'the post step fails and names the credits at risk if the address of the service is missing',
      scan: launchOf,
      inputs: { 'base-url': '' },
      exitCode: 1,
      says: ['`api-token` or `base-url` is unavailable', 'A scan may have been launched.', atRisk],
    },
  ]);
});

describe('the post step completes the check run whose id was saved', () => {
  const saved = ({ scenario: { environment, headSha } }: OtherJobs) => ({
    headSha,
    id: environment.github.checkRuns[0]?.id,
    verdict: { conclusion: 'success', title: 'Passed' },
  });
  testLost([
    {
      name: 'the post step writes the saved verdict into the check run with the saved id, and lists no check runs',
      before: (jobs) => jobs.mark('new'),
      checkRun: saved,
      ...noCheckRuns,
      conclusions: ['success'],
    },
    {
      name: 'the post step creates no check run if GitHub refuses to change the one in progress',
      before: (jobs) => jobs.mark('new'),
      checkRun: saved,
      atGitHub: (_jobs, point) => (point === 'check.update' ? FORBIDDEN : undefined),
      conclusions: [null],
      says: ['GitHub denied access', '`checks: write`'],
    },
    {
      name: 'the post step does not write into a check run that is completed',
      before: async (jobs) => {
        await jobs.mark('new', { status: 'completed' });
        await jobs.mark('other');
      },
      checkRun: (jobs) => ({ ...saved(jobs), verdict: { conclusion: 'failure', title: 'Blocked' } }),
      conclusions: ['success', null],
    },
  ]);
});

describe('the post step uses the mark to find a check run whose id was not saved', () => {
  const saved = ({ scenario: { headSha } }: OtherJobs) => ({ headSha, scanId: 'new' });
  const ofOtherRuns = async (jobs: OtherJobs) => {
    const ours = { mark: { runId: runIdOf(jobs) } };
    await jobs.mark('other', ours);
    await jobs.mark('new', { ...ours, status: 'completed' });
    // This check run belongs to another run, which reuses the scan `new`.
    await jobs.mark('new');
    const forged = await jobs.mark('new', ours);
    Object.assign(forged, { externalId: `${forged.externalId?.slice(0, -4)}AAAA` });
    const ofOtherTool = await jobs.mark('new', ours);
    Object.assign(ofOtherTool, { externalId: 'new' });
  };
  const others = [null, 'success', null, null, null];
  testLost([
    {
      name: 'the post step completes the check run that is in progress and has the mark of this run',
      before: async (jobs) => {
        await ofOtherRuns(jobs);
        await jobs.mark('new', { mark: { runId: runIdOf(jobs) } });
      },
      checkRun: saved,
      conclusions: [...others, 'cancelled'],
      more: (jobs) => {
        const { output } = jobs.scenario.environment.github.checkRuns.at(-1) ?? expect.unreachable();
        expect(output.summary).toContain(`actions/runs/${runIdOf(jobs)})`);
      },
    },
    {
      name: 'the post step completes a check run that reaches GitHub after the start of the post step',
      before: (jobs) => {
        const { environment } = jobs.scenario;
        const shownFrom = environment.now() + 1_000;
        const isListed = () => environment.now() >= shownFrom;
        return jobs.mark('new', { mark: { runId: runIdOf(jobs) }, isListed });
      },
      checkRun: saved,
      conclusions: ['cancelled'],
    },
    {
      name: 'the post step leaves all check runs unchanged if this run has none in progress',
      before: ofOtherRuns,
      checkRun: saved,
      conclusions: others,
    },
    {
      name: 'the post step warns if it cannot list the check runs',
      before: (jobs) => jobs.mark('new', { mark: { runId: runIdOf(jobs) } }),
      checkRun: saved,
      ...noCheckRuns,
      conclusions: [null],
      says: ['##[warning]A check run may still be in progress.'],
    },
  ]);
});
