import { expect, test } from 'vitest';
import type { TargetPullRequest } from '../../../src/domain/target.ts';
import { authorMayScan, userMayWrite } from '../../../src/github/author.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client } from './client.ts';

const FORK: TargetPullRequest = {
  number: 1,
  state: 'open',
  updatedAt: undefined,
  author: 'mallory',
  isFork: true,
  headIsNew: true,
  editedOnly: false,
  previousHead: undefined,
};

test('authorMayScan trusts the author of a pull request from the repository itself without a request', async () => {
  expect(await authorMayScan(client(), { ...FORK, isFork: false }, NEVER_ABORTED)).toEqual({
    ok: true,
    value: true,
  });
});

test('authorMayScan does not trust an author whose account was deleted, without a request', async () => {
  expect(await authorMayScan(client(), { ...FORK, author: '' }, NEVER_ABORTED)).toEqual({
    ok: true,
    value: false,
  });
});

test('userMayWrite returns false without a login and without a request', async () => {
  expect(await userMayWrite(client(), { login: '', id: 5 }, NEVER_ABORTED)).toEqual({
    ok: true,
    value: false,
  });
});
