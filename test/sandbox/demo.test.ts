import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const DEMO = path.resolve(import.meta.dirname, '../../src/sandbox/demo/main.ts');
const USAGE = 'Usage: npm run demo [-- --repo PATH --base REF --head REF]';

test.each([
  ['--help', 0, USAGE],
  ['--bogus', 2, USAGE],
  ['a stray word', 2, USAGE],
  ['--repo', 2, USAGE],
  ['--repo=.', 2, USAGE],
  ['--repo=/nowhere --base=a --head=b', 2, '--repo: /nowhere is no git repository'],
  ['--repo=. --base=no-such-ref --head=HEAD', 2, '--base: no-such-ref names no commit in '],
  ['--repo=. --base=HEAD --head=no-such-ref', 2, '--head: no-such-ref names no commit in '],
])('the demo with %s ends with a plain word', (line, exitCode, says) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [DEMO, ...line.split(' ')], {
    encoding: 'utf8',
  });
  expect({ status, stack: /\n\s+at /.test(stderr) }).toEqual({ status: exitCode, stack: false });
  expect(exitCode === 0 ? stdout : stderr).toContain(says);
});
