import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')),
);
/** The scripts of package.json that are files of this repository. */
const OWN = new Map(
  Object.entries(scripts).flatMap(([name, command]): [name: string, file: string][] => {
    const file = /^node (?:--\S+ )*(\S+\.ts)$/.exec(command)?.[1];
    return file === undefined ? [] : [[name, file]];
  }),
);

function run(script: string, args: readonly string[], cwd = ROOT) {
  const file = path.join(ROOT, OWN.get(script) ?? '');
  const { INIT_CWD: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr, hasStack: /\n\s+at /.test(stderr) };
}

test.each([
  ['build', ['--no-such-option'], "Unknown option '--no-such-option'."],
  [
    'build',
    [path.join(ROOT, 'LICENSE')],
    `${path.join(ROOT, 'LICENSE')} is not a folder. Use the path of an empty folder.`,
  ],
  ['build', ['a', 'b'], 'There is more than one FOLDER. Use one.'],
])('`npm run %s` with the arguments %j says what to do, and exits with 2', (name, args, says) => {
  const { stderr, ...ended } = run(name, args);
  expect(stderr.split('\n')[0]).toBe(says);
  expect(ended).toEqual({ status: 2, stdout: '', hasStack: false });
});

test('`npm run build` refuses a folder that holds other files, and keeps them', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'scangate-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'src/main.ts'), '');
  const { status, stderr } = run('build', [folder]);
  expect(stderr).toBe(`${folder} holds other files, which the build would delete. Use an empty folder.\n`);
  expect(status).toBe(2);
  expect(existsSync(path.join(folder, 'src/main.ts'))).toBe(true);
});
