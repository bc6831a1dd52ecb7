import { expect, test } from 'vitest';
import type { Answer } from '../client.ts';
import { refused } from '../documented-answer.ts';
import { DOCUMENTED } from '../documented-endpoints.ts';
import type { Session } from '../session.ts';

/** More requests than any limit is likely to allow. The documentation of the service names no limit. */
const MANY_REQUESTS = 5000;

export function rateLimit(session: () => Session): void {
  test('the tests of the client called every documented endpoint successfully', () => {
    const answered = [...session().client.answered].sort();
    expect(answered, 'a test in topics calls each of documented-endpoints.ts').toEqual(
      [...DOCUMENTED].sort(),
    );
  });

  // This test runs last: after it, the service refuses every request of the token until the window of the limit is
  // over.
  test('after too many requests, the service says how many seconds the client has to wait', async () => {
    let answer: Answer = await session().client.token();
    for (let n = 0; n < MANY_REQUESTS && answer.status === 200; n += 1)
      answer = await session().client.token();
    refused(answer, '429 rate_limited');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    refused(await session().client.scans(), '429 rate_limited');
  });
}
