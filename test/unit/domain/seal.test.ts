import { expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';

const SEAL = createSeal('token');
const MAC = SEAL.macOf('text');

test('makes an HMAC-SHA-256 in base64url', () => {
  expect(MAC).toBe('iQfVMO7s6Al1YD6yYOggZI5S2kCjuD6WQpK7bUu7gIU');
});

test('proves this text with this token alone', () => {
  expect(SEAL.isMacOf(MAC, 'text')).toBe(true);
  expect(SEAL.isMacOf(MAC, 'other')).toBe(false);
  expect(createSeal('other').isMacOf(MAC, 'text')).toBe(false);
  expect(SEAL.isEmpty).toBe(false);
});

test.each(['', MAC.slice(1), `${MAC}=`])('takes no MAC of another length: %j', (mac) => {
  expect(SEAL.isMacOf(mac, 'text')).toBe(false);
});

test('proves nothing with an empty token', () => {
  const empty = createSeal('');
  expect(empty.isMacOf(empty.macOf('text'), 'text')).toBe(false);
  expect(empty.isEmpty).toBe(true);
});

test('does not show the token', () => {
  expect(JSON.stringify(SEAL)).not.toContain('token');
});
