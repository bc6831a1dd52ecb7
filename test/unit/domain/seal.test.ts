import { expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';

const SEAL = createSeal('token', '1296269');
const MAC = SEAL.macOf('text');

test('a seal is an HMAC-SHA-256 in base64url', () => {
  const seal = createSeal('token', '1296269');
  expect([seal.isEmpty, seal.isMacOf(MAC, 'text')]).toEqual([false, true]);
  expect(MAC).toBe('tksRgtDGPW3yXrXDtJ8oClCr56L3Eb10PLKWNohfuiE');
});

test('a seal is valid only for the same text, token and repository', () => {
  expect(SEAL.isMacOf(MAC, 'other')).toBe(false);
  expect(createSeal('other', '1296269').isMacOf(MAC, 'text')).toBe(false);
  expect(createSeal('token', '1296270').isMacOf(MAC, 'text')).toBe(false);
});

test.each(['', MAC.slice(1), `${MAC}=`])('a seal refuses a MAC of the wrong length: %j', (mac) => {
  expect(SEAL.isMacOf(mac, 'text')).toBe(false);
});

test('a seal with an empty token proves nothing', () => {
  const empty = createSeal('', '1296269');
  expect(empty.isMacOf(empty.macOf('text'), 'text')).toBe(false);
  expect(empty.isEmpty).toBe(true);
});

test('a seal does not show its token', () => {
  expect(JSON.stringify(SEAL)).not.toContain('token');
});
