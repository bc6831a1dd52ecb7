import { describe, expect, test } from 'vitest';
import {
  isTerminal,
  type Match,
  matchCommit,
  matchLaunch,
  type Scan,
  type ScanSubject,
  type ShownGuidance,
  shownInFull,
  showsOtherChange,
} from '../../../src/domain/scan.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';

test.each(['COMPLETED', 'FAILED', 'CANCELLED'])('the status %s is terminal', (status) => {
  expect(isTerminal(status)).toBe(true);
});

test.each(['QUEUED', 'RUNNING', 'completed', 'FINISHED', 'COMPLETED ', ''])(
  'the status "%s" counts as running',
  (status) => {
    expect(isTerminal(status)).toBe(false);
  },
);

const SHA1 = '0123456789abcdef0123456789abcdef01234567';
const SHA256 = `${SHA1}89abcdef0123456789abcdef`;
const BASE = 'a'.repeat(40);
const OTHER = 'c'.repeat(40);
const HASH = 'd'.repeat(64);
const HASH_OF_NOTHING = hashOfText('');

describe('the commit id of a scan', () => {
  test.each<[string | undefined, string, Match]>([
    [SHA1, SHA1, 'same'],
    [SHA1.toUpperCase(), SHA1, 'same'],
    [SHA256, SHA256, 'same'],
    // An abbreviated id never proves that the commit is the same.
    [SHA1.slice(0, 39), SHA1, 'cannot-tell'],
    [SHA1.slice(0, 12), SHA1, 'cannot-tell'],
    [SHA1.slice(0, 7), SHA1, 'cannot-tell'],
    [SHA1.slice(0, 12).toUpperCase(), SHA1, 'cannot-tell'],
    [SHA1.slice(0, 6), SHA1, 'cannot-tell'],
    ['', SHA1, 'cannot-tell'],
    [SHA256.slice(0, 63), SHA256, 'cannot-tell'],
    // Forty digits are no full id in a SHA-256 repository.
    [SHA256.slice(0, 40), SHA256, 'cannot-tell'],
    [undefined, SHA1, 'cannot-tell'],
    // An abbreviated id can prove that the commit is different.
    [`${SHA1.slice(0, 6)}f`, SHA1, 'different'],
    [`1${SHA1.slice(1)}`, SHA1, 'different'],
    [`${SHA1.slice(0, 39)}0`, SHA1, 'different'],
    [SHA1.slice(1, 12), SHA1, 'different'],
    [`${SHA1.slice(0, 5)}f`, SHA1, 'different'],
    // All full commit ids of a repository have the same length.
    [`${SHA1}0`, SHA1, 'different'],
    [SHA256, SHA1, 'different'],
    [`1${SHA1.slice(1)}`, SHA256, 'different'],
    ['main', SHA1, 'different'],
  ])('matchCommit compares commit ids (scan: %j, expected: %j, result: `%s`)', (shown, expected, match) => {
    expect(matchCommit(shown, expected)).toBe(match);
  });
});

test.each<[string | undefined, string, string | undefined]>([
  [OTHER, SHA1, OTHER],
  [OTHER.toUpperCase(), SHA1, OTHER],
  [SHA256, SHA256, SHA256],
  [undefined, SHA1, undefined],
  [OTHER.slice(0, 39), SHA1, undefined],
  [SHA1, SHA256, undefined],
  [SHA256, SHA1, undefined],
  ['main', SHA1, undefined],
  ['z'.repeat(40), SHA1, undefined],
])('shownInFull returns only full commit ids (shown: %j, expected: %j, result: %j)', (shown, like, full) => {
  expect(shownInFull(shown, like)).toBe(full);
});

const SUBJECT: ScanSubject = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: BASE,
  headSha: SHA1,
  creditBudget: 20,
  areas: [],
};

test.each<[boolean, string, Partial<Scan>]>([
  [false, 'no commit', {}],
  [false, 'the commits of the launch', { baseSha: BASE, headSha: SHA1 }],
  [false, 'the abbreviated commits of the launch', { baseSha: BASE.slice(0, 7), headSha: SHA1.slice(0, 7) }],
  [true, 'another head', { baseSha: BASE, headSha: OTHER }],
  [true, 'another base', { baseSha: OTHER, headSha: SHA1 }],
  [true, 'the abbreviated id of another head', { headSha: OTHER.slice(0, 7) }],
])('showsOtherChange returns %s for a scan that shows %s', (isOther, _what, shown) => {
  const scan = { baseSha: undefined, headSha: undefined, ...shown };
  expect(showsOtherChange(scan, { baseSha: BASE, headSha: SHA1 })).toBe(isOther);
});

/** A scan of `SUBJECT` that shows everything. Its launch sent neither areas nor guidance. */
const WHOLE: Parameters<typeof matchLaunch>[0] = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: BASE,
  headSha: SHA1,
  creditBudget: 20,
  areas: [],
  guidance: { from: 'nowhere' },
};

const match = (shown: Partial<Scan>, subject: Partial<ScanSubject> = {}) =>
  matchLaunch({ ...WHOLE, ...shown }, { ...SUBJECT, ...subject });

const reserving = (reservedCredits: number): Partial<Scan> => ({
  progress: { phasesCompleted: 0, phasesTotal: 1, weighted: 0, reservedCredits },
});
const COMMITS_ONLY: Partial<Scan> = {
  repositoryId: undefined,
  presetRef: undefined,
  creditBudget: undefined,
  areas: undefined,
  guidance: undefined,
};

describe('matchLaunch', () => {
  test.each<[string, Match, Partial<Scan>, Partial<ScanSubject>?]>([
    ['every value of the launch', 'same', reserving(20)],
    ['only base and head', 'same', COMMITS_ONLY],
    ['that it has released its budget', 'same', reserving(0)],
    ['a budget that the service chose', 'same', { creditBudget: 1 }, { creditBudget: undefined }],
    ['a reservation that the service chose', 'same', reserving(1), { creditBudget: undefined }],
    ['no base', 'cannot-tell', { baseSha: undefined }],
    ['that it is a full scan', 'cannot-tell', { baseSha: null }],
    ['an abbreviated base', 'cannot-tell', { baseSha: BASE.slice(0, 12) }],
    ['no head', 'cannot-tell', { headSha: undefined }],
    ['an abbreviated head', 'cannot-tell', { headSha: SHA1.slice(0, 39) }],
    ['neither base nor head', 'cannot-tell', { baseSha: undefined, headSha: undefined }],
    ['another repository', 'different', { repositoryId: 'q' }],
    ['another preset', 'different', { presetRef: 'full' }],
    ['another preset and no head', 'different', { presetRef: 'full', headSha: undefined }],
    ['another base', 'different', { baseSha: OTHER }],
    ['the abbreviated id of another base', 'different', { baseSha: OTHER.slice(0, 7) }],
    ['another head', 'different', { headSha: OTHER }],
    ['another head and no base', 'different', { headSha: OTHER, baseSha: undefined }],
    ['the abbreviated id of another head', 'different', { headSha: OTHER.slice(0, 7) }],
    ['a smaller budget', 'different', { creditBudget: 19 }],
    ['a larger budget', 'different', { creditBudget: 21 }],
    ['a budget of 0', 'different', { creditBudget: 0 }],
    ['another reservation', 'different', reserving(10)],
    ['another reservation and no budget', 'different', { ...reserving(10), creditBudget: undefined }],
  ])('matchLaunch, if the scan shows %s, returns `%s`', (_what, expected, shown, subject) => {
    expect(match(shown, subject)).toBe(expected);
  });

  test.each<[string | null | undefined, Match]>([
    [undefined, 'same'],
    [null, 'same'],
    [BASE, 'different'],
    [BASE.slice(0, 7), 'different'],
  ])(
    'for a launch without a base and a scan with the base %j, matchLaunch returns `%s`',
    (baseSha, expected) => {
      expect(match({ baseSha }, { baseSha: undefined })).toBe(expected);
      const isOther = showsOtherChange({ baseSha, headSha: SHA1 }, { baseSha: undefined, headSha: SHA1 });
      expect(isOther).toBe(expected === 'different');
    },
  );

  test.each<[readonly string[], readonly string[] | undefined, Match]>([
    [[], undefined, 'same'],
    [[], ['login'], 'different'],
    [['login'], undefined, 'same'],
    [['login'], [], 'different'],
    [['login'], ['Login'], 'different'],
    [['login', 'pay'], ['pay', 'login'], 'same'],
    [['login', 'pay'], ['login'], 'different'],
    [['login'], ['login', 'pay'], 'different'],
    [['login', 'login'], ['login'], 'same'],
    // An empty key stands for an area whose key cannot be read. It limits the scan, but it may be any area.
    [[], [''], 'different'],
    [['login'], [''], 'same'],
    [['login', 'pay'], ['login', ''], 'same'],
  ])('matchLaunch compares areas (launch: %j, scan: %j, result: `%s`)', (areas, shown, expected) => {
    expect(match({ areas: shown }, { areas })).toBe(expected);
  });

  const none = undefined;
  test.each<[string, string, Match, string | undefined, ShownGuidance | undefined]>([
    ['no guidance', 'hides its guidance', 'same', none, none],
    ['no guidance', 'has the stored guidance', 'same', none, { from: 'repository' }],
    ['no guidance', 'has guidance from a launch', 'different', none, { from: 'launch' }],
    // The service may have used the stored guidance.
    ['no guidance', 'shows only a hash', 'same', none, { from: 'unknown', hash: HASH }],
    ['guidance', 'hides its guidance', 'same', HASH, none],
    ['guidance', 'has none', 'different', HASH, { from: 'nowhere' }],
    ['guidance', 'has the stored guidance', 'different', HASH, { from: 'repository' }],
    ['guidance', 'has guidance from a launch', 'same', HASH, { from: 'launch' }],
    ['guidance', 'shows its hash', 'same', HASH, { from: 'unknown', hash: HASH }],
    ['guidance', 'shows another hash', 'different', HASH, { from: 'unknown', hash: 'e'.repeat(64) }],
    // An empty text replaces the stored guidance.
    ['empty guidance', 'has none', 'same', HASH_OF_NOTHING, { from: 'nowhere' }],
    ['empty guidance', 'has the stored guidance', 'different', HASH_OF_NOTHING, { from: 'repository' }],
  ])(
    'for a launch with %s and a scan that %s, matchLaunch returns `%s`',
    (_launch, _scan, expected, guidance, shown) => {
      expect(match({ guidance: shown }, { guidance })).toBe(expected);
    },
  );
});
