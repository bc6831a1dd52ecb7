import { describe, expect, test } from 'vitest';
import { forbidden, onlyIf, refusingAs, unknown } from './effects.ts';
import { declareBlocks, expectBlock } from './golden.ts';
import { type OtherJobs, type OtherJobsOptions, withOtherJobs } from './other-jobs.ts';
import { stable } from './record.ts';
import { MERGE_BASE } from './repository.ts';

/**
 * The state that a job saved before its machine was lost. The golden text has what `post` does with this state, and
 * `post.test.ts` tests what a job saves.
 */
interface Lost extends OtherJobsOptions {
  readonly name: string;
  /** What the lost job and other jobs did before `post`. */
  readonly before?: (jobs: OtherJobs) => Promise<unknown>;
  readonly scan?: (jobs: OtherJobs) => object;
  readonly checkRun?: 'unreadable' | ((jobs: OtherJobs) => object);
  readonly inputs?: Readonly<Record<string, string>>;
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
const GOLDEN = 'clean-up';

function testLost(rows: readonly Lost[]): void {
  declareBlocks(GOLDEN, rows);
  // `test.each` would shorten long names.
  for (const row of rows)
    test(row.name, async () => {
      expectBlock(GOLDEN, row.name, await cleanUp(row));
    });
}

/** What `post` sends, how it ends, the scans that it asked to cancel, the check runs of the head, and its log. */
async function cleanUp({ before, scan, checkRun, inputs, ...options }: Lost): Promise<string> {
  const jobs = await withOtherJobs(options);
  await before?.(jobs);
  const marked = jobs.marked();
  const { environment } = jobs.scenario;
  const { service, github } = environment;
  const state = {
    'running-scan': scan === undefined ? '' : JSON.stringify(scan(jobs)),
    'open-check-run': typeof checkRun === 'function' ? JSON.stringify(checkRun(jobs)) : (checkRun ?? ''),
  };
  const earlier = [service.requests.length, github.requests.length];
  const post = await environment.run({ step: 'post', state, ...(inputs && { inputs }) });
  // The marks stay, so that later runs can use the scans.
  expect(jobs.marked()).toEqual(marked);
  const sent = [...service.requests.slice(earlier[0]), ...github.requests.slice(earlier[1])];
  const counts = Object.entries(Object.groupBy(sent, ({ point }) => point)).map(
    ([point, requests = []]) => `${point} ${requests.length}`,
  );
  const cancelled = jobs.cancelled().map((scanId) => `cancels ${scanId}`);
  const checkRuns = github.checkRuns.map(({ conclusion, output: { title, summary } }) =>
    [`check run: ${conclusion ?? 'in progress'}`, title, summary].filter(Boolean).join('\n'),
  );
  const seconds = Math.round(post.durationMs / 1000);
  const lines = [
    `exit ${post.exitCode} after ${seconds} s: ${[...cancelled, ...counts.toSorted()].join(', ') || 'sends nothing'}`,
    ...checkRuns,
    post.log,
  ];
  return stable(lines.join('\n').trim(), { ...jobs.scenario, run: post, workspace: 'WORKSPACE' });
}

describe('the post step cancels the scan of a launch whose answer was saved', () => {
  testLost([
    {
      name: 'the post step cancels the scan that the launch answer names, without reading the scan first',
      before: launch('new'),
      scan: (jobs) => ({ projectId: launchOf(jobs).projectId, scanId: 'new' }),
    },
    {
      name: 'the post step cancels the scan that the launch answer names if the scan is new',
      before: launch('new'),
      scan: answeredWith('new'),
    },
    {
      name: 'the post step cancels nothing, and fails, if the launch answer names a scan from before the launch',
      before: launch('old'),
      scan: (jobs) => ({
        ...answeredWith('old')(jobs),
        launch: { ...launchOf(jobs), before: { ids: ['old'], complete: true } },
      }),
    },
    {
      name: 'the post step cancels nothing, and fails, if the scan list cannot be read to prove that the scan is new',
      before: launch('new'),
      scan: (jobs) => ({
        ...answeredWith('new')(jobs),
        launch: { ...launchOf(jobs), before: { ids: [], complete: false } },
      }),
      at: { 'scans.list': refusingAs(403, 'forbidden') },
    },
    {
      name: 'the post step cancels the scan even if the saved check run is unreadable',
      before: launch('new'),
      scan: answeredWith('new'),
      checkRun: 'unreadable',
    },
    {
      name: 'if the launch answer names an unknown scan, the post step cancels the only new scan',
      before: async (jobs) => {
        await jobs.launch('new', { runsForMs: 300_000 });
        await jobs.mark('launch_4711', { mark: { runId: runIdOf(jobs) } });
      },
      scan: answeredWith('launch_4711'),
    },
    {
      name: 'the post step waits until the service lists the scan of the launch answer, and then cancels the scan',
      before: async (jobs) => {
        await jobs.launch('new', { runsForMs: 300_000 });
        await jobs.mark('new', { mark: { runId: runIdOf(jobs) } });
      },
      scan: answeredWith('new'),
      at: { 'scans.read|scans.cancel': onlyIf((jobs) => jobs.count('scans.list') === 0, unknown) },
    },
    {
      name: "the post step fails if the service refuses the cancellation, and shows none of the service's words",
      before: launch('new'),
      scan: answeredWith('new'),
      at: { 'scans.cancel': { status: 403, body: 'Secret words.' } },
    },
    {
      name: 'the post step passes if the service neither knows nor lists the scan of the launch answer',
      scan: answeredWith('launch_4711'),
    },
  ]);
});

describe('the post step looks for the scan of a launch without an answer', () => {
  testLost([
    {
      name: 'the post step passes if the service lists no new scan of the change within a minute',
      before: (jobs) => jobs.launch('theirs', { runsForMs: 300_000 }, { creditBudget: 40 }),
      scan: launchOf,
    },
    {
      name: 'the post step cancels nothing and fails if the service lists several new scans of the change',
      before: launch('a', 'b'),
      scan: launchOf,
    },
    {
      name: 'the post step cancels nothing and fails if another job has marked the new scan',
      before: async (jobs) => {
        await jobs.launch('theirs', { runsForMs: 300_000 });
        await jobs.mark('theirs');
      },
      scan: launchOf,
    },
    {
      name: 'the post step cancels nothing and fails if the marks cannot be read',
      before: launch('new'),
      scan: launchOf,
      at: { 'check.list': forbidden },
    },
    {
      name: 'the post step fails and names the credits at risk if the address of the service is missing',
      scan: launchOf,
      inputs: { 'base-url': '' },
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
      name: 'the post step writes the saved verdict into the check run with the saved id, even if it cannot list the check runs',
      before: (jobs) => jobs.mark('new'),
      checkRun: saved,
      at: { 'check.list': forbidden },
    },
    {
      name: 'the post step creates no check run if GitHub refuses to change the one in progress',
      before: (jobs) => jobs.mark('new'),
      checkRun: saved,
      at: { 'check.update': forbidden },
    },
    {
      name: 'the post step does not write into a check run that is completed',
      before: async (jobs) => {
        await jobs.mark('new', { status: 'completed' });
        await jobs.mark('other');
      },
      checkRun: (jobs) => ({ ...saved(jobs), verdict: { conclusion: 'failure', title: 'Blocked' } }),
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
  testLost([
    {
      name: 'the post step completes the check run that is in progress and has the mark of this run',
      before: async (jobs) => {
        await ofOtherRuns(jobs);
        await jobs.mark('new', { mark: { runId: runIdOf(jobs) } });
      },
      checkRun: saved,
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
    },
    {
      name: 'the post step leaves all check runs unchanged if this run has none in progress',
      before: ofOtherRuns,
      checkRun: saved,
    },
    {
      name: 'the post step warns if it cannot list the check runs',
      before: (jobs) => jobs.mark('new', { mark: { runId: runIdOf(jobs) } }),
      checkRun: saved,
      at: { 'check.list': forbidden },
    },
  ]);
});
