import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { readCurrentComment } from '../../../src/github/current-comment.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github } from './client.ts';

const COMMENT = '/repos/acme/shop/issues/comments/5000000001';

afterEach(() => {
  nock.cleanAll();
});

const read = () => readCurrentComment(client(), 5_000_000_001, NEVER_ABORTED);

describe('a comment as it is now', () => {
  test.each<[what: string, shown: object, value: object]>([
    [
      'its text and its author',
      { body: 'a\r\nb', user: { id: 3, login: 'ada' } },
      { body: 'a\r\nb', authorId: 3 },
    ],
    ['no known author', { body: 'a', user: null }, { body: 'a', authorId: undefined }],
    ['no text', { body: null, user: { id: 3 } }, { body: '', authorId: 3 }],
  ])('readCurrentComment reads a comment with %s', async (_what, shown, value) => {
    github().get(COMMENT).reply(200, shown);
    expect(await read()).toEqual({ ok: true, value });
  });

  test('readCurrentComment returns no comment if the comment was deleted', async () => {
    github().get(COMMENT).reply(404, { message: 'Not Found' });
    expect(await read()).toEqual({ ok: true, value: undefined });
  });

  test.each([403, 410])(
    'readCurrentComment returns an error if GitHub answers with the status %i',
    async (status) => {
      github().get(COMMENT).reply(status, { message: 'No' });
      expect((await read()).ok).toBe(false);
    },
  );

  test.each([{}, { body: 'a' }, { body: 7, user: null }])(
    'readCurrentComment returns an error if GitHub sends an invalid comment: %j',
    async (shown) => {
      github().get(COMMENT).times(4).optionally().reply(200, shown);
      expect((await read()).ok).toBe(false);
    },
  );
});
