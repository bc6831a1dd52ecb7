import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import { readPages } from '../../../src/github/octokit.ts';
import { githubClient } from '../../support/github-client.ts';

const Page = v.object({ per_page: v.number(), page: v.number() });

/** Reads a list of the numbers from 0. An answer with more than `fits` bytes is too large. */
async function readNumbers(count: number, most: number, sizeOf: (item: number) => number, fits = 100) {
  const asked: string[] = [];
  const github = githubClient(async ({ operation, permission, parameters, answer }) => {
    const { per_page: size, page } = v.parse(Page, parameters);
    asked.push(`${page} of ${size}`);
    const from = (page - 1) * size;
    const items = Array.from({ length: count }, (_, index) => index).slice(from, from + size);
    const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
    if (bytes > fits) {
      const error: GitHubError = {
        kind: 'too-large',
        operation,
        permission,
        status: 200,
        message: '',
        ambiguous: true,
      };
      return err(error);
    }
    return ok({ data: v.parse(answer, items), hasNextPage: from + size < count });
  });
  const request = {
    operation: 'list the numbers',
    permission: 'contents: read',
    route: 'GET /numbers',
    answer: v.array(v.number()),
  } as const;
  return { read: await readPages(github, request, most), asked };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('readPages', () => {
  test('readPages reads a list in pages of 100', async () => {
    const { read, asked } = await readNumbers(150, 500, () => 1);
    expect(read).toEqual(ok(upTo(150)));
    expect(asked).toEqual(['1 of 100', '2 of 100']);
  });

  test('readPages reads no more than the caller wants', async () => {
    const { read, asked } = await readNumbers(150, 100, () => 1);
    expect(read).toEqual(ok(upTo(100)));
    expect(asked).toEqual(['1 of 100']);
  });

  test('readPages continues in smaller pages after an answer that is too large', async () => {
    const { read, asked } = await readNumbers(130, 500, (item) => (item < 100 ? 1 : 9));
    expect(read).toEqual(ok(upTo(130)));
    expect(asked).toEqual(['1 of 100', '2 of 100', '11 of 10', '12 of 10', '13 of 10']);
  });

  test('readPages reads single items if necessary', async () => {
    const { read } = await readNumbers(12, 100, () => 60);
    expect(read).toEqual(ok(upTo(12)));
  });

  test('readPages returns an error if one item is too large', async () => {
    const { read, asked } = await readNumbers(12, 100, (item) => (item === 3 ? 101 : 1));
    expect(read).toMatchObject({ ok: false, error: { kind: 'too-large' } });
    expect(asked).toEqual(['1 of 100', '1 of 10', '1 of 1', '2 of 1', '3 of 1', '4 of 1']);
  });
});
