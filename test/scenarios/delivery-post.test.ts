import { expect, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import type { StepControls } from '../../sandbox/runner/step-process.ts';
import { play, prepare, type Scene } from './story.ts';

const HOLDING = { service: { pace: { hold: true } } };

/** Plays `main` on a machine that goes away in the middle of the scan: when the check run has been begun. */
async function playKilled({ stage }: Scene): Promise<ActionRun> {
  const run = await stage.run({
    onLine: (line, { kill }) => {
      // The first poll's answer: by then the launch is saved; the check run may take a moment more.
      if (line.includes('Scan queued') || line.includes('Scan running')) {
        void stage
          .when(() => stage.github.checkRuns.length > 0)
          .then(() => stage.pause(2_000))
          .then(() => kill('SIGKILL'));
      }
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  return run;
}

function playPost({ stage }: Scene, options: EnvironmentRunOptions): Promise<ActionRun> {
  return stage.run({ step: 'post', ...options });
}

/** How many requests any server has seen. */
function calls({ stage }: Scene): number {
  return stage.service.requests.length + stage.github.requests.length;
}

test.each([
  ['as it is', {}],
  ['and a service that is gone', { 'base-url': 'http://127.0.0.1:9/api/v1' }],
  ['and inputs that are wrong', { 'base-url': '', 'api-token': '', 'fail-on': 'hihg' }],
])('with nothing to do %s, it makes no call and is green', async (_what, inputs) => {
  const scene = await prepare({});
  const post = await playPost(scene, { inputs });
  expect({ exitCode: post.exitCode, log: post.log }).toEqual({ exitCode: 0, log: '' });
  expect(calls(scene)).toBe(0);
});

test.each(['{', '{"scanId":7}', 'null', '"scan"'])(
  'a state that is none of ours makes no call, and is told: %s',
  async (text) => {
    const scene = await prepare({ driver: 'bundle' });
    const post = await playPost(scene, { state: { 'running-scan': text } });
    expect(post.exitCode, post.log).toBe(0);
    expect(post.log).toContain(
      '##[warning]Could not read what the job saved, so a scan may still be running',
    );
    expect(calls(scene)).toBe(0);
  },
);

test.each(['clean', 'vulnerable', 'behind'] as const)(
  'after a run to its end (%s) it does nothing',
  async (head) => {
    const scene = await prepare({ head });
    const { run } = await play(scene);
    const before = calls(scene);
    const post = await playPost(scene, { state: run.state });
    expect(post.exitCode, post.log).toBe(0);
    expect(calls(scene)).toBe(before);
  },
);

test('after a machine that went away, it cancels the scan and completes the check run', async () => {
  const scene = await prepare(HOLDING);
  const run = await playKilled(scene);
  const { service, github } = scene.stage;
  expect(service.ledger().reserved).toBe(20);
  expect(github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  for (const token of [service.token, github.token]) expect(JSON.stringify(run.state)).not.toContain(token);

  const post = await playPost(scene, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(service.ledger().reserved).toBe(0);
  expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }]);
  expect(post.log).toContain('Reserved credits are released; completed work is still charged');
  for (const token of [service.token, github.token]) expect(post.log).not.toContain(token);
  expect(service.requests.map(({ point }) => point).filter((point) => point === 'scans.launch')).toHaveLength(
    1,
  );
});

test('a scan that ended meanwhile is fine', async () => {
  const scene = await prepare(HOLDING);
  const run = await playKilled(scene);
  const { service, github } = scene.stage;
  service.control.fail(service.scans()[0]?.id ?? '');
  const post = await playPost(scene, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(post.log).toContain('had already ended as FAILED');
  expect(github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }]);
});

test('without the token it says what is left running, and completes the check run all the same', async () => {
  const scene = await prepare(HOLDING);
  const run = await playKilled(scene);
  const post = await playPost(scene, { state: run.state, inputs: { 'api-token': '' } });
  expect(post.exitCode).toBe(1);
  expect(post.log).toContain(
    '##[error]`api-token` or `base-url` is unavailable in the post step, so the scan could not be cancelled.',
  );
  expect(post.log).toContain(
    `Scan \`${scene.stage.service.scans()[0]?.id}\` may still be running. Cancel it`,
  );
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }]);
  expect(scene.stage.service.requests.filter(({ point }) => point === 'scans.cancel')).toEqual([]);
});

test('a service that is gone: it says what is left running, and gives up', async () => {
  const scene = await prepare(HOLDING);
  const run = await playKilled(scene);
  const post = await playPost(scene, {
    state: run.state,
    inputs: { 'base-url': 'http://127.0.0.1:9/api/v1' },
  });
  expect(post.exitCode).toBe(1);
  expect(post.log).toContain('Could not cancel scan');
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'cancelled' }]);
});

test('a GitHub that refuses does not keep it from cancelling', async () => {
  const scene = await prepare(HOLDING);
  const run = await playKilled(scene);
  Object.assign(scene.stage.github.permissions, { checks: 'none' });
  const post = await playPost(scene, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(post.log).toContain('checks: write');
  expect(scene.stage.service.ledger().reserved).toBe(0);
});

/** Plays `main` on a machine that goes away while GitHub is asked for `point`, when `when` holds. */
async function playKilledAt(point: string, when: (scene: Scene) => boolean = () => true) {
  let controls: StepControls | undefined;
  let hung = false;
  const scene = await prepare({
    head: 'clean',
    github: {
      intercept: (request) => {
        if (request.point !== point || hung) return undefined;
        hung = true;
        void scene.stage.when(() => when(scene)).then(() => controls?.kill('SIGKILL'));
        return { fault: 'hang-before' };
      },
    },
  });
  const run = await scene.stage.run({
    inputs: { comment: 'always' },
    onStart: (given) => {
      controls = given;
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  return { scene, run };
}

test('a verdict that was delivered before the machine went away stands', async () => {
  const { scene, run } = await playKilledAt('comments.create', ({ stage }) =>
    stage.github.checkRuns.every(({ status }) => status === 'completed'),
  );
  const delivered = structuredClone(scene.stage.github.checkRuns);
  expect(delivered).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  const post = await playPost(scene, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(scene.stage.github.checkRuns).toEqual(delivered);
  expect(scene.stage.service.scans()).toMatchObject([{ status: 'COMPLETED' }]);
});

test('a verdict that the machine could not deliver is written by post', async () => {
  const { scene, run } = await playKilledAt('check.update');
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  const post = await playPost(scene, { state: run.state });
  expect(post.exitCode, post.log).toBe(0);
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
});

test('a check run whose creation was lost is completed, and stays the only one', async () => {
  let creations = 0;
  let lostLists = 0;
  const scene = await prepare({
    head: 'clean',
    github: {
      intercept: ({ point }) => {
        if (point === 'check.create') creations += 1;
        // Neither the answer to the creation arrives nor, at every attempt, the list right after it.
        else if (point !== 'check.list' || creations === 0 || lostLists === 3) return undefined;
        else lostLists += 1;
        return { fault: 'reset-after' };
      },
    },
  });
  const { run } = await play(scene);
  expect(run.outputs, run.log).toMatchObject({ outcome: 'passed' });
  expect({ creations, lostLists }).toEqual({ creations: 1, lostLists: 3 });
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'success' }]);
  expect(run.state).toEqual({ 'running-scan': '', 'open-check-run': '' });
});
