import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../../sandbox/environment.ts';
import type { ActionRun } from '../../../sandbox/runner/action-run.ts';
import type { StepControls } from '../../../sandbox/runner/step-process.ts';
import { type Head, openRepository } from '../../scenarios/repository.ts';
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

describe('both drivers show the same run', () => {
  test.each<[what: string, head: Head, options: Partial<TestEnvironmentOptions>, run: EnvironmentRunOptions]>(
    [
      ['that blocks', 'vulnerable', {}, { inputs: { publish: 'always', 'report-file': 'report.json' } }],
      ['that passes', 'clean', {}, { inputs: { comment: 'always' } }],
      ['without a change', 'behind', {}, {}],
      ['whose scan failed', 'vulnerable', { service: { pace: { ending: 'FAILED' } } }, {}],
      ['with wrong inputs', 'vulnerable', {}, { inputs: { 'fail-on': 'hihg', invalid: 'x' } }],
      ['that may write nothing', 'vulnerable', { github: { permissions: { contents: 'read' } } }, {}],
    ],
  )('both drivers give the same result for a run %s', async (_what, head, options, given) => {
    const runs = await Promise.all(
      (['in process', 'bundle'] as const).map(async (driver) =>
        (await open(driver, head, options)).run(given),
      ),
    );
    const [inProcess, bundle] = runs.map(shown);
    expect(inProcess).toEqual(bundle);
  });
});

describe('in process', () => {
  test('the in-process driver can start jobs of one environment at different times', async () => {
    const environment = await open('in process', 'clean', { service: { pace: { phasesPerPoll: 1 } } });
    const started: number[] = [];
    const startedAt = environment.service.requests;
    const job = async (delay: number, runId: number) => {
      if (delay > 0) await environment.pause(delay);
      started.push(startedAt.length);
      return environment.run({ runId });
    };
    const runs = await Promise.all([job(0, 1), job(1_500, 2), job(4_000, 3)]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(environment.github.checkRuns).toHaveLength(3);
    // New requests arrived between the starts of the runs.
    expect(started).toEqual(started.toSorted((a, b) => a - b));
    expect(new Set(started).size).toBe(3);
  });

  test('the in-process driver can kill a job, cancel a job, and run the post step', async () => {
    const environment = await open('in process', 'vulnerable', { service: { pace: { hold: true } } });
    const killed = await environment.run({
      onStart: ({ kill }) => void environment.pause(20_000).then(() => kill('SIGKILL')),
    });
    expect(killed).toMatchObject({ exitCode: null, signal: 'SIGKILL', conclusion: 'failure' });
    expect(environment.service.ledger().reserved).toBe(20);
    const post = await environment.run({ step: 'post', state: killed.state });
    expect(post).toMatchObject({ exitCode: 0 });
    expect(environment.service.ledger().reserved).toBe(0);

    const controls: StepControls[] = [];
    const cancelled = await environment.run({
      runId: 2,
      onStart: (given) => {
        controls.push(given);
        void environment.pause(20_000).then(given.cancel);
      },
    });
    expect(cancelled).toMatchObject({ exitCode: 1, signal: null, conclusion: 'cancelled' });
    expect(environment.service.scans().map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED']);
  });

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
    ['a state that cannot be read', { step: 'post', state: { 'running-scan': '{' } }],
  ])('the in-process driver refuses a run with %s', async (_what, options) => {
    const environment = await open('in process');
    await expect(environment.run(options)).rejects.toThrow('needs the bundle');
  });
});

describe.each(['in process', 'bundle'] as const)('%s', (driver) => {
  test(`the driver \`${driver}\` searches a run for secrets`, async () => {
    const environment = await open(driver, 'behind');
    await expect(
      environment.run({ inputs: { 'check-name': `x ${environment.github.token}` } }),
    ).rejects.toThrow('places that hold a secret');
  });
});
