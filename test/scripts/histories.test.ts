import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/histories.ts');

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
}

test.each(['--help', '-h'])('npm run histories -- %s prints the usage', (option) => {
  const { status, stdout, stderr } = run(option);
  expect(stdout).toMatch(/^Usage: npm run histories \[-- COUNT \[SEED \[PATH\]\]\]\n/);
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test.each([
  [['--bogus'], /'--bogus'/],
  [['many'], /^COUNT is many\. Use a whole number from 1 /],
  [['0'], /^COUNT is 0\./],
  [['1', '-1x'], /-1|'-1x'/],
  [['1', 'x'], /^SEED is x\. Use a whole number from 0 to 2147483647\./],
  [['1', '2', '0:1', 'more'], /^There are more than three arguments\./],
])('npm run histories -- %j ends with a message and the usage', (args, message) => {
  const { status, stdout, stderr } = run(...args);
  expect(stderr).toMatch(message);
  expect(stderr).toContain('\n\nUsage: npm run histories');
  expect(stdout).toBe('');
  expect(status).toBe(2);
});

test('npm run histories -- 1 7 runs one history of that seed', () => {
  const { status, stdout, stderr } = run('1', '7');
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Histories: 1 \(seed 7\), /);
  expect(status).toBe(0);
});
