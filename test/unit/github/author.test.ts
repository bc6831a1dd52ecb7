import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import type { TargetPullRequest } from '../../../src/domain/target.ts';
import { authorMayScan, userMayWrite } from '../../../src/github/author.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github } from './client.ts';

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
const PATH = '/repos/acme/shop/collaborators/mallory/permission';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

describe('authorMayScan', () => {
  test('trusts the author of a pull request from the repository itself without a request', async () => {
    expect(await authorMayScan(client(), { ...FORK, isFork: false }, NEVER_ABORTED)).toEqual({
      ok: true,
      value: true,
    });
  });

  test.each([
    ['admin', true],
    ['write', true],
    ['read', false],
    ['none', false],
    ['WRITE-ISH', false],
  ])("reads the permission %s of a fork's author: trusted is %s", async (permission, trusted) => {
    github().get(PATH).reply(200, { permission });
    expect(await authorMayScan(client(), FORK, NEVER_ABORTED)).toEqual({ ok: true, value: trusted });
  });

  test('returns an error if GitHub refuses to show the permission', async () => {
    github().get(PATH).reply(403, { message: 'Resource not accessible by integration' });
    expect(await authorMayScan(client(), FORK, NEVER_ABORTED)).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', permission: 'metadata: read' },
    });
  });

  test('does not trust an author whom GitHub does not know', async () => {
    github().get(PATH).reply(404, { message: 'mallory is not a user' });
    expect(await authorMayScan(client(), FORK, NEVER_ABORTED)).toEqual({ ok: true, value: false });
  });

  test('does not trust an author whose account was deleted', async () => {
    expect(await authorMayScan(client(), { ...FORK, author: '' }, NEVER_ABORTED)).toEqual({
      ok: true,
      value: false,
    });
  });

  test('returns an error if GitHub gives no answer', async () => {
    github().get(PATH).times(3).reply(502);
    const answer = await authorMayScan(client(), FORK, NEVER_ABORTED);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unreachable', permission: 'metadata: read' } });
  });
});

describe('userMayWrite', () => {
  const ADA = { login: 'mallory', id: 5 };
  const may = () => userMayWrite(client(), ADA, NEVER_ABORTED);

  test.each([
    ['admin', 5, true],
    ['write', 5, true],
    ['read', 5, false],
    ['none', 5, false],
    ['maintain', 5, false],
    ['admin', 6, false],
    ['write', undefined, false],
  ])('decides by the permission %s and the account %s: may write is %s', async (permission, id, allowed) => {
    github()
      .get(PATH)
      .reply(200, { permission, user: id === undefined ? null : { login: 'mallory', id } });
    expect(await may()).toEqual({ ok: true, value: allowed });
  });

  test('returns false if GitHub does not know the account', async () => {
    github().get(PATH).reply(404, { message: 'Not Found' });
    expect(await may()).toEqual({ ok: true, value: false });
  });

  test.each([403, 401, 422])('returns an error if GitHub answers %i', async (status) => {
    github().get(PATH).reply(status, { message: 'no' });
    expect(await may()).toMatchObject({ ok: false });
  });

  test('returns false without a login', async () => {
    expect(await userMayWrite(client(), { login: '', id: 5 }, NEVER_ABORTED)).toEqual({
      ok: true,
      value: false,
    });
  });
});
