import { expect, test } from 'vitest';
import { UsageError } from '../../../sandbox/command-line.ts';
import { readCliOptions } from '../../../sandbox/serve/cli-options.ts';

test.each([
  ['word', 'Usage: npm run sandbox'],
  ['--repository=', '--repository is empty. Use the path'],
  ['--owner-name=shop', '--owner-name is shop. Use an owner and a name'],
  ['--data=', '--data is empty. Use the path'],
  ['--port=65536', '--port is 65536. Use a whole number from 0 to 65535.'],
  ['--port=x', '--port is x. Use a whole number'],
  ['--credits=-1', '--credits is -1. Use a whole number'],
  ['--token=', '--token is . Use a list with semicolons of scopes='],
  ['--token=scopes=read,write', '--token is scopes=read,write. Use a list'],
  ['--token=expires=soon', 'Use a list'],
  ['--token=spend-limit=-1', 'Use a list'],
  ['--token=color=red', 'Use a list'],
  ['--token=allowlist=,', 'Use a list'],
  ['--token=allowlist=shop', 'Use a list'],
  ['--token=allowlist=octo-org/shop,', 'Use a list'],
  ['--token=scopes=read;scopes=publish', 'Use a list'],
  ['--analyzing=x', '--analyzing is x. Use a whole number'],
  ['--pace=0', '--pace is 0. Use a whole number from 1 to 6, or "instant".'],
])('the sandbox refuses `%s`, and explains what to use', (argument, says) => {
  const read = () => readCliOptions([argument]);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(says);
});

test('the sandbox reads every option', () => {
  const line =
    '--repository=r --owner-name=o/n --port=0 --data=d --credits=0 --pace=instant --request-ceiling=1 --analyzing=2 --token=scopes=read,scans:launch;spend-limit=5 --token=expires=2020-01-01;allowlist=a/b,c/d';
  expect(readCliOptions(line.split(' '))).toEqual({
    repository: 'r',
    ownerName: 'o/n',
    port: 0,
    dataFolder: 'd',
    credits: 0,
    phasesPerPoll: Number.POSITIVE_INFINITY,
    requestCeiling: 1,
    analyzing: 2,
    moreTokens: [
      { scopes: ['read', 'scans:launch'], spendLimit: 5 },
      { expiresAt: new Date('2020-01-01'), repositoryAllowlist: ['a/b', 'c/d'] },
    ],
  });
});
