import { expect, test, vi } from 'vitest';
import { parseCommandLine, runCommand, UsageError } from '../../sandbox/command-line.ts';

const CONFIG = {
  options: {
    port: { type: 'string' },
    token: { type: 'string', multiple: true },
    fast: { type: 'boolean', short: 'f' },
  },
} as const;

test.each([
  [['--foo'], "Unknown option '--foo'."],
  [['word'], "Unexpected argument 'word'."],
  [['--port'], "Option '--port <value>' argument missing."],
  [['--port', '--fast'], "Option '--port' argument is ambiguous."],
  [['--fast=yes'], "Option '-f, --fast' does not take an argument."],
  [['--port=1', '--port', '2'], '--port is there twice. Use it once.'],
  [['--fast', '-f'], '--fast is there twice. Use it once.'],
])('the command line %j is refused with one sentence and the usage', (args, says) => {
  const parse = () => parseCommandLine({ ...CONFIG, args }, 'Usage: npm run it');
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(new Error(`${says}\n\nUsage: npm run it`));
});

test('an option that takes several values can be repeated', () => {
  const args = ['--token=a', '--token', 'b', '--port', '1'];
  expect(parseCommandLine({ ...CONFIG, args }, '').values).toEqual({ token: ['a', 'b'], port: '1' });
});

test('a command that cannot use its command line prints only the message, and ends with exit code 2', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const before = process.exitCode;
  try {
    const refused = runCommand(() => {
      throw new UsageError('FILE is missing. Name one.');
    });
    expect(await refused).toBeUndefined();
    expect(process.exitCode).toBe(2);
    expect(printed.mock.calls).toEqual([['FILE is missing. Name one.']]);
  } finally {
    process.exitCode = before;
  }
  expect(await runCommand(() => 7)).toBe(7);
  await expect(runCommand(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
});
