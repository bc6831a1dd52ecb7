import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import { DEFAULT_PRESETS } from '../../sandbox/scan-service/options.ts';
import { fullScan, push } from './branch-events.ts';
import { expectNotScanned, expectResult } from './expect-result.ts';
import { VULNERABLE } from './repository.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const EVENTS = ['schedule', 'workflow_dispatch'] as const;
const onSchedule: Pick<ScenarioOptions, 'run'> = { run: (scenario) => fullScan(scenario, 'schedule') };
/** All findings in the head `vulnerable`: those of its change, and one in a file that the change does not touch. */
const ALL = VULNERABLE.total + 1;

function launchBodies({ environment }: Scenario): readonly unknown[] {
  return environment.service.requests.filter(({ point }) => point === 'scans.launch').map(({ body }) => body);
}

describe.each(EVENTS)('%s', (event) => {
  test(`for the event ${event}, a run scans all files of the commit and writes no comment`, async () => {
    const result = await runScenario({
      run: (scenario) => fullScan(scenario, event),
      inputs: { comment: 'always', 'paths-unscanned': 'src/**' },
    });
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings at or above high'],
    });
    const { run, environment, headSha } = result;
    expect(run.outputs).toMatchObject({
      'scan-kind': 'full',
      'base-commit': '',
      'head-commit': headSha,
      'comment-url': '',
      'findings-total': String(ALL),
    });
    const [body] = launchBodies(result);
    expect(body).toMatchObject({ presetRef: 'full-audit', commit: headSha });
    expect(body).not.toHaveProperty('baseCommit');
    expect(run.summary).toContain(`all files of <code>${headSha.slice(0, 7)}`);
    expect(environment.github.comments).toEqual([]);
    // A full scan asks GitHub only for its check run.
    expect(new Set(environment.github.requests.map(({ point }) => point))).toEqual(
      new Set(['check.list', 'check.create', 'check.update']),
    );
  });

  test(`after the event ${event}, the next run reuses the scan if the branch has not moved`, async () => {
    const scenario = await prepare({});
    const first = await runAgain(scenario, fullScan(scenario, event));
    const second = await runAgain(scenario, fullScan(scenario, 'schedule', { runId: 9_000_000_200 }));
    expect(second.run.outputs, second.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': first.run.outputs['scan-id'],
      'scan-reused': 'true',
      'credits-reserved': '0',
    });
    expectPaid(scenario, 1);
  });

  test(`for the event ${event}, a run launches no scan in a fork without the secret`, async () => {
    const result = await runScenario({
      run: (scenario) => {
        const { event: run, ...rest } = fullScan(scenario, event);
        const repository = run?.payload['repository'];
        const payload = {
          ...run?.payload,
          repository: { ...(isObject(repository) ? repository : {}), fork: true },
        };
        return { ...rest, event: { name: event, payload } };
      },
      inputs: { 'api-token': '' },
    });
    expectNotScanned(result, 'missing-token', {
      launches: 0,
      texts: ['add the secret to the fork'],
    });
    expect(result.run.summary).toContain('This commit has not been checked');
  });
});

describe('a full scan', () => {
  test('a run pays for a new full scan after the branch moved', async () => {
    const scenario = await prepare({});
    await runAgain(scenario, fullScan(scenario, 'schedule'));
    const sha = scenario.repository.id('and empty');
    const next = fullScan(scenario, 'schedule', { sha, runId: 9_000_000_200 });
    const again = await runAgain(scenario, next);
    expect(again.run.outputs, again.run.log).toMatchObject({ 'scan-reused': 'false', 'head-commit': sha });
    expectPaid(scenario, 2);
  });

  test('a full scan does not reuse the scan of a change, and a push does not reuse a full scan', async () => {
    const scenario = await prepare({ baseRef: 'stable' });
    await runPrepared(scenario);
    const full = await runAgain(scenario, fullScan(scenario, 'schedule'));
    expect(full.run.outputs, full.run.log).toMatchObject({
      'scan-kind': 'full',
      'scan-reused': 'false',
      'findings-total': String(ALL),
    });
    const pushed = await runAgain(scenario, push(scenario, { before: scenario.repository.id('behind') }));
    expect(pushed.run.outputs).toMatchObject({ 'scan-kind': 'diff', 'scan-reused': 'false' });
    expectPaid(scenario, 3);
  });

  test('the SARIF file of a full scan contains no base commit', async () => {
    const { run, workspace } = await runScenario({ ...onSchedule, inputs: { 'sarif-file': 'out.sarif' } });
    expect(run.outputs['sarif-file']).toBe(path.join(workspace, 'out.sarif'));
    const sarif = await readFile(path.join(workspace, 'out.sarif'), 'utf8');
    expect(sarif).toContain('"versionControlProvenance"');
    expect(sarif).not.toContain('baseCommit');
  });

  test('a full scan has a default timeout of almost six hours', async () => {
    // The default timeout is some hours, which is too long for the bundle even with a fast clock.
    const scenario = await prepare({
      driver: 'in process',
      service: { pace: { hold: true }, retryAfterSeconds: 600 },
    });
    const began = scenario.environment.now();
    const run = await scenario.environment.run(fullScan(scenario, 'schedule'));
    expect(run.outputs, run.log).toMatchObject({ reason: 'timeout', 'scan-kind': 'full' });
    expect((scenario.environment.now() - began) / 60_000).toBeCloseTo(350, -1);
    expect(countOf(scenario, 'service', 'scans.cancel')).toBe(1);
  });

  const REFUSED: readonly [string, ScenarioOptions, readonly string[]][] = [
    [
      'if the preset is a diff preset',
      { inputs: { preset: 'diff-review' } },
      ['diff-review scans a change', 'Set preset to a preset of another kind', 'full-audit (Full audit)'],
    ],
    [
      'if several presets are not diff presets',
      {
        service: {
          presets: [...DEFAULT_PRESETS, { ref: 'deep', name: 'Deep', kind: 'full', minCredits: 0 }],
        },
      },
      ['2 presets that do not look like diff presets', 'full-audit (Full audit)', 'deep (Deep)'],
    ],
    [
      'if all presets are diff presets',
      { service: { presets: DEFAULT_PRESETS.slice(0, 1) } },
      ['no preset besides diff presets', 'diff-review (Diff review)'],
    ],
    [
      'if the service refuses a launch without a base',
      {
        service: { presets: [{ ref: 'quick', name: 'Quick', kind: 'diff', minCredits: 0 }] },
      },
      ['The preset needs a base commit', 'set preset to one that is not a diff preset'],
    ],
    [
      'if the service refuses the launch because it finds no change',
      {
        service: {
          intercept: ({ point }) =>
            point === 'scans.launch'
              ? { status: 422, body: { error: { code: 'diff_empty', message: 'no change' } } }
              : undefined,
        },
      },
      ['The service looked for a change', 'Set preset to a preset that is not a diff preset'],
    ],
    [
      'if `base-commit` is set',
      { inputs: ({ repository }) => ({ 'base-commit': repository.id('start') }) },
      ['This event scans all files of the commit', 'Remove the base'],
    ],
    [
      'if `launch-parameters` sets a base',
      {
        inputs: ({ repository }) => ({
          'launch-parameters': JSON.stringify({ baseCommit: repository.id('start') }),
        }),
      },
      ['This event scans all files of the commit', 'Remove the base'],
    ],
  ];
  test.each(REFUSED)(
    'a run for a full scan ends with a configuration error %s',
    async (_what, options, texts) => {
      const result = await runScenario({ ...onSchedule, ...options });
      const launches = /needs a base|looked for a change/.test(texts.join()) ? 1 : 0;
      expectNotScanned(result, 'configuration', { launches, texts });
      expect(result.run.outputs['scan-kind']).toBe('full');
    },
  );

  test('a run for a full scan ends with a configuration error if GITHUB_SHA is not a commit id', async () => {
    const result = await runScenario({ run: (scenario) => fullScan(scenario, 'schedule', { sha: 'main' }) });
    expectNotScanned(result, 'configuration', { checkRun: false, launches: 0, texts: ['GITHUB_SHA'] });
    expect(result.run.outputs['scan-kind']).toBe('');
  });

  test('a run for a full scan ends with a configuration error if the launched scan shows a base', async () => {
    const result = await runScenario({
      ...onSchedule,
      service: (repository) => ({
        intercept: ({ point }) =>
          point === 'scans.read'
            ? {
                rewrite: ({ body, ...answer }) => ({
                  ...answer,
                  body:
                    isObject(body) && isObject(body['scan'])
                      ? { ...body, scan: { ...body['scan'], baseCommit: repository.id('start') } }
                      : body,
                }),
              }
            : undefined,
      }),
    });
    expect(result.run.outputs, result.run.log).toMatchObject({
      outcome: 'not-scanned',
      reason: 'configuration',
    });
    expect(result.run.summary).toContain('(no base)');
  });
});
