import { describe, expect, test } from 'vitest';
import { ok, type Result } from '../../../src/domain/result.ts';
import type { ListedScan, PendingLaunch, Scan, ScanList, ScanSubject } from '../../../src/domain/scan.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import {
  claimedScans,
  matchNewScans,
  newCandidates,
  readStoredHash,
  scanIdsOf,
  withStoredGuidance,
} from '../../../src/scan/match-new-scans.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { pullRequestByRest } from '../github/pull-request-answers.ts';
import { answers, aScan, BASE, HEAD, refused } from './fake-api.ts';
import { aMark, markText, SEAL } from './marked.ts';
import { commentBody, comments, marksOn, onGitHub, refusal, type Shown } from './on-github.ts';
import { pendingLaunch, subject, whole } from './sample-subject.ts';

const mark = (scanId: string, key = 'K'.repeat(22)) => markText({ scanId, key });
const forged = (scanId: string) => encodeMark(aMark({ scanId }), createSeal('another token', '1296269'));

/** @returns the scans and the requests */
async function claimed(shown: Shown, pullRequest?: number, exceptKey?: string) {
  const { github, asked } = onGitHub(shown);
  const deps = { github, seal: SEAL, signal: NEVER_ABORTED };
  const scans = await claimedScans(deps, { headSha: SHA.head, pullRequest }, exceptKey);
  return { scans: scans && [...scans], asked };
}

test('claimedScans reads only check runs if the event has no pull request', async () => {
  const shown = { 'checks of head': marksOn(SHA.head, mark('a'), 'run:42:1:x', mark('b'), forged('x')) };
  expect(await claimed(shown)).toEqual({ scans: ['a', 'b'], asked: ['checks of head'] });
});

const ON_CHECK_RUN = { 'checks of head': marksOn(SHA.head, mark('a'), mark('b', 'L'.repeat(22))) };

test.each<[what: string, shown: Shown, exceptKey: string | undefined, scans: readonly string[]]>([
  [
    'finds the marks in the comments of every check and author',
    {
      'pull request 5': comments(
        { mark: mark('c'), checkName: 'Another check', by: 'mona' },
        { mark: mark('d') },
        { mark: forged('x') },
        {},
      ),
    },
    undefined,
    ['a', 'b', 'c', 'd'],
  ],
  [
    'leaves out the marks whose key is `exceptKey`',
    { 'pull request 5': comments({ mark: mark('c') }) },
    'K'.repeat(22),
    ['b'],
  ],
  [
    'reads the comments by REST if GraphQL fails',
    {
      'pull request 5': refusal(502),
      'pull request 5 by REST': { status: 200, body: pullRequestByRest() },
      'comments of 5': { status: 200, body: [{ id: 1, body: commentBody({ mark: mark('c') }), user: null }] },
    },
    undefined,
    ['a', 'b', 'c'],
  ],
])('claimedScans %s', async (_what, shown, exceptKey, scans) => {
  expect(await claimed({ ...ON_CHECK_RUN, ...shown }, 5, exceptKey)).toMatchObject({ scans });
});

test.each<[what: string, shown: Shown]>([
  ['check runs', { 'checks of head': refusal(403) }],
  ['pull request', { 'pull request 5': refusal(403), 'pull request 5 by REST': refusal(403) }],
  [
    'comments',
    {
      'pull request 5': refusal(502),
      'pull request 5 by REST': { status: 200, body: pullRequestByRest() },
      'comments of 5': refusal(403),
    },
  ],
])('claimedScans returns no set if it cannot read the %s', async (_what, shown) => {
  expect(await claimed({ ...ON_CHECK_RUN, ...shown }, 5)).toMatchObject({ scans: undefined });
});

test('claimedScans reads the pull request, and passes it to `onPullRequestRead`', async () => {
  const { github } = onGitHub({ ...ON_CHECK_RUN, 'pull request 5': comments() });
  const heads: string[] = [];
  const onPullRequestRead = ({ headSha }: { readonly headSha: string }) => void heads.push(headSha);
  const deps = { github, seal: SEAL, signal: NEVER_ABORTED, onPullRequestRead };
  await claimedScans(deps, { headSha: SHA.head, pullRequest: 5 });
  expect(heads).toEqual([SHA.head]);
});

const STORED_HASH = hashOfText('Mind.');
const guided = (guidance: Scan['guidance']) => aScan('QUEUED', { guidance });
/** A scan that shows its guidance. It does not show whether the guidance comes from the launch or the repository. */
const shows = (text: string) => guided({ from: 'unknown', hash: hashOfText(text) });

test.each<[string, Scan[], ScanSubject | undefined, Result<string | null, ApiError>[], string | undefined]>([
  [
    'reads the stored guidance if a scan shows guidance of unknown origin',
    [shows('Mind.')],
    subject,
    [ok('Mind.')],
    STORED_HASH,
  ],
  [
    'reads the stored guidance if one of several scans shows guidance of unknown origin',
    [guided(undefined), shows('Other.')],
    subject,
    [ok('Mind.')],
    STORED_HASH,
  ],
  ['returns no hash if the repository has no guidance', [shows('Mind.')], subject, [ok(null)], undefined],
  [
    'returns no hash if the guidance cannot be read',
    [shows('Mind.')],
    subject,
    [refused(403, 'forbidden')],
    undefined,
  ],
  [
    'does not read the stored guidance if the launch sent guidance',
    [shows('Mind.')],
    { ...subject, guidance: hashOfText('Mine.') },
    [],
    undefined,
  ],
  [
    'does not read the stored guidance if the subject of the launch is not known',
    [shows('Mind.')],
    undefined,
    [],
    undefined,
  ],
  [
    'does not read the stored guidance if no scan shows guidance of unknown origin',
    [guided(undefined), guided({ from: 'launch' })],
    subject,
    [],
    undefined,
  ],
])('readStoredHash %s', async (_title, scans, launched, reads, hash) => {
  const guidance = answers<string | null>(...reads);
  const launch = { projectId: 'p', subject: launched };
  expect(await readStoredHash({ guidance }, launch, scans, NEVER_ABORTED)).toBe(hash);
  expect(guidance.calls).toEqual(reads.map(() => ['p', 'r', { signal: NEVER_ABORTED }]));
});

test.each<[string, Scan, string | undefined, Scan['guidance']]>([
  [
    'names the repository as the origin of guidance that equals the stored guidance',
    shows('Mind.'),
    STORED_HASH,
    { from: 'repository' },
  ],
  [
    'keeps guidance that differs from the stored guidance',
    shows('Other.'),
    STORED_HASH,
    shows('Other.').guidance,
  ],
  [
    'keeps guidance of unknown origin if the stored guidance is not known',
    shows('Mind.'),
    undefined,
    shows('Mind.').guidance,
  ],
  ['keeps the guidance of a launch', guided({ from: 'launch' }), STORED_HASH, { from: 'launch' }],
])('withStoredGuidance %s', (_what, scan, storedHash, guidance) => {
  expect(withStoredGuidance(scan, storedHash)).toEqual({ ...scan, guidance });
});

const OTHER = 'c'.repeat(40);

const CREATED_AT = '2026-01-02T03:04:05Z';
const HIDDEN = { ...whole, areas: undefined, guidance: undefined };

function listed(id: string | undefined, shown: Partial<ListedScan> = {}): ListedScan {
  const { progress: _, ...nothing } = aScan('RUNNING');
  return { ...nothing, ...shown, id };
}

const list = (...scans: ListedScan[]): ScanList => ({ scans, complete: true });
const page = (...scans: ListedScan[]): ScanList => ({ scans, complete: false });
const detail = (id: string, shown: Partial<Scan> = whole): Scan => aScan('QUEUED', { ...shown, id });
const match = (scans: ScanList, details: Scan[] = [], changes: Partial<PendingLaunch> = {}) =>
  matchNewScans(scans, new Map(details.map((scan) => [scan.id, scan])), { ...pendingLaunch, ...changes });

describe('matchNewScans: one new scan', () => {
  test('matchNewScans finds the new scan, and ignores an older scan with the same details', () => {
    const scans = list(listed('new', whole), listed('old', whole));
    expect(match(scans, [detail('new', { ...whole, createdAt: CREATED_AT }), detail('old')])).toEqual({
      kind: 'found',
      scanId: 'new',
      createdAt: CREATED_AT,
      scopeShown: true,
    });
  });

  test('matchNewScans finds the new scan if the list shows only ids', () => {
    expect(match(list(listed('new')), [detail('new', { ...whole, createdAt: CREATED_AT })])).toEqual({
      kind: 'found',
      scanId: 'new',
      createdAt: CREATED_AT,
      scopeShown: true,
    });
  });

  test('matchNewScans finds the new scan in a project that had no scans before', () => {
    expect(match(list(listed('new')), [detail('new')], { knownScanIds: [] })).toMatchObject({
      kind: 'found',
    });
  });

  test.each<[string, Partial<Scan>]>([
    ['repository', { repositoryId: 'q' }],
    ['preset', { presetRef: 'full' }],
    ['base', { baseSha: OTHER }],
    ['head', { headSha: OTHER }],
    ['abbreviated head', { headSha: OTHER.slice(0, 7) }],
    ['budget', { creditBudget: 500 }],
    ['list of areas', { areas: ['login'] }],
    ['source of guidance', { guidance: { from: 'launch' } }],
  ])('matchNewScans finds the new scan next to a scan with another %s', (_what, shown) => {
    const other = { ...whole, ...shown };
    expect(match(list(listed('other', other), listed('new')), [detail('new')])).toMatchObject({
      scanId: 'new',
    });
    expect(
      match(list(listed('other'), listed('new')), [detail('other', other), detail('new')]),
    ).toMatchObject({ scanId: 'new' });
  });
});

test.each<[string, Partial<ScanSubject>]>([
  ['neither areas nor guidance', {}],
  ['areas', { areas: ['login'] }],
  ['guidance', { guidance: 'd'.repeat(64) }],
])('after a launch with %s, matchNewScans reports that the found scan does not show its scope', (_, sent) => {
  const narrowed = { subject: { ...subject, ...sent } };
  const expected = { kind: 'found', scanId: 'new', createdAt: CREATED_AT, scopeShown: false };
  expect(match(list(listed('new')), [detail('new', { ...HIDDEN, createdAt: CREATED_AT })], narrowed)).toEqual(
    expected,
  );
});

describe('matchNewScans: no proven scan', () => {
  test.each<[string, ScanList, Scan[]]>([
    ['the list is empty', list(), []],
    ['only known scans are listed', list(listed('old', whole)), [detail('old')]],
    ['the list shows another head for the new scan', list(listed('new', { ...whole, headSha: OTHER })), []],
    [
      'the details of the new scan show another head',
      list(listed('new', whole)),
      [detail('new', { ...whole, headSha: OTHER })],
    ],
    ['the list contradicts the details', list(listed('new', { ...whole, headSha: OTHER })), [detail('new')]],
  ])('matchNewScans finds no scan if %s', (_what, scans, details) => {
    expect(match(scans, details)).toEqual({ kind: 'no-match', why: 'none', ids: [] });
  });

  test('matchNewScans returns all scans that may match if two of them certainly match', () => {
    const scans = list(
      listed('a'),
      listed('x', { headSha: OTHER }),
      listed('b'),
      listed('c'),
      listed('old', whole),
    );
    expect(match(scans, [detail('a'), detail('b')])).toEqual({
      kind: 'no-match',
      why: 'several',
      ids: ['a', 'b', 'c'],
    });
  });

  test.each<[string, Partial<Scan>]>([
    ['neither base nor commit', { repositoryId: 'r', presetRef: 'diff' }],
    ['no commit', { ...whole, headSha: undefined }],
    ['no base', { ...whole, baseSha: undefined }],
    ['an abbreviated commit', { ...whole, headSha: HEAD.slice(0, 12) }],
    ['an abbreviated base', { ...whole, baseSha: BASE.slice(0, 39) }],
    ['guidance of unknown origin', { ...whole, guidance: { from: 'unknown', hash: 'd' } }],
    ['nothing', {}],
  ])('matchNewScans rejects a scan whose details show %s', (_what, shown) => {
    const expected = { kind: 'no-match', why: 'cannot-tell', ids: ['new'] };
    expect(match(list(listed('new')), [detail('new', shown)])).toEqual(expected);
    // Even if the list shows everything that has to match, only the details prove a scan.
    expect(match(list(listed('new', whole)), [detail('new', shown)])).toEqual(expected);
  });

  test('matchNewScans rejects a scan whose details were not read', () => {
    expect(match(list(listed('new', whole)))).toEqual({ kind: 'no-match', why: 'cannot-tell', ids: ['new'] });
  });

  test.each<[string, ListedScan, Scan[]]>([
    ['without details', listed('unseen'), []],
    ['whose details show nothing', listed('unseen'), [detail('unseen', {})]],
    [
      'whose details show an abbreviated commit',
      listed('unseen'),
      [detail('unseen', { headSha: HEAD.slice(0, 7) })],
    ],
    ['without an id', listed(undefined), []],
    ['with a matching list entry and no id', listed(undefined, whole), []],
  ])('matchNewScans rejects the new scan if a second scan %s may match', (_what, other, details) => {
    const ids = other.id === undefined ? ['new'] : ['new', other.id];
    const expected = { kind: 'no-match', why: 'cannot-tell', ids };
    expect(match(list(listed('new'), other), [detail('new'), ...details])).toEqual(expected);
  });

  test('matchNewScans rejects a scan that has no id', () => {
    expect(match(list(listed(undefined, whole)))).toEqual({ kind: 'no-match', why: 'cannot-tell', ids: [] });
  });

  test('matchNewScans finds no scan if the next page may have another new scan', () => {
    const scans = [listed('new'), listed('x', { headSha: OTHER })];
    const details = [detail('new')];
    expect(match(page(...scans), details)).toEqual({ kind: 'no-match', why: 'cannot-tell', ids: ['new'] });
    expect(match(page(...scans), [detail('new', { headSha: OTHER })])).toMatchObject({
      why: 'cannot-tell',
      ids: [],
    });
    // This page ends with a known scan, so no further page has a new scan.
    expect(match(page(...scans, listed('old')), details)).toMatchObject({ kind: 'found' });
    expect(match(page(...scans, listed('old')), [detail('new', { headSha: OTHER })])).toMatchObject({
      why: 'none',
    });
  });

  test('if the ids of earlier scans are missing, matchNewScans finds no scan, but names scans that match', () => {
    const scans = list(listed('a', whole), listed('x', { headSha: OTHER }), listed('b'), listed('c'));
    const why = 'unknown-before';
    expect(match(scans, [], { knownScanIds: undefined })).toEqual({ kind: 'no-match', why, ids: ['a'] });
    expect(match(list(), [], { knownScanIds: undefined })).toEqual({ kind: 'no-match', why, ids: [] });
    const nothingKnown = { knownScanIds: undefined, subject: undefined };
    expect(match(scans, [], nothingKnown)).toEqual({ kind: 'no-match', why, ids: [] });
  });

  test('matchNewScans finds no scan if the subject of the launch is unknown', () => {
    expect(match(list(listed('new', whole)), [detail('new')], { subject: undefined })).toEqual({
      kind: 'no-match',
      why: 'cannot-tell',
      ids: ['new'],
    });
    expect(match(list(listed('old', whole)), [detail('old')], { subject: undefined })).toMatchObject({
      why: 'none',
    });
  });
});

test('newCandidates leaves out known scans, and scans that differ from the launch', () => {
  const scans = [
    listed('b'),
    listed('x', { headSha: OTHER }),
    listed('old', whole),
    listed(undefined),
    listed('c', { headSha: HEAD.slice(0, 7) }),
  ];
  const idsOf = (found: readonly ListedScan[]) => found.map(({ id }) => id);
  expect(idsOf(newCandidates(list(...scans), pendingLaunch))).toEqual(['b', undefined, 'c']);
  expect(idsOf(newCandidates(list(...scans), { ...pendingLaunch, subject: undefined }))).toEqual([
    'b',
    'x',
    undefined,
    'c',
  ]);
  expect(idsOf(newCandidates(list(...scans), { ...pendingLaunch, knownScanIds: undefined }))).toEqual([
    'b',
    'old',
    undefined,
    'c',
  ]);
});

test('scanIdsOf returns all ids of a list, or undefined if a scan has no id', () => {
  expect(scanIdsOf(list(listed('b'), listed('a')))).toEqual(['b', 'a']);
  expect(scanIdsOf(list())).toEqual([]);
  expect(scanIdsOf(list(listed('b'), listed(undefined)))).toBeUndefined();
});
