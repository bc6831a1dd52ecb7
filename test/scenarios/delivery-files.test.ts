import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { pushed, runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

/** Creates a temporary folder, and removes it after the test. */
async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'scangate-files-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

const Report = v.object({ findings: v.array(v.object({ id: v.string(), blocks: v.boolean() })) });
const Sarif = v.object({
  version: v.literal('2.1.0'),
  runs: v.tuple([
    v.object({
      tool: v.object({
        driver: v.object({
          rules: v.array(v.object({ properties: v.object({ tags: v.array(v.string()) }) })),
        }),
      }),
      versionControlProvenance: v.tuple([v.object({ revisionId: v.string() })]),
      results: v.array(
        v.object({
          locations: v.tuple([
            v.object({ physicalLocation: v.object({ artifactLocation: v.object({ uri: v.string() }) }) }),
          ]),
          properties: v.object({
            findingId: v.string(),
            label: v.string(),
            group: v.string(),
            blocks: v.boolean(),
          }),
        }),
      ),
    }),
  ]),
});

test('the JSON report is written to its path, and agrees with the outputs', async () => {
  const workspace = await folder();
  const result = await runScenario({
    inputs: { 'report-file': 'out/scan.json' },
    run: () => ({ workspace }),
  });
  const file = path.join(workspace, 'out', 'scan.json');
  expect(result.run.outputs['report-file']).toBe(file);
  const report: unknown = JSON.parse(await readFile(file, 'utf8'));
  expect(report).toMatchObject({
    schemaVersion: 1,
    outcome: 'blocked',
    exitCode: 1,
    baseCommit: result.run.outputs['base-commit'],
    headCommit: result.headSha,
    scan: { id: result.run.outputs['scan-id'], status: 'COMPLETED', creditsReserved: 20 },
    links: { checkRun: result.run.outputs['check-run-url'] },
    counts: { total: 4, reported: 3, blocking: 2, below: 1 },
  });
  expect(report).toHaveProperty('findings.length', 4);
});

test('the SARIF file is written to its path, and agrees with the JSON report, the gate and the comment', async () => {
  const workspace = await folder();
  const result = await runScenario({
    inputs: { 'sarif-file': 'out/scan.sarif', 'report-file': 'out/scan.json' },
    run: () => ({ workspace }),
  });
  const { outputs } = result.run;
  expect(outputs['sarif-file']).toBe(path.join(workspace, 'out', 'scan.sarif'));
  const sarif = v.parse(Sarif, JSON.parse(await readFile(outputs['sarif-file'] ?? '', 'utf8')));
  const report = v.parse(Report, JSON.parse(await readFile(outputs['report-file'] ?? '', 'utf8')));
  const [run] = sarif.runs;
  expect(run.versionControlProvenance[0].revisionId).toBe(result.headSha);
  expect(run.results.map(({ properties: { findingId, blocks } }) => ({ id: findingId, blocks }))).toEqual(
    report.findings.map(({ id, blocks }) => ({ id, blocks })),
  );
  expect(run.results.filter(({ properties }) => properties.blocks)).toHaveLength(
    Number(outputs['findings-blocking']),
  );
  expect(run.results).toHaveLength(Number(outputs['findings-total']));
  const [comment] = result.environment.github.comments;
  const shown = comment?.body.replaceAll('&#8203;', '') ?? '';
  for (const { properties, locations } of run.results) {
    if (properties.group === 'reported') expect(shown).toContain(properties.label);
    expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/^src\/\w+\.js$/);
  }
  const tags = run.tool.driver.rules.map((rule) => rule.properties.tags[1]);
  expect(tags).toContain('external/cwe/cwe-78');
});

const close = ({ environment }: Scenario) => environment.github.edit(7, { state: 'closed' });
const CLOSED = ({ environment }: Scenario) => ({
  event: { name: 'pull_request', payload: environment.pullRequestPayload({ action: 'closed' }) },
});

test.each<[why: string, options: ScenarioOptions, outcome: string, reason: string | null]>([
  ['the base already contains the head', { head: 'behind' }, 'unchanged', null],
  ['the scan failed', { service: { pace: { ending: 'FAILED' } } }, 'not-scanned', 'scan-failed'],
  ['an input is wrong', { inputs: { 'fail-on': 'hihg' } }, 'not-scanned', 'configuration'],
  ['several inputs are wrong', { inputs: { 'fail-on': 'x', comment: 'y' } }, 'not-scanned', 'configuration'],
  [
    'the path of the SARIF file is outside of the workspace',
    { inputs: { 'sarif-file': '../x' } },
    'not-scanned',
    'configuration',
  ],
  ['there is no token', { inputs: { 'api-token': '' } }, 'not-scanned', 'configuration'],
  [
    'GitHub withholds the token',
    { inputs: { 'api-token': '', 'base-url': '' }, run: () => ({ actor: 'dependabot[bot]' }) },
    'not-scanned',
    'missing-token',
  ],
  ['the pull request is closed', { before: close, run: CLOSED }, 'not-scanned', 'unsupported-event'],
  [
    'the job is cancelled',
    {
      service: { pace: { hold: true } },
      run: () => ({
        onLine: (line, { cancel }) => {
          if (line.startsWith('Launched scan')) cancel();
        },
      }),
    },
    'not-scanned',
    'scan-cancelled',
  ],
])('a run writes the JSON report but no SARIF file if %s', async (_why, options, outcome, reason) => {
  const workspace = await folder();
  const inputs = { 'sarif-file': 'scan.sarif', 'report-file': 'scan.json' };
  const { run, environment } = await runScenario({
    ...options,
    inputs: { ...inputs, ...(typeof options.inputs === 'object' ? options.inputs : {}) },
    before: async (scenario) => {
      await options.before?.(scenario);
      await writeFile(path.join(workspace, 'scan.sarif'), '{}');
    },
    run: (scenario) => ({ ...options.run?.(scenario), workspace }),
  });
  const file = path.join(workspace, 'scan.json');
  expect(run.outputs, run.log).toMatchObject({ outcome, 'report-file': file, 'sarif-file': '' });
  const text = await readFile(file, 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    outcome,
    reason,
    counts: null,
    findings: null,
    exitCode: run.exitCode,
  });
  for (const secret of [environment.service.token, environment.github.token])
    expect(text).not.toContain(secret);
  // Wrong inputs may name the file by mistake, so it is kept.
  const areWrong = typeof options.inputs === 'object' && !('api-token' in options.inputs);
  expect(await readdir(workspace)).toEqual(areWrong ? ['scan.json', 'scan.sarif'] : ['scan.json']);
});

test.each([
  ['outside of the workspace', { 'report-file': '../scan.json' }],
  ['at the path of the SARIF file', { 'report-file': 'scan.json', 'sarif-file': './scan.json' }],
])('a run writes no file if `report-file` is %s', async (_what, inputs) => {
  const [parent] = [await folder()];
  const workspace = path.join(parent, 'work');
  await mkdir(workspace);
  const { run } = await runScenario({ inputs, run: () => ({ workspace }) });
  expect(run.outputs, run.log).toMatchObject({
    reason: 'configuration',
    'report-file': '',
    'sarif-file': '',
  });
  expect([await readdir(parent), await readdir(workspace)]).toEqual([['work'], []]);
});

test('the JSON report shows how long the scan took and which earlier head had the same files', async () => {
  const workspace = await folder();
  const scenario = await prepare({
    baseRef: 'stable',
    service: { pace: { phasesPerPoll: 1 }, retryAfterSeconds: 8 },
  });
  const run = { workspace };
  const inputs = { 'report-file': 'scan.json' };
  const first = await runAgain(scenario, run, inputs);
  const Times = v.object({
    waitedForReadinessMs: v.number(),
    scanMs: v.number(),
    totalMs: v.number(),
    scanKind: v.string(),
    sameFilesAs: v.nullable(v.string()),
  });
  const read = async () =>
    v.parse(Times, JSON.parse(await readFile(path.join(workspace, 'scan.json'), 'utf8')));
  const scanned = await read();
  expect(first.run.outputs['outcome']).toBe('blocked');
  expect(scanned).toMatchObject({ waitedForReadinessMs: 0, scanKind: 'diff', sameFilesAs: null });
  expect(scanned.scanMs).toBeGreaterThan(40_000);
  expect(scanned.totalMs).toBeGreaterThanOrEqual(scanned.scanMs);
  const push = pushed(scenario, scenario.headSha, scenario.repository.id('amended'));
  await runAgain(scenario, { ...push, ...run }, inputs);
  const reused = await read();
  expect(reused.sameFilesAs).toBe(scenario.headSha);
  expect(reused.scanMs).toBeLessThan(1_000);
});

test.each([
  ['report-file', 'JSON report', 'link.json'],
  ['report-file', 'JSON report', 'linked/scan.json'],
])(
  'with `%s`, a run writes no %s through a link that leads outside the workspace (%s)',
  async (input, what, file) => {
    const { workspace, outside } = await linkedFolders();
    const result = await runScenario({
      head: 'medium',
      inputs: { [input]: file },
      run: () => ({ workspace }),
    });
    expect(result.run.exitCode).toBe(0);
    expect(result.run.outputs).toMatchObject({ outcome: 'passed', [input]: '' });
    expect(result.run.log).toContain(`##[warning]Could not write the ${what}`);
    expect(result.run.summary).toContain(`Could not write the ${what}`);
    expect(await readdir(outside)).toEqual([]);
  },
);

/** A workspace with two links that lead outside of it: one to a file that does not exist, one to a folder. */
async function linkedFolders() {
  const [workspace, outside] = [await folder(), await folder()];
  await symlink(path.join(outside, 'stolen.json'), path.join(workspace, 'link.json'));
  await symlink(outside, path.join(workspace, 'linked'));
  return { workspace, outside };
}

test('a run replaces a link at the path of `sarif-file`', async () => {
  const { workspace, outside } = await linkedFolders();
  const inputs = { 'sarif-file': 'link.json' };
  const { run } = await runScenario({ head: 'medium', inputs, run: () => ({ workspace }) });
  const file = path.join(workspace, 'link.json');
  expect(run.outputs, run.log).toMatchObject({ outcome: 'passed', 'sarif-file': file });
  expect((await lstat(file)).isFile()).toBe(true);
  expect(await readdir(outside)).toEqual([]);
});

test('a run replaces the SARIF file of an earlier run', async () => {
  const workspace = await folder();
  const file = path.join(workspace, 'scan.sarif');
  await writeFile(file, 'earlier');
  const inputs = { 'sarif-file': 'scan.sarif' };
  const { run } = await runScenario({ head: 'medium', inputs, run: () => ({ workspace }) });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'passed', 'sarif-file': file });
  expect(await readFile(file, 'utf8')).not.toContain('earlier');
});

test.each([
  ['leads outside the workspace', 'linked/scan.json', 'leads out of the workspace'],
  ['names a folder', 'folder', 'EISDIR'],
])('a run is a configuration error if `sarif-file` %s', async (_what, file, why) => {
  const { workspace, outside } = await linkedFolders();
  await mkdir(path.join(workspace, 'folder'));
  await writeFile(path.join(outside, 'scan.json'), 'theirs');
  const { run, environment } = await runScenario({
    inputs: { 'sarif-file': file, 'allow-unscanned': 'unsupported-event' },
    run: () => ({ workspace }),
  });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain('Could not remove the file at the path of `sarif-file`');
  expect(run.log).toContain(why);
  expect(environment.service.requests).toEqual([]);
  expect(await readFile(path.join(outside, 'scan.json'), 'utf8')).toBe('theirs');
});

test.each([
  ['the runner names no file', ''],
  ['the file does not exist', '/nowhere/at/all/summary'],
])('a run keeps its verdict if it cannot write the job summary because %s', async (_why, file) => {
  const result = await runScenario({
    driver: 'bundle',
    head: 'medium',
    run: () => ({ env: { GITHUB_STEP_SUMMARY: file } }),
  });
  expect(result.run.exitCode, result.run.log).toBe(0);
  expect(result.run.outputs['outcome']).toBe('passed');
  expect(result.run.log).toContain('##[warning]Could not write the job summary');
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'neutral' }]);
});

test.each([
  ['the file does not exist', '/nowhere/at/all/output'],
  ['the file is a folder', tmpdir()],
])('a run fails, but keeps its check run, if it cannot write its outputs because %s', async (_why, file) => {
  const { environment } = await prepare({ driver: 'bundle', head: 'clean' });
  const run = await environment.run({ env: { GITHUB_OUTPUT: file } });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain('##[error]Not scanned: unexpected error');
  expect(environment.service.ledger().reserved).toBe(0);
  const calls = environment.service.requests.length + environment.github.requests.length;
  const post = await environment.run({ step: 'post', state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(environment.service.requests.length + environment.github.requests.length).toBe(calls);
  expect(environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
});

test('a run with an invalid environment writes the job summary and the outputs', async () => {
  const scenario = await prepare({ driver: 'bundle' });
  const workspace = await folder();
  await writeFile(path.join(workspace, 'scan.sarif'), 'earlier');
  const result = await runPrepared(scenario, {
    inputs: { 'report-file': 'scan.json', 'sarif-file': 'scan.sarif' },
    run: () => ({ workspace, env: { GITHUB_REPOSITORY: 'nothing' } }),
  });
  expectNotBegun(scenario, result.run);
  expect(await readdir(workspace)).toEqual(['scan.json']);
  const text = await readFile(result.run.outputs['report-file'] ?? '', 'utf8');
  expect(JSON.parse(text)).toMatchObject({ reason: 'configuration', repository: null, links: { run: null } });
  expect(text).not.toContain(scenario.environment.service.token);
});

test('a run without an event file writes the job summary and the outputs', async () => {
  const scenario = await prepare({ driver: 'bundle' });
  // `runPrepared` expects the masks before all other output. In this run, GitHub's toolkit first reports the missing
  // file.
  const run = await scenario.environment.run({ env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } });
  expectNotBegun(scenario, run);
  expect(run.log).toContain('`GITHUB_EVENT_PATH`: the file cannot be opened');
  for (const secret of [scenario.environment.service.token, scenario.environment.github.token]) {
    expect(run.masks).toContain(secret);
    expect(run.log + run.summary).not.toContain(secret);
  }
});

test('the JSON report shows how long the run took even if the event file is not JSON', async () => {
  const scenario = await prepare({ driver: 'bundle' });
  const workspace = await folder();
  // The file is large, and valid JSON except for its end, so that reading it takes some milliseconds.
  const eventPath = path.join(workspace, 'event.json');
  await writeFile(eventPath, JSON.stringify('x'.repeat(50_000_000)).slice(0, -1));
  const run = await scenario.environment.run({
    workspace,
    env: { GITHUB_EVENT_PATH: eventPath },
    inputs: { 'report-file': 'scan.json' },
  });
  expectNotBegun(scenario, run);
  expect(run.log).toContain('it is not JSON');
  const report = JSON.parse(await readFile(path.join(workspace, 'scan.json'), 'utf8'));
  expect(report.totalMs).toBeGreaterThan(3);
});

function expectNotBegun({ environment }: Scenario, run: ActionRun): void {
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'configuration', 'scan-id': '' });
  expect(run.summary).toContain('## ⚠️ Not scanned');
  expect(run.summary).toContain('**Next step:**');
  expect(environment.service.requests).toEqual([]);
}

test('a run warns if the folder of `report-file` is a file', async () => {
  const workspace = await folder();
  await writeFile(path.join(workspace, 'out'), '');
  const result = await runScenario({
    head: 'clean',
    inputs: { 'report-file': 'out/scan.json' },
    run: () => ({ workspace }),
  });
  expect(result.run.exitCode).toBe(0);
  expect(result.run.log).toContain('##[warning]Could not write the JSON report');
});
