import { expect, test, vi } from 'vitest';
import { limitedFetch, requestLine } from '../../../src/http/attempt.ts';

test('a request is logged as one line, in whole milliseconds', () => {
  const request = { method: 'GET', route: '/projects/{id}/scans', attempt: 2, ms: 31.6 };
  expect(requestLine({ ...request, end: '503' })).toBe('GET /projects/{id}/scans: 503, attempt 2, 32 ms');
});

test.each([
  ['service', 10],
  ['github', 64],
] as const)(
  'an answer of the server `%s` is read up to its limit of %d MiB, and not beyond',
  async (server, most) => {
    const mebibyte = new Uint8Array(1024 * 1024);
    const readOf = async (...rest: readonly Uint8Array[]) => {
      const oversize = vi.fn();
      const body = ReadableStream.from([...Array(most).fill(mebibyte), ...rest]);
      const answer = await limitedFetch(async () => new Response(body), server, oversize)('https://x.test/');
      const read = answer.bytes().then(
        ({ length }) => length,
        ({ message }) => message,
      );
      return [await read, oversize.mock.calls.length];
    };
    expect(await readOf()).toEqual([most * 1024 * 1024, 0]);
    expect(await readOf(new Uint8Array(1))).toEqual([`the answer is larger than ${most} MiB`, 1]);
  },
);
