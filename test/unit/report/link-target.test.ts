import { describe, expect, test } from 'vitest';
import { allowedAddress, linkTarget } from '../../../src/report/link-target.ts';

const ALLOWED = ['https://scan.example/app/', 'http://127.0.0.1:8080/'];

test.each([
  'https://scan.example/app/findings/1',
  'https://scan.example/app/',
  'http://127.0.0.1:8080/x?a=1#b',
])('%s lies under an allowed address, and stays as it is', (url) => {
  expect(allowedAddress(url, ALLOWED)).toBe(url);
});

test.each([
  ['another host', 'https://evil.example/app/x'],
  ['another port', 'https://scan.example:444/app/x'],
  ['another scheme', 'http://scan.example/app/x'],
  ['another path', 'https://scan.example/other/x'],
  ['a path that leads out by dots', 'https://scan.example/app/../other'],
  ['a path that only begins alike', 'https://scan.example/application'],
  ['a name before the host', 'https://user@scan.example/app/x'],
  ['a password before the host', 'https://:pass@scan.example/app/x'],
  ['a bidi override', 'https://scan.example/app/\u202ex'],
  ['a line break', 'https://scan.example/app/x\n'],
  ['no address', 'scan.example/app/x'],
  ['nothing', ''],
])('no link to %s', (_what, url) => {
  expect(allowedAddress(url, ALLOWED)).toBeUndefined();
  expect(linkTarget(url, ALLOWED)).toBeUndefined();
});

test.each([
  'ftp://scan.example/app/',
  'javascript://scan.example/app/',
  'xhttps://scan.example/',
  'httpsx://scan.example/',
])('only the web is linked, even where %s itself is allowed', (prefix) => {
  expect(allowedAddress(`${prefix}x`, [prefix])).toBeUndefined();
});

test.each(['https://scan.example/app', 'no address', ''])(
  'a prefix that is no address ending in a slash (%j) allows nothing, and hides no other',
  (prefix) => {
    expect(allowedAddress('https://scan.example/app/x', [prefix])).toBeUndefined();
    expect(allowedAddress('https://scan.example/app/x', [prefix, ...ALLOWED])).toBe(
      'https://scan.example/app/x',
    );
  },
);

describe('signs that mean something in a link', () => {
  test('are percent-encoded', () => {
    expect(allowedAddress("https://scan.example/app/a)b(c*d!e'f@g$h|i[j]k", ALLOWED)).toBe(
      'https://scan.example/app/a%29b%28c%2Ad%21e%27f%40g%24h%7Ci%5Bj%5Dk',
    );
  });

  test('are no others: an address stays readable', () => {
    const url = 'https://scan.example/app/a-b._~:/c?d=1&e=2;f,g+h%20#i';
    expect(allowedAddress(url, ALLOWED)).toBe(url);
  });

  test('an ampersand is an entity in markdown, where it could begin one', () => {
    expect(linkTarget('https://scan.example/app/?a=1&copy=2&b', ALLOWED)).toBe(
      'https://scan.example/app/?a=1&amp;copy=2&amp;b',
    );
  });
});

describe('the longest address has 2,000 characters', () => {
  const limit = 2000 - 'https://scan.example/app/'.length;
  const address = (rest: string) => `https://scan.example/app/${rest}`;

  test('as it is given', () => {
    expect(linkTarget(address('x'.repeat(limit)), ALLOWED)).toBe(address('x'.repeat(limit)));
    expect(allowedAddress(address('x'.repeat(limit + 1)), ALLOWED)).toBeUndefined();
    // Shorter once the dots are resolved, but no real address is like that.
    expect(allowedAddress(address(`${'./'.repeat(1000)}x`), ALLOWED)).toBeUndefined();
  });

  test('as it is written', () => {
    expect(allowedAddress(address('('.repeat(limit / 3)), ALLOWED)).toHaveLength(2000 - (limit % 3));
    expect(allowedAddress(address('('.repeat(limit / 3 + 1)), ALLOWED)).toBeUndefined();
    const ampersands = (count: number) => address(`${'&'.repeat(count)}${'x'.repeat(limit - 5 * count)}`);
    expect(linkTarget(ampersands(10), ALLOWED)).toHaveLength(2000);
    expect(linkTarget(`${ampersands(10)}x`, ALLOWED)).toBeUndefined();
    expect(allowedAddress(`${ampersands(10)}x`, ALLOWED)).toHaveLength(2001 - 40);
  });
});
