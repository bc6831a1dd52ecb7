import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pullRequestEvent } from '../../../sandbox/events.ts';
import { type RunActionOptions, runAction } from '../../../sandbox/runner/run-action.ts';

const actionDirectory = 'test/fixtures/runner-action';
const payload = pullRequestEvent({
  repository: 'octo-org/demo',
  number: 7,
  headSha: 'a'.repeat(40),
  baseRef: 'main',
});
const event = { name: 'pull_request', payload };

function run(script: string, options: Partial<RunActionOptions> = {}) {
  const inputs = { script, ...options.inputs };
  return runAction({ actionDirectory, event, token: 'ghs_workflow', ...options, inputs });
}

/** The environment that a step sees. */
async function environmentOf(options: Partial<RunActionOptions> = {}): Promise<Map<string, unknown>> {
  const { stdout } = await run('console.log(JSON.stringify(process.env))', options);
  const parsed: unknown = JSON.parse(stdout);
  return new Map(Object.entries(parsed ?? {}));
}

describe('inputs', () => {
  test('an input that `with` does not set gets its default value', async () => {
    const seen = await environmentOf({ inputs: { 'With-Dash': '1', surplus: 'x' } });
    expect(Object.fromEntries([...seen].filter(([name]) => /^INPUT_(?!SCRIPT)/.test(name)))).toEqual({
      INPUT_TWO_WORDS: 'spaced',
      'INPUT_WITH-DASH': '1',
      INPUT_TOKEN: 'ghs_workflow',
      INPUT_ADDRESS: 'at https://github.com/octo-org/demo',
      INPUT_NOTHING: '',
      INPUT_OLD: '',
      INPUT_SURPLUS: 'x',
    });
    expect((await environmentOf()).get('INPUT_WITH-DASH')).toBe('60');
  });

  test('an undeclared or deprecated input causes a warning', async () => {
    const { annotations, conclusion } = await run('', { inputs: { surplus: 'x', old: 'y' } });
    expect(conclusion).toBe('success');
    expect(annotations.map(({ message }) => message)).toEqual([
      "Input 'old' has been deprecated with message: use script",
      "Unexpected input(s) 'surplus', valid inputs are ['script', 'two words', 'with-dash', 'token', 'address', 'nothing', 'old']",
    ]);
  });
});

describe('the environment', () => {
  test('a step gets the variables of a hosted runner instead of those of the test process', async () => {
    process.env['SCANGATE_OUTSIDE'] = 'leak';
    onTestFinished(() => {
      delete process.env['SCANGATE_OUTSIDE'];
    });
    const seen = await environmentOf({ env: { MINE: '1' }, runId: 12, runAttempt: 3 });
    expect(Object.fromEntries(seen)).toMatchObject({
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_REPOSITORY: 'octo-org/demo',
      GITHUB_REPOSITORY_OWNER: 'octo-org',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_BASE_REF: 'main',
      GITHUB_RUN_ID: '12',
      GITHUB_RUN_ATTEMPT: '3',
      RUNNER_TEMP: expect.stringMatching(/^\//),
      RUNNER_TOOL_CACHE: expect.stringMatching(/^\//),
      MINE: '1',
    });
    expect(seen.get('GITHUB_SHA')).not.toBe('a'.repeat(40));
    expect(seen.has('SCANGATE_OUTSIDE')).toBe(false);
    expect(seen.has('GITHUB_TOKEN')).toBe(false);
    expect(existsSync(String(seen.get('RUNNER_TEMP')))).toBe(false);
  });

  test('a step can read the event, and runs in the workspace', async () => {
    const { stdout } = await run(
      'console.log(fs.readFileSync(process.env.GITHUB_EVENT_PATH, "utf8")); console.log(process.cwd() === fs.realpathSync(process.env.GITHUB_WORKSPACE))',
    );
    const [first = '', second] = stdout.split('\n');
    expect(JSON.parse(first)).toEqual(payload);
    expect(second).toBe('true');
  });

  test('a workspace that the test provides is kept after the step', async () => {
    const workspace = await mkdtemp(join(tmpdir(), 'scangate-test-'));
    onTestFinished(() => rm(workspace, { recursive: true }));
    await run('fs.writeFileSync("report.json", "{}")', { workspace });
    expect(await readFile(join(workspace, 'report.json'), 'utf8')).toBe('{}');
  });

  test('the environment of a step has the refs of the event', async () => {
    const target = await environmentOf({ event: { name: 'pull_request_target', payload } });
    expect(target.get('GITHUB_REF')).toBe('refs/heads/main');
    const push = await environmentOf({
      event: { name: 'push', payload: { ref: 'refs/heads/x', after: 'b'.repeat(40) } },
    });
    expect([push.get('GITHUB_REF_NAME'), push.get('GITHUB_SHA')]).toEqual(['x', 'b'.repeat(40)]);
  });
});

describe('what a step leaves', () => {
  const append = (file: string, text: string) =>
    `fs.appendFileSync(process.env.${file}, ${JSON.stringify(text)});`;

  test('the result of a step includes its outputs, saved state, environment variables, paths and job summary', async () => {
    const result = await run(
      append('GITHUB_OUTPUT', 'result<<E\none\ntwo\nE\n') +
        append('GITHUB_STATE', 'scan=1\n') +
        append('GITHUB_ENV', 'A=b\nNODE_OPTIONS=--x\n') +
        append('GITHUB_PATH', '/opt/x\n') +
        append('GITHUB_STEP_SUMMARY', '# Hi ghs_workflow\n'),
    );
    expect(result).toMatchObject({
      conclusion: 'success',
      exitCode: 0,
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
    expect([result.exitCode, result.conclusion, result.outputs]).toEqual([0, 'failure', { a: '1' }]);
    expect(result.log).toContain("Unable to process file command 'output' successfully.");
    expect(result.log).toContain('EOF marker missing new line');
  });

  test('a job summary over 1 MiB is left out, and the step succeeds', async () => {
    const write = (bytes: number) =>
      run(`fs.writeFileSync(process.env.GITHUB_STEP_SUMMARY, "x".repeat(${bytes}))`);
    const large = await write(1024 * 1024 + 1);
    expect([large.summary, large.conclusion]).toEqual(['', 'success']);
    expect(large.annotations[0]?.message).toContain('supports content up to a size of 1024k, got 1024k');
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

  test('the result of a step includes the exit code', async () => {
    expect(await run('process.exitCode = 3')).toMatchObject({
      exitCode: 3,
      conclusion: 'failure',
      signal: null,
    });
  });
});

describe('the end of a step', () => {
  const announce = 'console.log("ready"); setInterval(() => {}, 1000);';
  const cancelWaits = { sigintMs: 150, sigtermMs: 150 };

  test('a cancelled step that exits on SIGINT gets no second signal', async () => {
    const result = await run(
      `process.on("SIGINT", () => { console.log("bye"); process.exit(1); }); ${announce}`,
      {
        onLine: (line, controls) => line === 'ready' && controls.cancel(),
      },
    );
    expect(result).toMatchObject({ exitCode: 1, conclusion: 'cancelled' });
    expect(result.log).toContain('bye\n##[error]The operation was canceled.');
  });

  test('a cancelled step that does not exit gets SIGTERM, and then SIGKILL', async () => {
    const deaf =
      'process.on("SIGINT", () => console.log("int")); process.on("SIGTERM", () => console.log("term"));';
    const result = await run(`${deaf} ${announce}`, {
      cancelWaits,
      onLine: (line, controls) => line === 'ready' && controls.cancel(),
    });
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGKILL', conclusion: 'cancelled' });
    expect(result.stdout).toBe('ready\nint\nterm\n');
  });

  test('a promise can cancel a step', async () => {
    const ready = Promise.withResolvers<void>();
    const result = await run(announce, {
      cancelAfter: ready.promise,
      onLine: (line) => line === 'ready' && ready.resolve(),
    });
    expect(result).toMatchObject({ signal: 'SIGINT', conclusion: 'cancelled' });
  });

  test('if the machine is lost, the step ends with SIGKILL', async () => {
    const result = await run(`fs.appendFileSync(process.env.GITHUB_STATE, "scan=1\\n"); ${announce}`, {
      onLine: (line, controls) => line === 'ready' && controls.kill('SIGKILL'),
    });
    expect(result).toMatchObject({ signal: 'SIGKILL', conclusion: 'failure', state: { scan: '1' } });
  });
});

test('in a step with a time scale, timers run faster than real time', async () => {
  const script = `
    const { promisify } = await import('node:util');
    const before = performance.now();
    await new Promise((done) => setTimeout(done, 60_000));
    await promisify(setTimeout)(60_000);
    console.log(Math.round((performance.now() - before) / 60_000));
  `;
  const { stdout, durationMs, stderr } = await run(script, { timeScale: 1000 });
  expect(stderr).toBe('');
  // On a busy machine, a timer may fire late, but never early.
  expect(Number(stdout)).toBeGreaterThanOrEqual(2);
  // For the step, the two waits take two minutes. In real time, they take less than one minute.
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

test('a destroyed stream does not slow down the timers of a step', async () => {
  const script = `
    const { createGunzip, gzipSync } = await import('node:zlib');
    const plain = createGunzip();
    plain.on('error', () => {});
    plain.write(gzipSync(Buffer.alloc(40_000_000)));
    setImmediate(() => plain.destroy());
    await new Promise((done) => setTimeout(done, 600_000));
    console.log('over');
  `;
  const { stdout } = await run(script, { timeScale: 1000 });
  expect(stdout).toBe('over\n');
});
