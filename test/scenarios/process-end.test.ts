import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import type { StepControls } from '../../sandbox/runner/step-process.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { prepare, runPrepared, type ScenarioResult } from './scenario.ts';

/** Runs the action. When the action sends a request of the kind `point`, `act` decides what happens to the process. */
async function runUntil(
  point: string,
  act: (controls: StepControls) => void,
  options: {
    readonly answer?: Interception;
    readonly execArgv?: readonly string[];
    readonly hold?: true;
    readonly timeScale?: number;
  } = {},
): Promise<ScenarioResult> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const intercept = (request: { readonly point: string }) => {
    if (request.point !== point) return undefined;
    resolve();
    return options.answer;
  };
  const scenario = await prepare({
    driver: 'bundle',
    // Uses real time, because the process has only a few seconds after a signal.
    timeScale: options.timeScale ?? 1,
    service: { intercept, ...(options.hold ? { pace: { hold: true } } : {}) },
    github: { intercept },
  });
  return runPrepared(scenario, {
    inputs: EVERYTHING_ALLOWED,
    run: () => ({
      ...(options.execArgv === undefined ? {} : { execArgv: options.execArgv }),
      onStart: (controls) => void asked.then(() => act(controls)),
    }),
  });
}

test('even with `allow-unscanned: timeout`, a run fails if it gets a signal after its timeout', async () => {
  const result = await runUntil('scans.cancel', (controls) => controls.kill('SIGTERM'), {
    answer: { fault: 'hang-before' },
    hold: true,
    timeScale: 20,
  });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'timeout' });
  expect(result.run.exitCode).toBe(1);
});

test('if stdout is closed before the verdict, a run fails and cancels the scan', async () => {
  const result = await runUntil('scans.read', (controls) => controls.closeOutput(), { hold: true });
  expect(result.run.stderr).toContain('stdout was closed');
  expect(result.run.stderr).not.toContain('    at ');
  expect({ exitCode: result.run.exitCode, signal: result.run.signal }).toEqual({ exitCode: 1, signal: null });
  expect(result.run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'scan-cancelled' });
  expect(result.environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
});

test('if stdout is closed after the verdict, a run ends as usual', async () => {
  const result = await runUntil('comments.create', (controls) => controls.closeOutput());
  expect(result.run.outputs).toMatchObject({ outcome: 'blocked' });
  expect(result.environment.github.comments).toHaveLength(1);
  expect(result.environment.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
});

test('after an uncaught error, a run fails with a message, and `post` cancels the scan', async () => {
  const fault = "process.on('SIGUSR2', () => { Promise.reject(new Error('an uncaught error')); })";
  const result = await runUntil('scans.read', (controls) => controls.kill('SIGUSR2'), {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(fault)}`],
    hold: true,
  });
  const { run, environment } = result;
  expect(run.log).toContain(
    '##[error]Not scanned: unexpected error (an uncaught error). Please open an issue in the Scangate repository.',
  );
  expect(run.stderr).toBe('');
  expect({ exitCode: run.exitCode, outcome: run.outputs['outcome'] }).toEqual({
    exitCode: 1,
    outcome: 'not-scanned',
  });
  const post = await environment.run({ step: 'post', state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
});

test('the `post` step cancels the scan even if it gets a signal', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: answer, resolve: answerAsUsual } = Promise.withResolvers<undefined>();
  const { environment } = await prepare({
    driver: 'bundle',
    timeScale: 1,
    service: {
      pace: { hold: true },
      intercept: ({ point }) => {
        if (point !== 'scans.cancel') return undefined;
        ask();
        return answer;
      },
    },
  });
  const killed = await environment.run({
    onLine: (line, { kill }) => {
      if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
    },
  });
  const post = await environment.run({
    step: 'post',
    state: killed.state,
    onStart: ({ kill }) =>
      void asked.then(() => {
        kill('SIGINT');
        answerAsUsual(undefined);
      }),
  });
  expect({ exitCode: post.exitCode, signal: post.signal }, post.log).toEqual({ exitCode: 0, signal: null });
  expect(environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
});
