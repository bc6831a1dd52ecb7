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

describe('the author of a pull request', () => {
  test('of the same repository is not asked for', async () => {
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
  ])('from a fork with permission %s: trusted is %s', async (permission, trusted) => {
    github().get(PATH).reply(200, { permission });
    expect(await authorMayScan(client(), FORK, NEVER_ABORTED)).toEqual({ ok: true, value: trusted });
  });

  test('whose permission GitHub refuses to show is not trusted', async () => {
    github().get(PATH).reply(403, { message: 'Resource not accessible by integration' });
    expect(await authorMayScan(client(), FORK, NEVER_ABORTED)).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', permission: 'metadata: read' },
    });
  });

  test('whom GitHub does not know is a stranger', async () => {
    github().get(PATH).reply(404, { message: 'mallory is not a user' });
    expect(await authorMayScan(client(), FORK, NEVER_ABORTED)).toEqual({ ok: true, value: false });
  });

  test('who was deleted is a stranger', async () => {
    expect(await authorMayScan(client(), { ...FORK, author: '' }, NEVER_ABORTED)).toEqual({
      ok: true,
      value: false,
    });
  });

  test('is trusted by no accident: no answer is an error', async () => {
    github().get(PATH).times(3).reply(502);
    const answer = await authorMayScan(client(), FORK, NEVER_ABORTED);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unreachable', permission: 'metadata: read' } });
  });
});

describe('the author of a comment', () => {
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
  ])('with permission %s and account %s: may write is %s', async (permission, id, allowed) => {
    github()
      .get(PATH)
      .reply(200, { permission, user: id === undefined ? null : { login: 'mallory', id } });
    expect(await may()).toEqual({ ok: true, value: allowed });
  });

  test('whom GitHub does not know may not', async () => {
    github().get(PATH).reply(404, { message: 'Not Found' });
    expect(await may()).toEqual({ ok: true, value: false });
  });

  test.each([403, 401, 422])('whose permission is answered by %i is an error', async (status) => {
    github().get(PATH).reply(status, { message: 'no' });
    expect(await may()).toMatchObject({ ok: false });
  });

  test('without a login may not', async () => {
    expect(await userMayWrite(client(), { login: '', id: 5 }, NEVER_ABORTED)).toEqual({
      ok: true,
      value: false,
    });
  });
});
