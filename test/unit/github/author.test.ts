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

test('authorMayScan returns true for a pull request from the repository itself', async () => {
  expect(await authorMayScan(client(), { ...FORK, isFork: false }, NEVER_ABORTED)).toEqual({
    ok: true,
    value: true,
  });
});

test('authorMayScan returns false if the account of the author was deleted', async () => {
  expect(await authorMayScan(client(), { ...FORK, author: '' }, NEVER_ABORTED)).toEqual({
    ok: true,
    value: false,
  });
});

test('userMayWrite returns false if the user has no login', async () => {
  expect(await userMayWrite(client(), { login: '', id: 5 }, NEVER_ABORTED)).toEqual({
    ok: true,
    value: false,
  });
});
