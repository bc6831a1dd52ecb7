import { describe, expect, test } from 'vitest';
import { allowedAddress, linkTarget } from '../../../src/report/link-target.ts';

const ALLOWED = ['https://scan.example/app/', 'http://127.0.0.1:8080/'];

test.each([
  'https://scan.example/app/findings/1',
  'https://scan.example/app/',
  'http://127.0.0.1:8080/x?a=1#b',
])('allowedAddress keeps %s, which is below an allowed address', (url) => {
  expect(allowedAddress(url, ALLOWED)).toBe(url);
});

test.each([
  ['another host', 'https://evil.example/app/x'],
  ['another port', 'https://scan.example:444/app/x'],
  ['another scheme', 'http://scan.example/app/x'],
  ['another path', 'https://scan.example/other/x'],
  ['dots that leave the allowed path', 'https://scan.example/app/../other'],
  ['a path that only starts like the allowed path', 'https://scan.example/application'],
  ['a user name', 'https://user@scan.example/app/x'],
  ['a password', 'https://:pass@scan.example/app/x'],
  ['a bidi override', 'https://scan.example/app/\u202ex'],
  ['a line break', 'https://scan.example/app/x\n'],
  ['no scheme', 'scan.example/app/x'],
  ['no characters', ''],
])('linkTarget rejects an address with %s', (_what, url) => {
  expect(allowedAddress(url, ALLOWED)).toBeUndefined();
  expect(linkTarget(url, ALLOWED)).toBeUndefined();
});

test.each([
  'ftp://scan.example/app/',
  'javascript://scan.example/app/',
  'xhttps://scan.example/',
  'httpsx://scan.example/',
])('allowedAddress rejects an address below %s, because only http and https are allowed', (prefix) => {
  expect(allowedAddress(`${prefix}x`, [prefix])).toBeUndefined();
});

test.each(['https://scan.example/app', 'no address', ''])(
  'allowedAddress ignores the allowed prefix %j, which is not an address with a final slash',
  (prefix) => {
    expect(allowedAddress('https://scan.example/app/x', [prefix])).toBeUndefined();
    expect(allowedAddress('https://scan.example/app/x', [prefix, ...ALLOWED])).toBe(
      'https://scan.example/app/x',
    );
  },
);

describe('the encoding of an address', () => {
  test('allowedAddress percent-encodes characters that have a meaning in a Markdown link', () => {
    expect(allowedAddress("https://scan.example/app/a)b(c*d!e'f@g$h|i[j]k", ALLOWED)).toBe(
      'https://scan.example/app/a%29b%28c%2Ad%21e%27f%40g%24h%7Ci%5Bj%5Dk',
    );
  });

  test('allowedAddress does not encode characters that have no meaning in Markdown', () => {
    const url = 'https://scan.example/app/a-b._~:/c?d=1&e=2;f,g+h%20#i';
    expect(allowedAddress(url, ALLOWED)).toBe(url);
  });

  test('linkTarget writes an ampersand as an entity', () => {
    expect(linkTarget('https://scan.example/app/?a=1&copy=2&b', ALLOWED)).toBe(
      'https://scan.example/app/?a=1&amp;copy=2&amp;b',
    );
  });
});

describe('the limit of an address', () => {
  const limit = 2000 - 'https://scan.example/app/'.length;
  const address = (rest: string) => `https://scan.example/app/${rest}`;

  test('an address may have up to 2,000 characters before encoding', () => {
    expect(linkTarget(address('x'.repeat(limit)), ALLOWED)).toBe(address('x'.repeat(limit)));
    expect(allowedAddress(address('x'.repeat(limit + 1)), ALLOWED)).toBeUndefined();
    // The limit is checked before the URL parser removes the dots.
    expect(allowedAddress(address(`${'./'.repeat(1000)}x`), ALLOWED)).toBeUndefined();
  });

  test('an address may have up to 2,000 characters after encoding', () => {
    expect(allowedAddress(address('('.repeat(limit / 3)), ALLOWED)).toHaveLength(2000 - (limit % 3));
    expect(allowedAddress(address('('.repeat(limit / 3 + 1)), ALLOWED)).toBeUndefined();
    const ampersands = (count: number) => address(`${'&'.repeat(count)}${'x'.repeat(limit - 5 * count)}`);
    expect(linkTarget(ampersands(10), ALLOWED)).toHaveLength(2000);
    expect(linkTarget(`${ampersands(10)}x`, ALLOWED)).toBeUndefined();
    expect(allowedAddress(`${ampersands(10)}x`, ALLOWED)).toHaveLength(2001 - 40);
  });
});
