import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { cancelJob, close } from './effects.ts';
import { pushed, runAgain } from './reuse.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import { prepare, runScenario, type Scenario } from './scenario.ts';

/** Creates a temporary folder, and removes it after the test. */
async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'scangate-files-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}
const FILES = { 'sarif-file': 'out/scan.sarif', 'report-file': 'out/scan.json' };
const readJson = async (file = '') => JSON.parse(await readFile(file, 'utf8'));

const Report = v.object({
  findings: v.nullable(v.array(v.object({ id: v.string(), blocks: v.boolean() }))),
  creditsPullRequest: v.unknown(),
});
const Properties = v.object({ findingId: v.string(), label: v.string(), blocks: v.boolean() });
const Sarif = v.object({
  runs: v.tuple([
    v.object({
      versionControlProvenance: v.tuple([v.object({ revisionId: v.string() })]),
      results: v.array(v.object({ properties: Properties })),
    }),
  ]),
});

describe('the files of a run', () => {
  /** The JSON report, the SARIF file and the outputs agree about the findings. */
  const agree: End = async ({ run: { outputs }, headSha, workspace }) => {
    expect(outputs['report-file']).toBe(path.join(workspace, 'out/scan.json'));
    const json = await readJson(outputs['report-file']);
    expect(json).toMatchObject({
      exitCode: 1,
      baseCommit: outputs['base-commit'],
      headCommit: headSha,
      scan: { id: outputs['scan-id'], status: 'COMPLETED', creditsReserved: 20 },
      links: { checkRun: outputs['check-run-url'] },
      counts: { total: 4, reported: 3, blocking: 2, below: 1 },
    });
    const { findings } = v.parse(Report, json);
    const [sarif] = v.parse(Sarif, await readJson(outputs['sarif-file'])).runs;
    expect(sarif.versionControlProvenance[0].revisionId).toBe(headSha);
    expect(sarif.results.map(({ properties }) => [properties.findingId, properties.blocks])).toEqual(
      findings?.map(({ id, blocks }) => [id, blocks]),
    );
  };
  const holdsNoFindings: End = async ({ run }) =>
    expect(await readJson(run.outputs['report-file'])).toMatchObject({
      counts: null,
      findings: null,
      exitCode: run.exitCode,
    });
  const row = (
    what: string,
    more: Omit<RunRow, 'name' | 'inputs'> & { inputs?: Record<string, string> },
  ) => ({
    name: `a run writes the JSON report but no SARIF file if ${what}`,
    ...more,
    inputs: { ...FILES, ...more.inputs },
    ends: holdsNoFindings,
  });
  testRuns(
    [
      { name: 'the JSON report and the SARIF file agree with the outputs', inputs: FILES, ends: agree },
      row('the base already contains the head', { head: 'behind' }),
      row('the scan failed', { service: { pace: { ending: 'FAILED' } } }),
      row('several inputs are wrong', { inputs: { 'fail-on': 'x', comment: 'y' } }),
      row('the path of the SARIF file is outside of the workspace', { inputs: { 'sarif-file': '../x' } }),
      row('GitHub withholds the token', {
        inputs: { 'api-token': '', 'base-url': '' },
        event: () => ({ actor: 'dependabot[bot]' }),
      }),
      row('the pull request is closed', { meanwhile: [close] }),
      row('the job is cancelled', {
        service: { pace: { hold: true } },
        at: { 'scans.read 1': cancelJob },
      }),
      ...[{ 'report-file': '../scan.json' }, { 'report-file': 'scan.json', 'sarif-file': './scan.json' }].map(
        (inputs, index) => ({
          name: `a run writes no file if \`report-file\` is ${index === 0 ? 'outside of the workspace' : 'at the path of the SARIF file'}`,
          inputs,
          ends: (async ({ workspace }) => expect(await readdir(workspace)).toEqual([])) satisfies End,
        }),
      ),
    ],
    'files',
  );
});

test('the JSON report shows how long the scan took and which earlier head had the same files', async () => {
  const workspace = await folder();
  const scenario = await prepare({
    baseRef: 'stable',
    service: { pace: { phasesPerPoll: 1 }, retryAfterSeconds: 8 },
  });
  const inputs = { 'report-file': 'scan.json' };
  const run = { workspace };
  const read = () => readJson(path.join(workspace, 'scan.json'));
  await runAgain(scenario, run, inputs);
  const scanned = await read();
  expect(scanned).toMatchObject({ waitedForReadinessMs: 0, scanKind: 'diff', sameFilesAs: null });
  expect(scanned.scanMs).toBeGreaterThan(40_000);
  expect(scanned.totalMs).toBeGreaterThanOrEqual(scanned.scanMs);
  const push = pushed(scenario, scenario.headSha, scenario.repository.id('amended'));
  await runAgain(scenario, { ...push, ...run }, inputs);
  const reused = await read();
  expect(reused.sameFilesAs).toBe(scenario.headSha);
  expect(reused.scanMs).toBeLessThan(1_000);
});

describe('a path that leads elsewhere', () => {
  /** A workspace with two links that lead outside of it: one to a file that does not exist, one to a folder. */
  async function runLinked(inputs: Readonly<Record<string, string>>) {
    const [workspace, outside] = [await folder(), await folder()];
    await symlink(path.join(outside, 'stolen.json'), path.join(workspace, 'link.json'));
    await symlink(outside, path.join(workspace, 'linked'));
    await mkdir(path.join(workspace, 'folder'));
    await writeFile(path.join(workspace, 'scan.sarif'), 'earlier');
    await writeFile(path.join(outside, 'scan.json'), 'theirs');
    const { run, environment } = await runScenario({ head: 'medium', inputs, run: () => ({ workspace }) });
    expect(await readdir(outside)).toEqual(['scan.json']);
    expect(await readFile(path.join(outside, 'scan.json'), 'utf8')).toBe('theirs');
    return { run, environment, workspace };
  }

  test.each([
    ['link.json', 'through a link to a file'],
    ['linked/scan.json', 'through a link to a folder'],
    ['scan.sarif/scan.json', 'into a file'],
  ])('a run warns that it writes no JSON report to %s, %s', async (file) => {
    const { run } = await runLinked({ 'report-file': file });
    expect(run.outputs, run.log).toMatchObject({ outcome: 'passed', 'report-file': '' });
    expect(run.log).toContain('##[warning]Could not write the JSON report');
    expect(run.summary).toContain('Could not write the JSON report');
  });

  test.each(['link.json', 'scan.sarif'])(
    'a run replaces what is at the path of `sarif-file`: %s',
    async (file) => {
      const { run, workspace } = await runLinked({ 'sarif-file': file });
      const written = path.join(workspace, file);
      expect(run.outputs, run.log).toMatchObject({ outcome: 'passed', 'sarif-file': written });
      expect((await lstat(written)).isFile()).toBe(true);
      expect(await readFile(written, 'utf8')).not.toContain('earlier');
    },
  );

  // Wrong inputs may name the file by mistake, so it is kept.
  test.each([
    ['removes', { 'api-token': '' }],
    ['keeps', { 'api-token': '', 'base-url': 'http://scan.example' }],
  ])('a run without a result %s the SARIF file of an earlier run', async (what, inputs) => {
    const { run, workspace } = await runLinked({ 'sarif-file': 'scan.sarif', ...inputs });
    expect(run.outputs, run.log).toMatchObject({ reason: 'configuration', 'sarif-file': '' });
    expect((await readdir(workspace)).includes('scan.sarif')).toBe(what === 'keeps');
  });

  test.each([
    ['linked/scan.json', 'leads out of the workspace'],
    ['folder', 'EISDIR'],
  ])('a run is a configuration error if `sarif-file` is %s', async (file, why) => {
    const { run, environment } = await runLinked({
      'sarif-file': file,
      'allow-unscanned': 'unsupported-event',
    });
    expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
    expect(run.exitCode).toBe(1);
    expect(run.log).toContain('Could not remove the file at the path of `sarif-file`');
    expect(run.log).toContain(why);
    expect(environment.service.requests).toEqual([]);
  });
});

test.each([
  ['the runner names no file', ''],
  ['the file does not exist', '/nowhere/at/all/summary'],
])('a run keeps its verdict if it cannot write the job summary because %s', async (_why, file) => {
  const { run, environment } = await runScenario({
    driver: 'bundle',
    head: 'medium',
    run: () => ({ env: { GITHUB_STEP_SUMMARY: file } }),
  });
  expect(run.exitCode, run.log).toBe(0);
  expect(run.outputs['outcome']).toBe('passed');
  expect(run.log).toContain('##[warning]Could not write the job summary');
  expect(environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'neutral' }]);
});

test('a run fails, but keeps its check run, if it cannot write its outputs', async () => {
  const { environment } = await prepare({ driver: 'bundle', head: 'clean' });
  const run = await environment.run({ env: { GITHUB_OUTPUT: tmpdir() } });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain('##[error]Not scanned: unexpected error');
  expect(environment.service.ledger().reserved).toBe(0);
  const calls = () => environment.service.requests.length + environment.github.requests.length;
  const before = calls();
  const post = await environment.run({ step: 'post', state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(calls()).toBe(before);
  expect(environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
});

describe('a run that cannot begin', () => {
  /** Runs the bundle with files from an earlier run. GitHub's toolkit can print before the action masks its inputs. */
  async function runWith(scenario: Scenario, env: Readonly<Record<string, string>>) {
    const workspace = await folder();
    await writeFile(path.join(workspace, 'scan.sarif'), 'earlier');
    const inputs = { 'report-file': 'scan.json', 'sarif-file': 'scan.sarif' };
    const run: ActionRun = await scenario.environment.run({ workspace, inputs, env });
    expect(run.exitCode).toBe(1);
    expect(run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'configuration', 'scan-id': '' });
    expect(run.summary).toContain('## ⚠️ Not scanned');
    expect(run.summary).toContain('**Next step:**');
    expect(run.log + run.stderr).not.toContain('    at ');
    expect(scenario.environment.service.requests).toEqual([]);
    expect(await readdir(workspace)).toEqual(['scan.json']);
    for (const token of [scenario.environment.service.token, scenario.environment.github.token])
      expect(run.masks).toContain(token);
    return { run, report: await readJson(path.join(workspace, 'scan.json')) };
  }

  test.each([
    ['GITHUB_REPOSITORY', 'nothing', 'GITHUB_REPOSITORY is not of the form owner/name'],
    ['GITHUB_EVENT_PATH', '/nowhere/event.json', '`GITHUB_EVENT_PATH`: the file cannot be opened'],
  ])('a run with a wrong %s writes the job summary, the outputs and the report', async (name, value, why) => {
    const { run, report } = await runWith(await prepare({ driver: 'bundle' }), { [name]: value });
    expect(run.log).toContain(why);
    expect(report).toMatchObject({ reason: 'configuration' });
  });

  test('the JSON report shows how long the run took even if the event file is not JSON', async () => {
    // The file is large, and valid JSON except for its end, so that reading it takes some milliseconds.
    const eventPath = path.join(await folder(), 'event.json');
    await writeFile(eventPath, JSON.stringify('x'.repeat(50_000_000)).slice(0, -1));
    const { run, report } = await runWith(await prepare({ driver: 'bundle' }), {
      GITHUB_EVENT_PATH: eventPath,
    });
    expect(run.log).toContain('it is not JSON');
    expect(report.totalMs).toBeGreaterThan(3);
  });
});
