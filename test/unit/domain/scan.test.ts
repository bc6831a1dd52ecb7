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

test('only the statuses COMPLETED, FAILED and CANCELLED are terminal', () => {
  const running = ['QUEUED', 'RUNNING', 'completed', 'FINISHED', 'COMPLETED ', ''];
  const all = [...running, 'COMPLETED', 'FAILED', 'CANCELLED'];
  expect(all.filter((status) => !isTerminal(status))).toEqual(running);
});

const SHA1 = '0123456789abcdef0123456789abcdef01234567';
const SHA256 = `${SHA1}89abcdef0123456789abcdef`;
const BASE = 'a'.repeat(40);
const OTHER = 'c'.repeat(40);
const HASH = 'd'.repeat(64);
const HASH_OF_NOTHING = hashOfText('');

test.each<[result: Match, expected: string, shown: readonly (string | undefined)[]]>([
  ['same', SHA1, [SHA1, SHA1.toUpperCase()]],
  ['same', SHA256, [SHA256]],
  // An abbreviated id never proves that the commit is the same. It can prove that the commit is different.
  ['cannot-tell', SHA1, [39, 12, 7, 6, 0].map((length) => SHA1.slice(0, length))],
  ['cannot-tell', SHA1, [SHA1.slice(0, 12).toUpperCase(), undefined]],
  ['different', SHA1, [`${SHA1.slice(0, 39)}0`, `1${SHA1.slice(1)}`, SHA1.slice(1, 12), 'main']],
  ['different', SHA1, [`${SHA1.slice(0, 6)}f`, `${SHA1.slice(0, 5)}f`]],
  // All full commit ids of a repository have the same length. Forty digits are no full id in a SHA-256 repository.
  ['different', SHA1, [`${SHA1}0`, SHA256]],
  ['cannot-tell', SHA256, [SHA256.slice(0, 63), SHA256.slice(0, 40)]],
  ['different', SHA256, [`1${SHA1.slice(1)}`]],
])(
  'matchCommit returns `%s` for the expected commit %s and the shown commits %j',
  (result, expected, all) => {
    expect(all.map((shown) => matchCommit(shown, expected))).toEqual(all.map(() => result));
  },
);

test('shownInFull returns only full commit ids, in lower case', () => {
  expect([OTHER, OTHER.toUpperCase()].map((shown) => shownInFull(shown, SHA1))).toEqual([OTHER, OTHER]);
  expect(shownInFull(SHA256, SHA256)).toBe(SHA256);
  const unfit = [undefined, OTHER.slice(0, 39), SHA256, 'main', 'z'.repeat(40)];
  expect(unfit.filter((shown) => shownInFull(shown, SHA1) !== undefined)).toEqual([]);
  expect(shownInFull(SHA1, SHA256)).toBeUndefined();
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
    ['another repository', 'different', { repositoryId: 'q' }],
    ['another preset', 'different', { presetRef: 'full' }],
    ['another preset and no head', 'different', { presetRef: 'full', headSha: undefined }],
    ['another base', 'different', { baseSha: OTHER }],
    ['another head', 'different', { headSha: OTHER }],
    ['a smaller budget', 'different', { creditBudget: 19 }],
    ['a larger budget', 'different', { creditBudget: 21 }],
    ['a budget of 0', 'different', { creditBudget: 0 }],
    ['another reservation', 'different', reserving(10)],
    ['another reservation and no budget', 'different', { ...reserving(10), creditBudget: undefined }],
  ])('matchLaunch, if the scan shows %s, returns `%s`', (_what, expected, shown, subject) => {
    expect(match(shown, subject)).toBe(expected);
  });

  /** Shows how the scan matches the launch, for each pair of values. */
  const pairs = <Sent, Shown>(
    sent: Readonly<Record<string, Sent>>,
    shown: Readonly<Record<string, Shown>>,
    matchOf: (sent: Sent, shown: Shown) => Match,
  ) =>
    Object.entries(sent).map(([what, value]) => {
      const results = Object.entries(shown).map(([name, one]) => `${name}: ${matchOf(value, one)}`);
      return `${what}\n  ${results.join('\n  ')}`;
    });
  const named = (...lists: readonly (readonly string[])[]) =>
    Object.fromEntries(lists.map((list) => [JSON.stringify(list), list]));

  test('matchLaunch compares base, areas and guidance as the golden file shows', async () => {
    const bases = {
      'no base': undefined,
      'a full scan': null,
      'a base': BASE,
      'a short base': BASE.slice(0, 7),
    };
    // An empty key stands for an area whose key cannot be read. It limits the scan, but it may be any area.
    const areas = named([], ['login'], ['Login'], ['pay', 'login'], ['login', 'login'], [''], ['login', '']);
    const guidance: Readonly<Record<string, ShownGuidance | undefined>> = {
      hidden: undefined,
      none: { from: 'nowhere' },
      // The service may have used the stored guidance.
      stored: { from: 'repository' },
      'of the launch': { from: 'launch' },
      'its hash': { from: 'unknown', hash: HASH },
      'another hash': { from: 'unknown', hash: 'e'.repeat(64) },
    };
    // An empty text replaces the stored guidance.
    const texts = { 'no guidance': undefined, guidance: HASH, 'empty guidance': HASH_OF_NOTHING };
    const pages = [
      ...pairs({ 'a launch without a base': undefined }, bases, (baseSha, shown) => {
        const isOther = showsOtherChange({ baseSha: shown, headSha: SHA1 }, { baseSha, headSha: SHA1 });
        const result = match({ baseSha: shown }, { baseSha });
        expect(isOther).toBe(result === 'different');
        return result;
      }),
      ...pairs(named([], ['login'], ['login', 'pay']), { hidden: undefined, ...areas }, (sent, shown) =>
        match({ areas: shown }, { areas: sent }),
      ),
      ...pairs(texts, guidance, (sent, shown) => match({ guidance: shown }, { guidance: sent })),
    ];
    await expect(`${pages.join('\n')}\n`).toMatchFileSnapshot('golden/launch-matches.txt');
  });
});
