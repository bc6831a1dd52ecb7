import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../sandbox/command-line.ts';
import { readHistoryArguments, USAGE } from '../../scripts/histories-arguments.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/histories.ts');

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
}

test.each(['--help', '-h'])('the command `npm run histories` prints its usage for %s', (option) => {
  expect(readHistoryArguments([option])).toBe('help');
});

test('the command `npm run histories` reads COUNT, SEED and PATH from its arguments', () => {
  expect(readHistoryArguments(['5', '7', '0:1'])).toEqual({ count: 5, seed: 7, path: '0:1' });
  expect(readHistoryArguments([])).toEqual({ count: 2_000, seed: expect.any(Number), path: undefined });
});

test.each([
  [['--bogus'], /'--bogus'/],
  [['many'], /^COUNT is many\. Use a whole number from 1 /],
  [['0'], /^COUNT is 0\./],
  [['1', '-1x'], /-1|'-1x'/],
  [['1', 'x'], /^SEED is x\. Use a whole number from 0 to 2147483647\./],
  [['1', '2', 'x'], /^PATH is x\. Use a path as printed for a broken promise, such as 0:1\./],
  [['1', '2', '0:1', 'more'], /^There are more than three arguments\./],
])('the command `npm run histories` refuses the arguments %j, and prints the usage', (args, message) => {
  const read = () => readHistoryArguments(args);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(message);
  expect(read).toThrow(`\n\n${USAGE}`);
});

test('the command `npm run histories -- --bogus` exits with the code 2', () => {
  const { status, stdout, stderr } = run('--bogus');
  expect(stderr).toContain('\n\nUsage: npm run histories [-- COUNT [SEED [PATH]]]\n');
  expect(stdout).toBe('');
  expect(status).toBe(2);
});

test('the command `npm run histories -- 1 7` runs one history with the seed 7', () => {
  const { status, stdout, stderr } = run('1', '7');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Histories: 1 \(seed 7\), /);
  expect(status).toBe(0);
});
