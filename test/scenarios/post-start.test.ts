import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { STATE_NAMES } from '../../src/runner/state-names.ts';

const POST = path.resolve(import.meta.dirname, '../../dist/post/index.js');
/**
 * Modules that load slowly: `child_process` for GitHub's toolkit, `crypto` for keys, `http` for requests, and `net` for
 * the log.
 */
const DEAR = ['child_process', 'crypto', 'http', 'net'];

/** Runs the bundle of `post` with this environment. */
function startPost(env: NodeJS.ProcessEnv): { readonly exitCode: number | null; readonly loaded: string[] } {
  const script = `
    const loadedModules = () => JSON.stringify(process.moduleLoadList);
    process.on('exit', () => console.error(loadedModules()));
    await import(${JSON.stringify(pathToFileURL(POST).href)});
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env,
    encoding: 'utf8',
  });
  const modules: readonly string[] = JSON.parse(stderr);
  return { exitCode: status, loaded: DEAR.filter((name) => modules.includes(`NativeModule ${name}`)) };
}

test('`post` loads no slow module if the run left nothing to clean up', () => {
  expect(startPost({})).toEqual({ exitCode: 0, loaded: [] });
  const empty = Object.values(STATE_NAMES).map((name) => [`STATE_${name}`, '']);
  expect(startPost(Object.fromEntries(empty))).toEqual({ exitCode: 0, loaded: [] });
});

test.each(Object.values(STATE_NAMES))(
  '`post` loads the network module if the run saved the state `%s`',
  (name) => {
    // `post` cannot read this state, so it sends no request, and loads only the module `net` for its log.
    expect(startPost({ [`STATE_${name}`]: '{' })).toEqual({ exitCode: 0, loaded: ['net'] });
  },
);
