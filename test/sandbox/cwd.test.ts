import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveFromCwd } from '../../sandbox/cwd.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('a relative path is resolved from the folder where npm was called, and without npm from the working directory', () => {
  expect(resolveFromCwd('a/../b', { INIT_CWD: '/home/me' })).toBe('/home/me/b');
  expect(resolveFromCwd('/b', { INIT_CWD: '/home/me' })).toBe('/b');
  for (const variables of [{}, { INIT_CWD: '' }]) {
    expect(resolveFromCwd('b', variables)).toBe(path.join(process.cwd(), 'b'));
  }
});

test.each<[script: string, args: (name: string) => string[]]>([
  ['sandbox/serve/main.ts', (name) => ['--repository', name]],
  ['sandbox/serve/main.ts', (name) => ['--data', `${name}/no/more`]],
  ['sandbox/demo/main.ts', (name) => ['--repo', name, '--base', 'a', '--head', 'b']],
  ['scripts/contract.ts', (name) => [name]],
])('%s resolves a relative path from the folder where npm was called (case %#)', (script, args) => {
  const here = realpathSync(mkdtempSync(path.join(tmpdir(), 'scangate-here-')));
  onTestFinished(() => rmSync(here, { recursive: true }));
  mkdirSync(path.join(here, 'shop'));
  const { status, stderr } = spawnSync(process.execPath, [path.join(ROOT, script), ...args('shop')], {
    cwd: ROOT,
    env: { ...process.env, INIT_CWD: here },
    encoding: 'utf8',
  });
  expect(stderr).toContain(path.join(here, 'shop'));
  expect(status).toBe(2);
});
