import { describe, expect, test } from 'vitest';
import {
  badnessIn,
  type CommentState,
  decodeState,
  encodeState,
  markIn,
  type StateOwner,
} from '../../../src/domain/comment-state.ts';
import { MOST_KNOWN, nextHistory } from '../../../src/domain/history.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { judge } from '../../../src/domain/verdict.ts';
import { hiddenLines, readState } from '../../../src/github/comment-marker.ts';
import { completed, HEAD, POLICY, sampleFinding } from '../report/sample-report.ts';

const OWNER: StateOwner = { pullRequest: 128, checkName: 'Security scan' };
const TOKEN = 'the API token';
const SEAL = createSeal(TOKEN, '1296269');
const groups = (count: number) =>
  judge(
    completed(
      Array.from({ length: count }, (_, index) =>
        sampleFinding({ id: `finding ${index}`, label: `ZK-${String(index).padStart(8, '0')}` }),
      ),
    ),
    POLICY,
  ).findings;
const HISTORY = nextHistory(nextHistory(undefined, 'a'.repeat(40), groups(2)), HEAD, groups(3));
const EMPTY: CommentState = { mark: undefined, badness: 0, history: undefined, publication: undefined };
const PAGE = { scanId: 'scan:1;/>,', publicId: 'p/1', gated: true };
const FULL: CommentState = { mark: 'v2:x', badness: 4, history: HISTORY, publication: PAGE };
const TEXT = encodeState(FULL, OWNER, SEAL);

const mixed = judge(
  completed(
    ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO', 'ODD'].map((word) => sampleFinding({ id: word, word })),
  ),
  { ...POLICY, severityThreshold: 'info' },
).findings;
const unlabelled = [sampleFinding({ id: undefined, label: 'ZK-<b>' })];

describe('the state of a comment', () => {
  test.each<[what: string, state: CommentState]>([
    ['everything', FULL],
    ['nothing', EMPTY],
    ['only a mark', { ...EMPTY, mark: 'v2:x' }],
    ['a page without a password', { ...EMPTY, publication: { ...PAGE, gated: false } }],
    ['the first push', { ...EMPTY, history: nextHistory(undefined, HEAD, groups(1)) }],
    ['a push without findings', { ...EMPTY, history: nextHistory(undefined, HEAD, groups(0)) }],
    ['findings of every severity', { ...EMPTY, history: nextHistory(undefined, HEAD, mixed) }],
    [
      'a finding without id and label',
      { ...EMPTY, history: nextHistory(undefined, HEAD, { ...groups(0), reported: unlabelled }) },
    ],
  ])('the state can be encoded and decoded: %s', (_what, state) => {
    const text = encodeState(state, OWNER, SEAL);
    expect(text).toMatch(/^[!-;=?-~]+$/);
    expect(decodeState(text, OWNER, SEAL)).toEqual(state);
    expect([markIn(text), badnessIn(text)]).toEqual([state.mark ?? '', state.badness]);
  });

  test('the decoded history shows which findings blocked', () => {
    const { history } = decodeState(
      encodeState({ ...EMPTY, history: nextHistory(undefined, HEAD, mixed) }, OWNER, SEAL),
      OWNER,
      SEAL,
    );
    expect(history?.findings.map(({ level, blocks }) => [level, blocks])).toEqual([
      ['unknown', true],
      ['critical', true],
      ['high', true],
      ['medium', false],
      ['low', false],
      ['info', false],
    ]);
  });

  const UNPROVEN = { history: undefined, publication: undefined };
  test.each<[string, text: string, owner?: Partial<StateOwner>, seal?: typeof SEAL]>([
    ['another pull request', TEXT, { pullRequest: 129 }],
    ['another check', TEXT, { checkName: 'Other' }],
    ['another token', TEXT, {}, createSeal('another token', '1296269')],
    ['another repository', TEXT, {}, createSeal(TOKEN, '1296270')],
    ['an empty token', encodeState(FULL, OWNER, createSeal('', '1296269')), {}, createSeal('', '1296269')],
  ])('the signed part of the state is rejected for %s', (_what, text, owner, seal = SEAL) => {
    expect(decodeState(text, { ...OWNER, ...owner }, seal)).toEqual({ ...FULL, ...UNPROVEN });
  });

  test('the signed part of the state is rejected if it was changed', () => {
    for (let place = TEXT.lastIndexOf(';') + 1; place < TEXT.length; place += 1) {
      const changed = TEXT.slice(0, place) + (TEXT[place] === 'A' ? 'B' : 'A') + TEXT.slice(place + 1);
      expect(decodeState(changed, OWNER, SEAL), changed).toMatchObject(UNPROVEN);
    }
  });

  test.each(['', 'v2:x', 'v2:x;h1:abc', ';;', ';9', '////', 'v2:x;x;//'])(
    'a text that is no state has no result and nothing signed: %j',
    (text) => {
      expect(decodeState(text, OWNER, SEAL)).toMatchObject(UNPROVEN);
      expect(badnessIn(text)).toBe(0);
    },
  );

  test('the hidden line of a comment can hold the longest state', () => {
    const longest = {
      mark: `v1:${'%3A'.repeat(256)}:${'0'.repeat(64)}:${'0'.repeat(64)}`,
      badness: 4,
      history: nextHistory(HISTORY, 'b'.repeat(40), groups(MOST_KNOWN * 2)),
      publication: { scanId: ':'.repeat(256), publicId: ':'.repeat(256), gated: true },
    };
    const state = encodeState(longest, OWNER, SEAL);
    const marker = { checkName: 'x', headSha: HEAD, runId: 1, runAttempt: 1 };
    expect(readState(hiddenLines(marker, state))).toBe(state);
    expect(decodeState(state, OWNER, SEAL)).toEqual(longest);
    expect(state.length).toBeLessThan(20_000);
  });
});
