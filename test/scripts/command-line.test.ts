import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fileOfScript, SCRIPTS } from '../project/code.ts';
import { ELSEWHERE, runScripts } from './run-scripts.ts';

const LICENSE = path.resolve('LICENSE');
/** The scripts of package.json that are files of this repository. */
const OWN = Object.keys(SCRIPTS).filter((name) => fileOfScript(name) !== undefined && name !== 'pictures');

/** A folder that holds files. */
const FULL_FOLDER = mkdtempSync(path.join(ELSEWHERE, 'scangate-build-'));
mkdirSync(path.join(FULL_FOLDER, 'src'));
writeFileSync(path.join(FULL_FOLDER, 'src/main.ts'), '');

/** Command lines that a script refuses, with the first line that it prints. */
const REFUSED: readonly (readonly [script: string, args: readonly string[], says: string])[] = [
  ...OWN.map((name): [string, string[], string] => {
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
  [
    'build',
    [FULL_FOLDER],
    `${FULL_FOLDER} holds other files, which the build would delete. Use an empty folder.`,
  ],
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
];
const HELPED = OWN.filter((name) => name !== 'build').map((name) => [name, ['-h']] as const);
const HISTORY = ['histories', ['1', '7']] as const;

const COMMANDS = [...REFUSED, ...HELPED, HISTORY].map(([name, args]) => [name, ...args] as const);
const RESULTS = new Map(runScripts(...COMMANDS).map((result, index) => [COMMANDS[index]?.join(' '), result]));
afterAll(() => rmSync(FULL_FOLDER, { recursive: true }));

const resultOf = (name: string, args: readonly string[]) => RESULTS.get([name, ...args].join(' '));

test.each(REFUSED)(
  '`npm run %s` with the arguments %j says what to do, and exits with 2',
  (name, args, says) => {
    const { status, stdout, stderr = '' } = resultOf(name, args) ?? {};
    expect(stderr.split('\n')[0]).toBe(says);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  },
);

test.each(HELPED)('`npm run %s -- -h` prints its usage, and exits with 0', (name, args) => {
  expect(resultOf(name, args)).toEqual({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(`^Usage: npm run ${name}`),
  });
});

test('`npm run build` keeps the files of a folder that it refuses', () =>
  expect(readdirSync(FULL_FOLDER, { recursive: true })).toEqual(['src', 'src/main.ts']));

test('`npm run histories -- 1 7` runs one history with the seed 7', () => {
  expect(resultOf(...HISTORY)).toEqual({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Histories: 1 \(seed 7\), /),
  });
});
