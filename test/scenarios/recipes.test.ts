import { describe, expect, test } from 'vitest';
import { describeTable, diagnose } from '../../src/doctor/diagnose.ts';
import type { GitHubFacts } from '../../src/doctor/facts.ts';
import { ok } from '../../src/domain/result.ts';
import { read } from '../project/code.ts';
import { type Example, evaluate, readExample } from '../project/examples.ts';
import { factsOf, requires, shownRow } from '../unit/doctor/sample-facts.ts';
import { mergeGroup } from './branch-events.ts';
import { expectPaid, pushed } from './reuse.ts';
import { fileOf, type JobRun, mayMerge, pullRequestWith, runJobs } from './run-example.ts';
import { prepare, type Scenario } from './scenario.ts';

const exampleOf = (name: string) => readExample(fileOf(name));
/** The text of the example `name`, with `to` in place of `from`. */
function changed(name: string, from: string, to: string): string {
  const text = read(fileOf(name));
  expect(text).toContain(from);
  return text.replace(from, to);
}
/** The example `name`, with `keys` set in each of its jobs. */
function withJob(name: string, keys: Partial<Example['jobs'][string]>): Example {
  const example = exampleOf(name);
  const jobs = Object.entries(example.jobs).map(([id, job]) => [id, { ...job, ...keys }] as const);
  return { ...example, jobs: Object.fromEntries(jobs) };
}

async function runOne(
  example: Example,
  scenario: Scenario,
  run: Parameters<typeof runJobs>[2] = {},
): Promise<JobRun> {
  const [job, ...others] = await runJobs(example, scenario, run);
  expect(others).toEqual([]);
  if (job === undefined) throw new Error('the example has no job');
  return job;
}

/** What the doctor says if the repository has only this workflow, and requires its job. */
function doctorOn(text: string, github: Partial<GitHubFacts> = {}) {
  const files = [{ path: '.github/workflows/scangate.yml', text }];
  const workflows = ok({ files, complete: true });
  const rows = diagnose(factsOf({ github: { workflows, ...github } }));
  const problems = rows.filter(({ level }) => level === 'error' || level === 'warning');
  return {
    problems: problems.map((row) => shownRow(row).replace(/^(\w+): /, `$1 ${row.check}: `)),
    last: describeTable(rows),
  };
}
const READY = { problems: [], last: 'Ready: 0 errors, 0 warnings.' };
const QUEUE = { rules: ok({ rules: [requires('scangate'), { type: 'merge_queue' }], complete: true }) };

test.each(['quiet-period', 'drafts', 'lockfiles'])('the doctor finds no problem in %s.yml', (name) => {
  expect(doctorOn(read(fileOf(name)))).toEqual(READY);
});

describe('quiet-period.yml', () => {
  const example = exampleOf('quiet-period');

  test('quiet-period.yml uses no credits for a push if the next push comes while the job waits', () => {
    const github = { run_attempt: 1, event: { pull_request: { number: 7 } } };
    const { group = '', 'cancel-in-progress': cancels = '' } = example.concurrency ?? {};
    expect([evaluate(group, { github }), evaluate(cancels, { github })]).toEqual(['scangate-7', 'true']);
    const [wait, gate] = example.jobs['scangate']?.steps ?? [];
    expect(wait?.run).toBe('sleep 120');
    // GitHub skips the next steps of a cancelled job. Only a step with an `if` can still run.
    expect(gate).toMatchObject({ uses: 'scangate/scangate@v0' });
    expect(gate?.if).toBeUndefined();
  });

  test('quiet-period.yml uses no credits for an older head whose run was not cancelled', async () => {
    const scenario = await prepare({ head: 'low' });
    const { environment, repository, headSha } = scenario;
    const opened = { name: 'pull_request', payload: environment.pullRequestPayload() };
    const later = pushed(scenario, headSha, repository.id('clean'));
    const older = await runOne(example, scenario, { event: opened });
    expect(older.conclusion).toBe('failure');
    expect(older.run?.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'superseded' });
    expect(await runOne(example, scenario, later)).toMatchObject({ conclusion: 'success' });
    expectPaid(scenario, 1);
  });

  test('quiet-period.yml uses credits for both heads if the second push comes after the scan of the first', async () => {
    const scenario = await prepare({ head: 'low' });
    await runOne(example, scenario);
    await runOne(example, scenario, pushed(scenario, scenario.headSha, scenario.repository.id('clean')));
    expectPaid(scenario, 2);
  });
});

describe('drafts.yml', () => {
  const draft = pullRequestWith({ draft: true });

  test('drafts.yml has no `if` on the job, because GitHub counts a skipped job as passed', async () => {
    const condition = '!github.event.pull_request.draft';
    const scenario = await prepare({});
    const skipped = await runOne(withJob('drafts', { if: condition }), scenario, draft(scenario));
    // GitHub shows the skipped job until the next run of the job starts. Until then, a pull request that becomes ready
    // can be merged.
    expect([skipped.conclusion, mayMerge(skipped)]).toEqual(['skipped', true]);
    expectPaid(scenario, 0);
    const text = changed('drafts', 'runs-on:', `if: \${{ ${condition} }}\n    runs-on:`);
    expect(doctorOn(text)).toEqual({
      problems: [
        expect.stringMatching(/^warning Gate job: .* the job is skipped\. GitHub counts a skipped job/),
      ],
      last: 'Ready only if the job of the gate always runs: 0 errors, 1 warning. GitHub counts a skipped job as passed.',
    });
  });

  test('drafts.yml has no `if` on the step of the gate, because a skipped step would let drafts pass unscanned', () => {
    const text = changed('drafts', 'v0\n', 'v0\n        if: github.event.pull_request.draft != true\n');
    expect(doctorOn(text).problems).toEqual([
      expect.stringMatching(/^error Gate job: .* the job passes without a scan\./),
    ]);
  });
});

describe('merge-queue-once.yml', () => {
  const NAME = 'merge-queue-once';

  test('merge-queue-once.yml misses a vulnerability that arises from two changes together', async () => {
    const github = {
      mergeQueues: { main: { rules: ['ALLGREEN'], mergingStrategy: 'ALLGREEN' } },
    } as const;
    for (const head of ['runs tools', 'packs by tools'] as const) {
      const alone = await runOne(exampleOf(NAME), await prepare({ head, baseRef: 'tools' }));
      expect(alone.run?.outputs).toMatchObject({ outcome: 'passed', 'findings-total': '0' });
    }
    const scenario = await prepare({ head: 'packs by tools', baseRef: 'tools', github });
    const group = mergeGroup(scenario, { head: 'queued 2', base: 'queued 1' });
    expect(mayMerge(await runOne(exampleOf(NAME), scenario, group))).toBe(true);
    expectPaid(scenario, 0);
    const scanned = await runOne(exampleOf('merge-queue'), scenario, group);
    expect(scanned.run?.outputs, scanned.run?.log).toMatchObject({
      outcome: 'blocked',
      'findings-blocking': '1',
    });
  });

  test('merge-queue-once.yml never scans the change of a fork if the workflow allows `missing-token`', async () => {
    const scenario = await prepare({});
    const fork = pullRequestWith({ headRepository: 'mallory/octo-repo' })(scenario);
    const withInputs = (inputs: Readonly<Record<string, string>>) => {
      const [gate] = exampleOf(NAME).jobs['scangate']?.steps ?? [];
      return withJob(NAME, {
        steps: [{ ...gate, env: {}, with: { ...gate?.with, 'api-token': '', ...inputs } }],
      });
    };
    expect(mayMerge(await runOne(withInputs({}), scenario, fork))).toBe(false);
    const allowing = withInputs({ 'allow-unscanned': 'missing-token' });
    expect(mayMerge(await runOne(allowing, scenario, fork))).toBe(true);
    expect(mayMerge(await runOne(allowing, scenario, mergeGroup(scenario)))).toBe(true);
    expectPaid(scenario, 0);
  });

  test('the doctor finds no problem in merge-queue-once.yml if the branch requires the job', () => {
    expect(doctorOn(read(fileOf(NAME)), QUEUE)).toEqual(READY);
    const optional = { rules: ok({ rules: [{ type: 'merge_queue' }], complete: true }) };
    expect(doctorOn(read(fileOf(NAME)), optional).problems).toEqual([
      expect.stringMatching(/^warning Required check: `main` does not require the job/),
    ]);
  });

  test('the doctor reports an error in merge-queue-once.yml if no pull request starts the job', () => {
    const text = changed(
      NAME,
      '  pull_request:\n    branches: [main] # the branch of the queue\n    types: [opened, synchronize, reopened, edited]\n',
      '',
    );
    expect(doctorOn(text, QUEUE).problems).toContainEqual(
      expect.stringMatching(/^error Gate job: .* GitHub counts a skipped job as passed/),
    );
  });
});

describe('forks-approval.yml', () => {
  const text = read(fileOf('forks-approval'));
  const environments = (hasReviewers: boolean) =>
    new Map([['scan-forks', ok({ hasReviewers, branches: 'all' as const })]]);

  test('the doctor warns about forks-approval.yml if its environment has no required reviewers', () => {
    expect(doctorOn(text, { environments: environments(true) })).toEqual(READY);
    expect(doctorOn(text, { environments: environments(false) }).problems).toEqual([
      expect.stringMatching(/^warning Environment: The environment `scan-forks` has no required reviewers/),
    ]);
  });
});
