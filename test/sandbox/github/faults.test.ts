import { describe, expect, test } from 'vitest';
import type { Interception } from '../../../sandbox/faults/interception.ts';
import { setup } from './fixture.ts';

const COMMENTS = '/repos/octo-org/demo/issues/7/comments';

describe('faults', () => {
  test('an interceptor can replace the answer to the first request of a kind', async () => {
    const { call } = await setup({
      intercept: ({ point, count }) =>
        point === 'comments.create' && count === 1
          ? { status: 502, headers: { 'retry-after': '3' }, body: { message: 'Bad gateway' } }
          : undefined,
    });
    const first = await call('POST', COMMENTS, { body: 'x' });
    expect([first.status, first.headers.get('retry-after'), first.body]).toEqual([
      502,
      '3',
      { message: 'Bad gateway' },
    ]);
    expect((await call('POST', COMMENTS, { body: 'x' })).status).toBe(201);
  });

  test.each([
    ['reset-before', 0],
    ['reset-after', 1],
  ] as const)('after the fault `%s`, GitHub has %i comments', async (fault, kept) => {
    const { call, github } = await setup({ intercept: (): Interception => ({ fault }) });
    await expect(call('POST', COMMENTS, { body: 'x' })).rejects.toThrow('fetch failed');
    expect(github.comments).toHaveLength(kept);
  });

  test('a request with the fault `hang-before` waits for an answer until the server closes', async () => {
    const { github, callAs } = await setup({ intercept: (): Interception => ({ fault: 'hang-before' }) });
    const hanging = callAs(undefined, 'GET', COMMENTS);
    hanging.catch(() => {});
    await expect.poll(() => github.requests.length).toBe(1);
    await github.close();
    await expect(hanging).rejects.toThrow('fetch failed');
  });

  test('the request log has every request with its kind and its body', async () => {
    const { call, callAs, github } = await setup();
    await call('POST', COMMENTS, { body: 'x' });
    await callAs(undefined, 'GET', `${COMMENTS}?page=2`);
    expect(github.requests).toMatchObject([
      { method: 'POST', point: 'comments.create', count: 1, body: { body: 'x' } },
      {
        method: 'GET',
        point: 'comments.list',
        count: 1,
        path: `/api/v3${COMMENTS}?page=2`,
      },
    ]);
  });

  test('the configured latency delays every answer', async () => {
    const { call } = await setup({ latencyMs: 40 });
    const before = performance.now();
    await call('GET', COMMENTS);
    expect(performance.now() - before).toBeGreaterThanOrEqual(39);
  });
});
