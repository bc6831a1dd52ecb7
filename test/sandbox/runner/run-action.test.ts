import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pullRequestEvent } from '../../../sandbox/events.ts';
import { type RunActionOptions, runAction } from '../../../sandbox/runner/run-action.ts';

const actionDirectory = 'test/fixtures/runner-action';
const pull = { repository: 'octo-org/demo', number: 7, headSha: 'a'.repeat(40), baseRef: 'main' };
const payload = pullRequestEvent(pull);
const event = { name: 'pull_request', payload };

function run(script: string, options: Partial<RunActionOptions> = {}) {
  const inputs = { script, ...options.inputs };
  return runAction({ actionDirectory, event, token: 'ghs_workflow', ...options, inputs });
}

/** The environment that a step sees. */
async function environmentOf(options: Partial<RunActionOptions> = {}): Promise<Record<string, unknown>> {
  const { stdout } = await run('console.log(JSON.stringify(process.env))', options);
  return Object(JSON.parse(stdout));
}

test('an input that `with` does not set gets its default, and an undeclared one causes a warning', async () => {
  const script = 'console.log(JSON.stringify(process.env))';
  const inputs = { 'With-Dash': '1', surplus: 'x' };
  const { stdout, annotations, conclusion } = await run(script, { inputs });
  const seen: object = Object(JSON.parse(stdout));
  expect(Object.fromEntries(Object.entries(seen).filter(([name]) => /^INPUT_(?!SCRIPT)/.test(name)))).toEqual(
    {
      INPUT_TWO_WORDS: 'spaced',
      'INPUT_WITH-DASH': '1',
      INPUT_TOKEN: 'ghs_workflow',
      INPUT_ADDRESS: 'at https://github.com/octo-org/demo',
      INPUT_NOTHING: '',
      INPUT_SURPLUS: 'x',
    },
  );
  expect(conclusion).toBe('success');
  expect(annotations.map(({ message }) => message)).toEqual([
    "Unexpected input(s) 'surplus', valid inputs are ['script', 'two words', 'with-dash', 'token', 'address', 'nothing']",
  ]);
});

test('a step gets the variables of a hosted runner and of the event instead of those of the test process', async () => {
  process.env['SCANGATE_OUTSIDE'] = 'leak';
  onTestFinished(() => void delete process.env['SCANGATE_OUTSIDE']);
  const seen = await environmentOf({ env: { MINE: '1' }, runId: 12, runAttempt: 3 });
  expect(seen).toMatchObject({
    ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'pull_request', 'INPUT_WITH-DASH': '60' },
    ...{ GITHUB_REPOSITORY: 'octo-org/demo', GITHUB_REPOSITORY_OWNER: 'octo-org', MINE: '1' },
    ...{ GITHUB_REF: 'refs/pull/7/merge', GITHUB_BASE_REF: 'main' },
    ...{ GITHUB_RUN_ID: '12', GITHUB_RUN_ATTEMPT: '3' },
    RUNNER_TEMP: expect.stringMatching(/^\//),
  });
  expect(seen['GITHUB_SHA']).not.toBe(pull.headSha);
  expect(seen).not.toHaveProperty('SCANGATE_OUTSIDE');
  expect(seen).not.toHaveProperty('GITHUB_TOKEN');
  expect(existsSync(String(seen['RUNNER_TEMP']))).toBe(false);
  const target = await environmentOf({ event: { name: 'pull_request_target', payload } });
  expect(target['GITHUB_REF']).toBe('refs/heads/main');
  const pushed = { ref: 'refs/heads/x', after: 'b'.repeat(40) };
  expect(await environmentOf({ event: { name: 'push', payload: pushed } })).toMatchObject({
    GITHUB_REF_NAME: 'x',
    GITHUB_SHA: pushed.after,
  });
});

test('a step can read the event, and runs in the workspace, which is kept', async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'scangate-test-'));
  onTestFinished(() => rm(workspace, { recursive: true }));
  await run('fs.copyFileSync(process.env.GITHUB_EVENT_PATH, "event.json")', { workspace });
  expect(JSON.parse(await readFile(join(workspace, 'event.json'), 'utf8'))).toEqual(payload);
});

describe('what a step leaves', () => {
  const append = (file: string, text: string) =>
    `fs.appendFileSync(process.env.${file}, ${JSON.stringify(text)});`;

  test('the result of a step includes its outputs, saved state, environment variables, paths, summary and exit code', async () => {
    const result = await run(
      [
        append('GITHUB_OUTPUT', 'result<<E\none\ntwo\nE\n'),
        append('GITHUB_STATE', 'scan=1\n'),
        append('GITHUB_ENV', 'A=b\nNODE_OPTIONS=--x\n'),
        append('GITHUB_PATH', '/opt/x\n'),
        append('GITHUB_STEP_SUMMARY', '# Hi ghs_workflow\n'),
        'process.exitCode = 3;',
      ].join(''),
    );
    expect(result).toMatchObject({
      ...{ conclusion: 'failure', exitCode: 3, signal: null },
      outputs: { result: 'one\ntwo' },
      state: { scan: '1' },
      env: { A: 'b' },
      path: ['/opt/x'],
      summary: '# Hi ***\n',
    });
    expect(result.env).not.toHaveProperty('NODE_OPTIONS');
    const post = await runAction({ actionDirectory, event, step: 'post', state: result.state });
    expect(post.log).toBe('post sees "1"\n');
  });

  test('a step fails with a message if it wrote an invalid output file', async () => {
    const result = await run(append('GITHUB_OUTPUT', 'a=1\nresult<<E\nx'));
    expect(result).toMatchObject({ exitCode: 0, conclusion: 'failure', outputs: { a: '1' } });
    expect(result.log).toMatch(
      /Unable to process file command 'output' successfully\..*EOF marker missing new line/s,
    );
  });

  test('a job summary over 1 MiB is left out, and the step succeeds', async () => {
    const write = (bytes: number) =>
      run(`fs.writeFileSync(process.env.GITHUB_STEP_SUMMARY, "x".repeat(${bytes}))`);
    expect(await write(1024 * 1024 + 1)).toMatchObject({
      ...{ summary: '', conclusion: 'success' },
      annotations: [
        { message: expect.stringContaining('supports content up to a size of 1024k, got 1024k') },
      ],
    });
    expect((await write(1024 * 1024)).summary).toHaveLength(1024 * 1024);
  });

  test('the log of a step masks the token and the values of `add-mask`', async () => {
    const { log, stdout, masks } = await run(
      'console.log("a ghs_workflow topsecret"); console.log("::add-mask::topsecret"); console.error("b topsecret")',
    );
    expect(log).toBe('a *** topsecret\nb ***\n');
    expect(stdout).toContain('ghs_workflow');
    expect(masks).toEqual(['ghs_workflow', 'topsecret']);
  });
});

describe('the end of a step', () => {
  const announce = 'console.log("ready"); setInterval(() => {}, 1000);';
  const onReady = (act: NonNullable<RunActionOptions['onLine']>): Partial<RunActionOptions> => ({
    onLine: (line, controls) => line === 'ready' && act(line, controls),
  });
  const cancelled = onReady((_, controls) => controls.cancel());

  test('a cancelled step that exits on SIGINT gets no second signal', async () => {
    const script = `process.on("SIGINT", () => { console.log("bye"); process.exit(1); }); ${announce}`;
    const result = await run(script, cancelled);
    expect(result).toMatchObject({ exitCode: 1, conclusion: 'cancelled' });
    expect(result.log).toContain('bye\n##[error]The operation was canceled.');
  });

  test('a cancelled step that does not exit gets SIGTERM, and then SIGKILL', async () => {
    const deaf = ['int', 'term'].map(
      (name) => `process.on("SIG${name.toUpperCase()}", () => console.log("${name}"));`,
    );
    const cancelWaits = { sigintMs: 150, sigtermMs: 150 };
    const result = await run(`${deaf.join('')} ${announce}`, { cancelWaits, ...cancelled });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', conclusion: 'cancelled' });
    expect(result.stdout).toBe('ready\nint\nterm\n');
  });

  test('a promise can cancel a step', async () => {
    const ready = Promise.withResolvers<void>();
    const options = { cancelAfter: ready.promise, ...onReady(() => ready.resolve()) };
    expect(await run(announce, options)).toMatchObject({ signal: 'SIGINT', conclusion: 'cancelled' });
  });

  test('if the machine is lost, the step ends with SIGKILL', async () => {
    const script = `fs.appendFileSync(process.env.GITHUB_STATE, "scan=1\\n"); ${announce}`;
    const result = await run(
      script,
      onReady((_, controls) => controls.kill('SIGKILL')),
    );
    expect(result).toMatchObject({ signal: 'SIGKILL', conclusion: 'failure', state: { scan: '1' } });
  });
});

test('in a step with a time scale, timers run faster than real time, and not slower after a destroyed stream', async () => {
  const script = `
    const { createGunzip, gzipSync } = await import('node:zlib');
    const { promisify } = await import('node:util');
    const plain = createGunzip();
    plain.on('error', () => {});
    plain.write(gzipSync(Buffer.alloc(40_000_000)));
    setImmediate(() => plain.destroy());
    const before = performance.now();
    await new Promise((done) => setTimeout(done, 600_000));
    await promisify(setTimeout)(600_000);
    console.log(Math.round((performance.now() - before) / 600_000));
  `;
  const { stdout, durationMs, stderr } = await run(script, { timeScale: 1000 });
  expect(stderr).toBe('');
  // On a busy machine, a timer may fire late, but never early.
  expect(Number(stdout)).toBeGreaterThanOrEqual(2);
  // For the step, the two waits take twenty minutes. In real time, they take less than one minute.
  expect(durationMs).toBeLessThan(60_000);
});

test('a step with a time scale runs timers in real time while it decompresses', async () => {
  const script = `
    const { createGunzip, gzipSync } = await import('node:zlib');
    const bomb = gzipSync(Buffer.alloc(40_000_000));
    let fired = false;
    setTimeout(() => { fired = true; }, 30_000);
    const plain = createGunzip();
    plain.end(bomb);
    let length = 0;
    for await (const chunk of plain) length += chunk.length;
    console.log(length, fired);
    process.exit();
  `;
  const { stdout, stderr } = await run(script, { timeScale: 1000 });
  expect([stdout, stderr]).toEqual(['40000000 false\n', '']);
});
