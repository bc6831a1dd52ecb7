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

test.each([...OWN.keys()])(
  '`npm run %s` refuses an unknown option with a sentence and exit code 2',
  (name) => {
    const { stderr, ...ended } = run(name, ['--no-such-option'], tmpdir());
    expect(stderr).toMatch(/^[^\n]*--no-such-option[^\n]*\.\n/);
    expect(ended).toEqual({ status: 2, stdout: '', hasStack: false });
  },
);

test.each([
  [
    'archive',
    ['no/such/file'],
    `${path.join(ROOT, 'no/such/file')} does not exist. Use the path of a .tar.gz archive.`,
  ],
  ['archive', ['LICENSE'], `${path.join(ROOT, 'LICENSE')} is not a .tar.gz archive. Use the path of one.`],
  ['archive', ['a', 'b'], 'There is more than one FILE. Use one.'],
  ['bench:credits', ['--tip', 'HEAD'], 'These options need a clone. Name it with `--clone FOLDER`.'],
  ['bench:credits', ['--clone', '.', '--changes', 'x'], '--changes is x. Use a whole number from 1.'],
  [
    'build',
    [path.join(ROOT, 'LICENSE')],
    `${path.join(ROOT, 'LICENSE')} is not a folder. Use the path of an empty folder.`,
  ],
  ['build', ['a', 'b'], 'There is more than one FOLDER. Use one.'],
  [
    'mutation',
    ['no/such.ts'],
    'no/such.ts does not exist. Use the path of a module, such as src/scan/wait.ts.',
  ],
  ['preview', ['word'], "Unexpected argument 'word'."],
  ['release-notes', [], 'TAG is missing. Use the tag of a release, such as v1.2.3.'],
  ['release-notes', ['v0.1.0', 'v0.1.1'], 'There is more than one TAG. Use one.'],
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
