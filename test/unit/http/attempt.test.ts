import { expect, test } from 'vitest';
import { requestLine } from '../../../src/http/attempt.ts';

test('a request is logged as one line, in whole milliseconds', () => {
  const request = { method: 'GET', route: '/projects/{id}/scans', attempt: 2, ms: 31.6 };
  expect(requestLine({ ...request, end: '503' })).toBe('GET /projects/{id}/scans: 503, attempt 2, 32 ms');
});
