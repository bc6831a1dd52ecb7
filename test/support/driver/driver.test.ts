import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../../sandbox/environment.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import { type Head, openRepository } from '../../scenarios/repository.ts';
import { rounds } from '../rounds.ts';
import type { SharedRepository } from '../shared-repository.ts';
import {
  type Driver,
  openEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
} from './environment.ts';
import { runInProcess } from './in-process.ts';
import { simulate } from './simulate.ts';

let repository: SharedRepository;
beforeAll(async () => {
  repository = await openRepository();
});

async function open(
  driver: Driver,
  head: Head = 'vulnerable',
  options: Partial<TestEnvironmentOptions> = {},
): Promise<TestEnvironment> {
  const headSha = repository.id(head);
  const environment = await openEnvironment({ driver, directory: repository.dir, headSha, ...options });
  onTestFinished(() => environment.close());
  return environment;
}

/**
 * What a run shows. Values that differ in each run are replaced. Lines are sorted, because some are printed
 * concurrently.
 */
function shown(run: ActionRun): unknown {
  const { 'public-password': password = '' } = run.outputs;
  const sorted = (text: string) => text.split('\n').toSorted();
  const text = JSON.stringify({
    ...run,
    durationMs: 0,
    masks: run.masks.length,
    state: Object.keys(run.state),
    log: sorted(run.log),
    stdout: sorted(run.stdout.replaceAll(/^::add-mask::.*$/gm, 'MASK')),
  });
  return JSON.parse(
    (password === '' ? text : text.replaceAll(password, 'PASSWORD'))
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
      .replaceAll(/public\/scans\/[\w-]+/g, 'PAGE')
      .replaceAll(/scan_\w+|\b[0-9a-f]{24,}\b/g, 'ID')
      .replaceAll(/after (?:\d+ \w+ ?)+/g, 'after TIME')
      .replaceAll(/\/[\w/.-]*scangate-[\w/-]+/g, 'FOLDER')
      .replaceAll(/(?:runs\/|checks\/|issuecomment-)\d+/g, 'NUMBER'),
  );
}

const RUNS: readonly [what: string, head: Head, Partial<TestEnvironmentOptions>, EnvironmentRunOptions][] = [
  ['that blocks', 'vulnerable', {}, { inputs: { publish: 'always', 'report-file': 'report.json' } }],
  ['that passes', 'clean', {}, { inputs: { comment: 'always' } }],
  ['without a change', 'behind', {}, {}],
  ['whose scan failed', 'vulnerable', { service: { pace: { ending: 'FAILED' } } }, {}],
  ['with wrong inputs', 'vulnerable', {}, { inputs: { 'fail-on': 'hihg', invalid: 'x' } }],
  ['that may write nothing', 'vulnerable', { github: { permissions: { contents: 'read' } } }, {}],
];

test.each(rounds(RUNS.slice(0, 1), RUNS))(
  'both drivers give the same result for a run %s',
  async (_what, head, options, given) => {
    const [inProcess, bundle] = await Promise.all(
      (['in process', 'bundle'] as const).map(async (driver) =>
        shown(await (await open(driver, head, options)).run(given)),
      ),
    );
    expect(inProcess).toEqual(bundle);
  },
);

describe('in process', () => {
  test('the in-process driver fails the test if a run waits for something that never happens', async () => {
    const { environment, ...simulation } = await simulate({
      directory: repository.dir,
      headSha: repository.id('clean'),
    });
    onTestFinished(() => environment.close());
    // Nothing can end the requests of this run: neither an answer nor a deadline.
    const deaf = {
      ...simulation,
      fetchOf: () => () => new Promise<Response>(() => {}),
      time: { ...simulation.time, clockOf: () => ({ ...simulation.time.clockOf({ alive: false }) }) },
    };
    await expect(runInProcess(deaf, environment.describeRun())).rejects.toThrow(
      'all work waits for something that never comes',
    );
  });

  test.each<[what: string, options: EnvironmentRunOptions]>([
    ['a variable that Node reads', { env: { NODE_OPTIONS: '' } }],
    ['an invalid environment', { env: { GITHUB_REPOSITORY: 'nobody' } }],
    ['arguments for Node', { execArgv: ['--no-warnings'] }],
  ])('the in-process driver refuses a run with %s', async (_what, options) => {
    const environment = await open('in process');
    await expect(environment.run(options)).rejects.toThrow('needs the bundle');
  });
});

test.each(['in process', 'bundle'] as const)('the driver `%s` searches a run for secrets', async (driver) => {
  const environment = await open(driver, 'behind');
  const inputs = { 'check-name': `x ${environment.github.token}` };
  await expect(environment.run({ inputs })).rejects.toThrow('places that hold a secret');
});
