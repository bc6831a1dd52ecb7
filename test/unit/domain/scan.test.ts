import { describe, expect, test } from 'vitest';
import {
  isTerminal,
  type Match,
  matchCommit,
  matchScan,
  type Scan,
  type ScanMatch,
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

type Shown = Parameters<typeof matchScan>[0];

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
const WHOLE: Shown = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: BASE,
  headSha: SHA1,
  creditBudget: 20,
  areas: [],
  guidance: { from: 'nowhere' },
};

const match = (shown: Partial<Scan>, subject: Partial<ScanSubject> = {}) =>
  matchScan({ ...WHOLE, ...shown }, { ...SUBJECT, ...subject });

const reserving = (reservedCredits: number): Partial<Scan> => ({
  progress: { phasesCompleted: 0, phasesTotal: 1, weighted: 0, reservedCredits },
});

describe('a scan', () => {
  test('matchScan returns `same` if the scan shows every value that the launch sent', () => {
    expect(match({})).toBe('same');
    expect(match(reserving(20))).toBe('same');
  });

  test.each(['repositoryId', 'presetRef', 'creditBudget'] as const)(
    'matchScan returns `same` for a scan that hides `%s`',
    (member) => {
      expect(match({ [member]: undefined })).toBe('same');
    },
  );

  test.each(['areas', 'guidance'] as const)(
    'matchScan returns `scope-hidden` for a scan that hides `%s`',
    (member) => {
      expect(match({ [member]: undefined })).toBe('scope-hidden');
      expect(match({ [member]: undefined, repositoryId: undefined, creditBudget: undefined })).toBe(
        'scope-hidden',
      );
    },
  );

  test('matchScan never returns `same` if the launch sent fields that no scan shows', () => {
    expect(match({}, { sendsMore: true })).toBe('scope-hidden');
    expect(match({ headSha: OTHER }, { sendsMore: true })).toBe('different');
    // The launch may have chosen this preset in a field that the gate does not know.
    expect(match({ presetRef: 'full' }, { sendsMore: true })).toBe('cannot-tell');
    expect(match({ areas: ['login'] }, { sendsMore: true })).toBe('cannot-tell');
    expect(match({ headSha: undefined }, { sendsMore: true })).toBe('cannot-tell');
  });

  test.each<[string, Partial<Scan>]>([
    ['base is hidden', { baseSha: undefined }],
    ['base is null', { baseSha: null }],
    ['base is abbreviated', { baseSha: BASE.slice(0, 12) }],
    ['head is hidden', { headSha: undefined }],
    ['head is abbreviated', { headSha: SHA1.slice(0, 39) }],
    ['base and head are hidden', { baseSha: undefined, headSha: undefined }],
  ])('matchScan returns `cannot-tell` for a scan whose %s', (_what, shown) => {
    expect(match(shown)).toBe('cannot-tell');
    expect(match({ ...shown, areas: undefined, guidance: undefined })).toBe('cannot-tell');
  });

  test.each<[string, Partial<Scan>]>([
    ['another repository', { repositoryId: 'q' }],
    ['another preset', { presetRef: 'full' }],
    ['another base', { baseSha: OTHER }],
    ['the abbreviated id of another base', { baseSha: OTHER.slice(0, 7) }],
    ['another head', { headSha: OTHER }],
    ['the abbreviated id of another head', { headSha: OTHER.slice(0, 7) }],
    ['a smaller budget', { creditBudget: 19 }],
    ['a larger budget', { creditBudget: 21 }],
    ['a budget of 0', { creditBudget: 0 }],
    ['a smaller reserved budget', reserving(10)],
    ['a smaller reserved budget and no other budget', { ...reserving(10), creditBudget: undefined }],
    ['a larger reserved budget', reserving(40)],
    ['an audit area', { areas: ['login'] }],
    ['an audit area without a readable key', { areas: [''] }],
    ['guidance from the launch', { guidance: { from: 'launch' } }],
  ])('matchScan returns `different` for a scan with %s', (_what, shown) => {
    expect(match(shown)).toBe('different');
    const hidden = shown.headSha === undefined ? { headSha: undefined } : { baseSha: undefined };
    expect(match({ ...shown, ...hidden })).toBe('different');
    const scope = shown.areas === undefined ? { areas: undefined } : { guidance: undefined };
    expect(match({ ...shown, ...scope })).toBe('different');
  });

  test.each<[string | null | undefined, ScanMatch]>([
    [undefined, 'same'],
    [null, 'same'],
    [BASE, 'different'],
    [BASE.slice(0, 7), 'different'],
  ])(
    'for a launch without a base and a scan with the base %j, matchScan returns `%s`',
    (baseSha, expected) => {
      expect(match({ baseSha }, { baseSha: undefined })).toBe(expected);
      const isOther = showsOtherChange({ baseSha, headSha: SHA1 }, { baseSha: undefined, headSha: SHA1 });
      expect(isOther).toBe(expected === 'different');
    },
  );

  test('matchScan returns `cannot-tell` for a full scan that hides its base and its preset', () => {
    const full = { baseSha: undefined };
    expect(match({ baseSha: undefined, presetRef: undefined }, full)).toBe('cannot-tell');
    expect(match({ baseSha: null, presetRef: undefined }, full)).toBe('same');
  });

  test('matchScan returns `same` for a scan with any budget if the launch sent no budget', () => {
    expect(match({ creditBudget: 1 }, { creditBudget: undefined })).toBe('same');
    expect(match(reserving(1), { creditBudget: undefined })).toBe('same');
    expect(match({ creditBudget: undefined }, { creditBudget: undefined })).toBe('same');
  });

  test('matchScan returns `same` for a scan that has released its budget', () => {
    expect(match(reserving(0))).toBe('same');
  });

  test.each<[readonly string[], readonly string[] | undefined, ScanMatch]>([
    [[], undefined, 'scope-hidden'],
    [[], [], 'same'],
    [[], ['login'], 'different'],
    [['login'], undefined, 'scope-hidden'],
    [['login'], [], 'different'],
    [['login'], ['login'], 'same'],
    [['login'], ['Login'], 'different'],
    [['login'], ['logout'], 'different'],
    [['login', 'pay'], ['pay', 'login'], 'same'],
    [['login', 'pay'], ['login'], 'different'],
    [['login'], ['login', 'pay'], 'different'],
    [['login', 'pay'], ['login', 'login'], 'different'],
    [['login', 'login'], ['login', 'pay'], 'different'],
    [['login', 'login'], ['login'], 'same'],
    [['login'], ['login', 'login'], 'same'],
    // An empty key stands for an area whose key cannot be read. Nothing shows whether the launch sent that area.
    [['login'], [''], 'cannot-tell'],
    [['login', 'pay'], ['login', ''], 'cannot-tell'],
  ])('matchScan compares areas (launch: %j, scan: %j, result: `%s`)', (areas, shown, expected) => {
    expect(match({ areas: shown }, { areas })).toBe(expected);
  });

  const none = undefined;
  test.each<[string, string, ScanMatch, string | undefined, ShownGuidance | undefined]>([
    ['no guidance', 'hides its guidance', 'scope-hidden', none, none],
    ['no guidance', 'has none', 'same', none, { from: 'nowhere' }],
    ['no guidance', 'has the stored guidance', 'same', none, { from: 'repository' }],
    ['no guidance', 'has guidance from a launch', 'different', none, { from: 'launch' }],
    // The hashed text may come from a guidance file, or from another user's launch.
    ['no guidance', 'shows only a hash', 'cannot-tell', none, { from: 'unknown', hash: HASH }],
    ['guidance', 'hides its guidance', 'scope-hidden', HASH, none],
    ['guidance', 'has none', 'different', HASH, { from: 'nowhere' }],
    ['guidance', 'has the stored guidance', 'different', HASH, { from: 'repository' }],
    // Another user's launch may have sent another text.
    ['guidance', 'has guidance from a launch', 'scope-hidden', HASH, { from: 'launch' }],
    ['guidance', 'shows its hash', 'same', HASH, { from: 'unknown', hash: HASH }],
    ['guidance', 'shows another hash', 'different', HASH, { from: 'unknown', hash: 'e'.repeat(64) }],
    // An empty text replaces the stored guidance.
    ['empty guidance', 'has none', 'same', HASH_OF_NOTHING, { from: 'nowhere' }],
    ['empty guidance', 'has the stored guidance', 'different', HASH_OF_NOTHING, { from: 'repository' }],
  ])(
    'for a launch with %s and a scan that %s, matchScan returns `%s`',
    (_launch, _scan, expected, guidance, shown) => {
      expect(match({ guidance: shown }, { guidance })).toBe(expected);
    },
  );
});
