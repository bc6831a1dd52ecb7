import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '../..');
const ELSEWHERE = realpathSync(tmpdir());
const LICENSE = path.join(ROOT, 'LICENSE');
/** The scripts of package.json that are files of this repository. */
const OWN = new Map(
  Object.entries(manifest.scripts).flatMap(([name, command]): [name: string, file: string][] => {
    const file = /^node (?:--\S+ )*(\S+\.ts)$/.exec(command)?.[1];
    return file === undefined ? [] : [[name, file]];
  }),
);

function run(script: string, args: readonly string[]) {
  const file = path.join(ROOT, OWN.get(script) ?? '');
  const { INIT_CWD: _, ...env } = process.env;
  return spawnSync(process.execPath, [file, ...args], { cwd: ELSEWHERE, env, encoding: 'utf8' });
}

test.each<[script: string, args: readonly string[], says: string]>([
  ...[...OWN.keys()].map((name): [string, string[], string] => {
    return [name, ['--no-such-option'], "Unknown option '--no-such-option'."];
  }),
  [
    'archive',
    ['no/such/file'],
    `${path.join(ELSEWHERE, 'no/such/file')} does not exist. Use the path of a .tar.gz archive.`,
  ],
  ['archive', [LICENSE], `${LICENSE} is not a .tar.gz archive. Use the path of one.`],
  ['archive', ['a', 'b'], 'There is more than one FILE. Use one.'],
  ['bench:credits', ['--tip', 'HEAD'], 'These options need a clone. Name it with `--clone FOLDER`.'],
  ['build', [LICENSE], `${LICENSE} is not a folder. Use the path of an empty folder.`],
  ['build', ['a', 'b'], 'There is more than one FOLDER. Use one.'],
  ['doctor', ['--repository', 'shop'], '--repository is shop. Use OWNER/NAME.'],
  // The shell would keep a token in its history.
  ['doctor', ['--repository', 'a/b', '--api-token', 'x'], "Unknown option '--api-token'."],
  ['histories', ['many'], `COUNT is many. Use a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`],
  ['histories', ['0'], `COUNT is 0. Use a whole number from 1 to ${Number.MAX_SAFE_INTEGER}.`],
  ['histories', ['1', 'x'], 'SEED is x. Use a whole number from 0 to 2147483647.'],
  ['histories', ['1', '2', 'x'], 'PATH is x. Use a path as printed for a broken promise, such as 0:1.'],
  ['histories', ['1', '2', '0:1', 'more'], 'There are more than three arguments.'],
  [
    'mutation',
    ['no/such.ts'],
    'no/such.ts does not exist. Use the path of a module, such as src/scan/wait.ts.',
  ],
  ['preview', ['word'], "Unexpected argument 'word'."],
  ['release-notes', [], 'TAG is missing. Use the tag of a release, such as v1.2.3.'],
  ['release-notes', ['v0.1.0', 'v0.1.1'], 'There is more than one TAG. Use one.'],
])('`npm run %s` with the arguments %j says what to do, and exits with 2', (name, args, says) => {
  const { status, stdout, stderr } = run(name, args);
  expect(stderr.split('\n')[0]).toBe(says);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
});

test.each([...OWN.keys()].filter((name) => name !== 'build'))(
  '`npm run %s -- -h` prints its usage, and exits with 0',
  (name) => {
    const { status, stdout, stderr } = run(name, ['-h']);
    expect(stdout.startsWith(`Usage: npm run ${name}`)).toBe(true);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);

test('`npm run build` refuses a folder that holds other files, and keeps them', () => {
  const folder = mkdtempSync(path.join(ELSEWHERE, 'scangate-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'src/main.ts'), '');
  const { status, stderr } = run('build', [folder]);
  expect(stderr).toBe(`${folder} holds other files, which the build would delete. Use an empty folder.\n`);
  expect(status).toBe(2);
  expect(readdirSync(folder, { recursive: true })).toEqual(['src', 'src/main.ts']);
});

test('`npm run histories -- 1 7` runs one history with the seed 7', () => {
  const { status, stdout, stderr } = run('histories', ['1', '7']);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Histories: 1 \(seed 7\), /);
  expect(status).toBe(0);
});
