import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitState } from '../../../src/domain/comment-state.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import {
  encodeMark,
  inLaunchOrder,
  LONGEST_EXTERNAL_ID,
  launchTime,
  readMark,
  type ScanMark,
} from '../../../src/scan/scan-mark.ts';
import { isUsableId } from '../../../src/scan-api/lookup.ts';
import { CODE_POINT } from '../../support/code-point.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';

const TOKEN = 'svc_proj_key_secret';
const SEAL = createSeal(TOKEN, '1296269');
const SHA1 = '0123456789abcdef0123456789abcdef01234567';
const SHA256 = 'fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210';

const MARK: ScanMark = {
  scanId: 'scan_1',
  pullRequest: 7,
  headSha: SHA1,
  baseSha: 'a'.repeat(40),
  key: 'AbCdEfGhIjKlMnOpQr-_09',
  launchedAt: 1_790_000_000,
  runId: 9_876_543_210,
  runAttempt: 2,
};
const TEXT = encodeMark(MARK, SEAL);

/** Appends a valid MAC, made with the token. The text can be an invalid mark. */
function withMac(text: string, token = TOKEN): string {
  return `${text}:${createHmac('sha256', token).update(`1296269 ${text}`).digest('base64url')}`;
}

const sha = fc
  .constantFrom(20, 32)
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
  .map((bytes) => Buffer.from(bytes).toString('hex'));
const key = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'));
const marks: fc.Arbitrary<ScanMark> = fc.record({
  scanId: fc.oneof(
    fc.constantFrom('a:b', '::', '%', '%3A', '%zz', '100%:', 'v2:x', 'scän', '扫描', '😀', '<!-- -->', ';0;'),
    fc.string({ unit: CODE_POINT, minLength: 1 }).filter(isUsableId),
  ),
  pullRequest: fc.option(fc.integer({ min: 1, max: 2 ** 31 }), { nil: undefined }),
  headSha: sha,
  baseSha: fc.option(sha, { nil: undefined }),
  key,
  contentKey: fc.option(key, { nil: undefined }),
  launchedAt: fc.integer({ min: 0, max: 9_999_999_999 }),
  credits: fc.option(fc.integer({ min: 0, max: 999_999_999 }), { nil: undefined }),
  reusesNone: fc.constantFrom(undefined, true as const),
  runId: fc.integer({ min: 0, max: 999_999_999_999_999 }),
  runAttempt: fc.integer({ min: 0, max: 999_999_999 }),
});

describe('encodeMark and readMark', () => {
  test('for any scan id, encodeMark writes printable ASCII that readMark can read', () => {
    fc.assert(
      fc.property(marks, (mark) => {
        const text = encodeMark(mark, SEAL);
        expect(text).toMatch(/^v2:[!-:=?-~]+$/);
        expect(splitState(`${text};0;/`).mark).toBe(text);
        expect(readMark(text, SEAL)).toEqual(mark);
      }),
    );
  });

  test('readMark reads back the largest numbers', () => {
    const largest = { pullRequest: 9_999_999_999, runId: 999_999_999_999_999, runAttempt: 999_999_999 };
    const mark = { ...MARK, ...largest, launchedAt: 9_999_999_999, credits: 999_999_999 };
    expect(readMark(encodeMark(mark, SEAL), SEAL)).toEqual(mark);
  });

  test('encodeMark writes exactly the documented form', () => {
    expect(TEXT).toBe(
      withMac(
        `v2:scan_1:7:ASNFZ4mrze8BI0VniavN7wEjRWc:${'qqqq'.repeat(6)}qqo:AbCdEfGhIjKlMnOpQr-_09:-:1790000000:-:-:-:9876543210.2`,
      ),
    );
    expect(encodeMark({ ...MARK, scanId: 'a:b %', pullRequest: undefined }, SEAL)).toMatch(
      /^v2:a%3Ab%20%25:-:/,
    );
  });

  const REAL = { pullRequest: 99_999, contentKey: 'Z'.repeat(22), runId: 99_999_999_999, runAttempt: 9 };
  const ALL = { ...REAL, credits: 99_999, reusesNone: true as const };
  const LONG_IDS = { headSha: SHA256, baseSha: SHA256 };

  test.each<[what: string, longest: number, fields: Partial<ScanMark>]>([
    ['commit ids of SHA-1', 69, REAL],
    ['commit ids of SHA-1 and every optional member', 65, ALL],
    // With commit ids of SHA-256, a UUID does not always fit.
    ['commit ids of SHA-256', 37, { ...REAL, ...LONG_IDS }],
    ['commit ids of SHA-256 and every optional member', 33, { ...ALL, ...LONG_IDS }],
  ])(
    'a mark with %s fits into an `external_id` if the scan id has at most %i characters',
    (_what, longest, fields) => {
      expect(encodeMark({ ...MARK, ...fields, scanId: 's'.repeat(longest) }, SEAL)).toHaveLength(255);
      expect(LONGEST_EXTERNAL_ID).toBe(255);
    },
  );

  test('encodeMark writes at most 999,999,999 credits', () => {
    const text = encodeMark({ ...MARK, credits: 1_000_000_000 }, SEAL);
    expect(readMark(text, SEAL)).toMatchObject({ credits: 999_999_999 });
  });

  test('encodeMark writes a content key, credits and whether scans are reused', () => {
    const contentKey = 'Z'.repeat(22);
    const known = { contentKey, credits: 120, reusesNone: true as const };
    const text = TEXT.slice(0, TEXT.lastIndexOf(':')).replace(
      ':-:1790000000:-:-:-:',
      `:${contentKey}:1790000000:120:-:n:`,
    );
    expect(encodeMark({ ...MARK, ...known }, SEAL)).toBe(withMac(text));
    expect(readMark(withMac(text), SEAL)).toEqual({ ...MARK, ...known });
  });

  test.each([
    ['120+:3+', 120],
    ['120:3', 120],
    ['0+:0', 0],
    ['-:3+', undefined],
  ])('readMark reads the credits of an earlier mark (`%s`)', (numbers, credits) => {
    const text = TEXT.slice(0, TEXT.lastIndexOf(':')).replace(':-:-:-:', `:${numbers}:-:`);
    expect(readMark(withMac(text), SEAL)).toEqual({ ...MARK, credits });
  });
});

describe('readMark', () => {
  test.each([
    ['SHA-1 ids', MARK],
    [
      'SHA-256 ids and no pull request',
      { ...MARK, headSha: SHA256, baseSha: SHA256, pullRequest: undefined },
    ],
    ['an encoded scan id', { ...MARK, scanId: 'a:b%😀' }],
  ])('readMark rejects a mark if a character is changed, removed or added (%s)', (_what, mark) => {
    const text = encodeMark(mark, SEAL);
    for (let at = 0; at < text.length; at += 1) {
      const [before, character = '', after] = [text.slice(0, at), text[at], text.slice(at + 1)];
      for (const other of ['0', '1', 'a', 'A', 'b', '-', '_', ':', '.', '%', ' ', swapCase(character)]) {
        if (other !== character) expect(readMark(before + other + after, SEAL), `at ${at}`).toBeUndefined();
        expect(readMark(before + other + character + after, SEAL), `before ${at}`).toBeUndefined();
      }
      expect(readMark(before + after, SEAL), `without ${at}`).toBeUndefined();
    }
  });

  test('readMark rejects a mark that is truncated at either end', () => {
    for (let length = 0; length < TEXT.length; length += 1) {
      expect(readMark(TEXT.slice(0, length), SEAL)).toBeUndefined();
      expect(readMark(TEXT.slice(TEXT.length - length), SEAL)).toBeUndefined();
    }
  });

  test('readMark rejects a mark with more text around it, and every text that is no mark', () => {
    const texts = [
      ` ${TEXT}`,
      `${TEXT} `,
      `${TEXT}\n`,
      `\n${TEXT}`,
      `${TEXT}:`,
      `x\n${TEXT}\nx`,
      TEXT + TEXT,
    ];
    const others = ['', 'v2', ':', 'scan_1', 'run:1:1:7d3f0c1b', '{"scanId":"scan_1"}', 'x'.repeat(10_000)];
    for (const text of [...texts, ...others]) expect(readMark(text, SEAL), text).toBeUndefined();
  });

  test('readMark rejects a mark of another token or repository, and every mark if there is no token', () => {
    for (const token of ['svc_proj_key_secreT', `${TOKEN} `, 'another', ''])
      expect(readMark(TEXT, createSeal(token, '1296269'))).toBeUndefined();
    expect(readMark(TEXT, createSeal(TOKEN, '1296270'))).toBeUndefined();
    const without = createSeal('', '1296269');
    expect(readMark(encodeMark(MARK, without), without)).toBeUndefined();
  });

  test.each([
    ['another version', TEXT.replace('v2:', 'v3:')],
    ['no scan id', TEXT.replace(':scan_1:', '::')],
    ['a scan id with an invalid encoding', TEXT.replace(':scan_1:', ':%zz:')],
    ['a scan id of dots', TEXT.replace(':scan_1:', ':..:')],
    ['a scan id with a line break', TEXT.replace(':scan_1:', ':scan%0A1:')],
    ['the pull request 0', TEXT.replace(':7:', ':0:')],
    ['a pull request of eleven digits', TEXT.replace(':7:', ':12345678901:')],
    ['no pull request', TEXT.replace(':7:', '::')],
    ['a key that is too short', TEXT.replace('-_09:', '-_0:')],
    ['a key that is too long', TEXT.replace('-_09:', '-_099:')],
    ['a content key that is too short', TEXT.replace(':-:', ':Z:')],
    ['no launch time', TEXT.replace(':1790000000:', '::')],
    ['an empty launch time', TEXT.replace(':1790000000:', ':-:')],
    ['a launch time of eleven digits', TEXT.replace(':1790000000:', ':17900000000:')],
    ['a launch time with a leading zero', TEXT.replace(':1790000000:', ':0790000000:')],
    ['a launch time in fractions of a second', TEXT.replace(':1790000000:', ':179000000.5:')],
    ['a negative number of credits', TEXT.replace(':-:-:-:', ':-1:-:-:')],
    ['too many credits', TEXT.replace(':-:-:-:', ':1234567890:-:-:')],
    ['an unknown letter', TEXT.replace(':-:-:-:', ':-:-:x:')],
    ['the form without the launch time', TEXT.replace(':1790000000:-:-:-:', ':')],
    ['no attempt', TEXT.replace('.2:', ':')],
    ['a run id of sixteen digits', TEXT.replace(':9876543210.', ':1234567890123456.')],
    ['an invalid run id', TEXT.replace(':9876543210.', ':x.')],
    ['an additional member', TEXT.replace(':7:', ':7:7:')],
  ])('readMark rejects a mark that has a valid MAC but %s', (_what, text) => {
    expect(text).not.toBe(TEXT);
    expect(readMark(withMac(text.slice(0, text.lastIndexOf(':'))), SEAL)).toBeUndefined();
  });
});

test('inLaunchOrder sorts by time with the newest first, then by run, by attempt and by scan id', () => {
  // Each mark differs from the next one in one rule, and the rules after it would swap the two.
  const sorted: readonly ScanMark[] = [
    { ...MARK, scanId: 'z', launchedAt: 30, runId: 1 },
    { ...MARK, scanId: 'y', launchedAt: 4, runId: 10, runAttempt: 1 },
    { ...MARK, scanId: 'x', launchedAt: 4, runId: 9, runAttempt: 10 },
    { ...MARK, scanId: 'a', launchedAt: 4, runId: 9, runAttempt: 9 },
    { ...MARK, scanId: 'b', launchedAt: 4, runId: 9, runAttempt: 9 },
  ];
  expect(inLaunchOrder(sorted)).toEqual(sorted);
  expect(inLaunchOrder(sorted.toReversed())).toEqual(sorted);
});

test('launchTime returns what launch-time.txt shows', async () => {
  const now = 1_800_000_000;
  const at = (seconds: number) => new Date(seconds * 1_000);
  const shown = (seconds: number) => at(seconds).toISOString();
  const timeOf = (times: Parameters<typeof launchTime>[0]) => launchTime(times, new Date(now * 1_000 + 999));
  await expectTable('launch-time', {
    'launchTime at 1800000000, if the answer to the launch and then the scan show': casesOf(timeOf, {
      '70.999 and 5': { acceptedAt: new Date(70_999), createdAt: shown(5) },
      'nothing and 60': { acceptedAt: undefined, createdAt: shown(60) },
      'a time before the epoch and 60': { acceptedAt: new Date(-1), createdAt: shown(60) },
      'the epoch and 5': { acceptedAt: at(0), createdAt: shown(5) },
      'five minutes ahead and nothing': { acceptedAt: at(now + 300), createdAt: undefined },
      'more than five minutes ahead and 5': { acceptedAt: at(now + 301), createdAt: shown(5) },
      'the year 2286 and nothing': { acceptedAt: at(9_999_999_999), createdAt: undefined },
      'nothing and more than five minutes ahead': { acceptedAt: undefined, createdAt: shown(now + 301) },
      'nothing and no readable time': { acceptedAt: undefined, createdAt: 'soon' },
      'nothing and nothing': { acceptedAt: undefined, createdAt: undefined },
    }),
  });
});

function swapCase(character: string): string {
  const upper = character.toUpperCase();
  return upper === character ? character.toLowerCase() : upper;
}
