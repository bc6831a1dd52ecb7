import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import type { TargetPullRequest } from '../../src/domain/target.ts';
import { authorMayScan } from '../../src/github/author.ts';
import { client, github } from './client.ts';

const FORK: TargetPullRequest = {
  number: 1,
  author: 'mallory',
  authorAssociation: 'CONTRIBUTOR',
  isFork: true,
  secretsWithheld: false,
  headIsNew: true,
  previousHead: undefined,
};
const PATH = '/repos/acme/shop/collaborators/mallory/permission';

afterEach(() => {
  expect(nock.pendingMocks()).toEqual([]);
  nock.cleanAll();
});

describe('the author of a pull request', () => {
  test('of the same repository is not asked for', async () => {
    expect(await authorMayScan(client(), { ...FORK, isFork: false })).toEqual({ ok: true, value: true });
  });

  test.each([
    ['admin', true],
    ['write', true],
    ['read', false],
    ['none', false],
    ['WRITE-ISH', false],
  ])('from a fork with permission %s: trusted is %s', async (permission, trusted) => {
    github().get(PATH).reply(200, { permission });
    expect(await authorMayScan(client(), FORK)).toEqual({ ok: true, value: trusted });
  });

  test.each([
    ['OWNER', true],
    ['MEMBER', true],
    ['COLLABORATOR', true],
    ['CONTRIBUTOR', false],
    ['NONE', false],
  ])(
    '%s counts only where GitHub refuses the permission: trusted is %s',
    async (authorAssociation, trusted) => {
      github().get(PATH).reply(403, { message: 'Resource not accessible by integration' });
      const answer = await authorMayScan(client(), { ...FORK, authorAssociation });
      expect(answer).toEqual({ ok: true, value: trusted });
    },
  );

  test('whom GitHub does not know is a stranger, whatever the association', async () => {
    github().get(PATH).reply(404, { message: 'mallory is not a user' });
    const answer = await authorMayScan(client(), { ...FORK, authorAssociation: 'MEMBER' });
    expect(answer).toEqual({ ok: true, value: false });
  });

  test('who was deleted is a stranger', async () => {
    expect(await authorMayScan(client(), { ...FORK, author: '' })).toEqual({ ok: true, value: false });
  });

  test('is trusted by no accident: no answer is an error', async () => {
    github().get(PATH).times(3).reply(502);
    const answer = await authorMayScan(client(), { ...FORK, authorAssociation: 'OWNER' });
    expect(answer).toMatchObject({ ok: false, error: { kind: 'unreachable', permission: 'metadata: read' } });
  });
});
