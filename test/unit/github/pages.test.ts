import * as v from 'valibot';
import { expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import { readPages } from '../../../src/github/octokit.ts';
import { githubClient } from '../../support/github-client.ts';

const Page = v.object({ per_page: v.number(), page: v.number() });

/** Reads a list of the numbers from 0. An answer with more than 100 bytes is too large. */
async function readNumbers(count: number, most: number, sizeOf: (item: number) => number) {
  const asked: string[] = [];
  const github = githubClient(async ({ operation, permission, parameters, answer }) => {
    const { per_page: size, page } = v.parse(Page, parameters);
    asked.push(`${page} of ${size}`);
    const from = (page - 1) * size;
    const items = upTo(count).slice(from, from + size);
    const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
    if (bytes > 100) {
      const error = { kind: 'too-large', operation, permission, status: 200 } as const;
      return err({ ...error, message: '', ambiguous: true });
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

test.each([
  ['reads a list in pages of 100', 150, 500, () => 1, ['1 of 100', '2 of 100'], 150],
  ['reads no more than the caller wants', 150, 100, () => 1, ['1 of 100'], 100],
  [
    'continues in smaller pages after an answer that is too large',
    130,
    500,
    (item: number) => (item < 100 ? 1 : 9),
    ['1 of 100', '2 of 100', '11 of 10', '12 of 10', '13 of 10'],
    130,
  ],
  [
    'reads single items if necessary',
    3,
    100,
    () => 60,
    ['1 of 100', '1 of 10', '1 of 1', '2 of 1', '3 of 1'],
    3,
  ],
  [
    'returns an error if one item is too large',
    12,
    100,
    (item: number) => (item === 1 ? 101 : 1),
    ['1 of 100', '1 of 10', '1 of 1', '2 of 1'],
    undefined,
  ],
] as const)('readPages %s', async (_what, count, most, sizeOf, pages, items) => {
  const { read, asked } = await readNumbers(count, most, sizeOf);
  expect(asked).toEqual(pages);
  if (items === undefined) expect(read).toMatchObject({ ok: false, error: { kind: 'too-large' } });
  else expect(read).toEqual(ok(upTo(items)));
});
