import { expect, test } from 'vitest';
import { isMacOf, macOf } from '../../../src/domain/mac.ts';

const MAC = macOf('text', 'token');

test('makes an HMAC-SHA-256 in base64url', () => {
  expect(MAC).toBe('iQfVMO7s6Al1YD6yYOggZI5S2kCjuD6WQpK7bUu7gIU');
});

test('proves this text with this token alone', () => {
  expect(isMacOf(MAC, 'text', 'token')).toBe(true);
  expect(isMacOf(MAC, 'other', 'token')).toBe(false);
  expect(isMacOf(MAC, 'text', 'other')).toBe(false);
});

test.each(['', MAC.slice(1), `${MAC}=`])('takes no MAC of another length: %j', (mac) => {
  expect(isMacOf(mac, 'text', 'token')).toBe(false);
});

test('proves nothing with an empty token', () => {
  expect(isMacOf(macOf('text', ''), 'text', '')).toBe(false);
});
