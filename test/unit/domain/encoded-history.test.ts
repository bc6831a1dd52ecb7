import { describe, expect, test } from 'vitest';
import { encodePublication, joinState, splitState } from '../../../src/domain/comment-state.ts';
import {
  encodeHistory,
  type HistoryOwner,
  MOST_KNOWN,
  nextHistory,
  readHistory,
} from '../../../src/domain/history.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { judge } from '../../../src/domain/verdict.ts';
import { hiddenLines, readState } from '../../../src/github/comment-marker.ts';
import { completed, HEAD, POLICY, sampleFinding } from '../report/sample-report.ts';

const OWNER: HistoryOwner = { pullRequest: 128, checkName: 'Security scan' };
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
const WORD = encodeHistory(HISTORY, OWNER, SEAL);

describe('the encoded history of findings', () => {
  test.each([
    ['two pushes', HISTORY],
    ['the first push', nextHistory(undefined, HEAD, groups(1))],
    ['a push without findings', nextHistory(undefined, HEAD, groups(0))],
    [
      'a push with a finding without id and label',
      nextHistory(undefined, HEAD, {
        ...groups(0),
        reported: [sampleFinding({ id: undefined, label: 'ZK-<b>' })],
      }),
    ],
  ])('the history of findings after %s can be encoded and decoded', (_, history) => {
    expect(readHistory(encodeHistory(history, OWNER, SEAL), OWNER, SEAL)).toEqual(history);
  });

  test('the decoded history of findings shows which findings blocked', () => {
    const mixed = judge(
      completed(['CRITICAL', 'MEDIUM'].map((word) => sampleFinding({ id: word, word }))),
      POLICY,
    ).findings;
    const read = readHistory(encodeHistory(nextHistory(undefined, HEAD, mixed), OWNER, SEAL), OWNER, SEAL);
    expect(read?.findings.map(({ level, blocks }) => [level, blocks])).toEqual([
      ['critical', true],
      ['medium', false],
    ]);
  });

  test.each<[string, Partial<HistoryOwner>]>([
    ['another pull request', { pullRequest: 129 }],
    ['another check', { checkName: 'Other' }],
  ])('the encoded history of findings is rejected for %s', (_, other) => {
    expect(readHistory(WORD, { ...OWNER, ...other }, SEAL)).toBeUndefined();
  });

  test('an encoded history is rejected if it is empty or changed, or if it is read with another token', () => {
    expect(readHistory(WORD, OWNER, createSeal('another token', '1296269'))).toBeUndefined();
    for (let place = 0; place < WORD.length; place += 1) {
      const changed = WORD.slice(0, place) + (WORD[place] === 'A' ? 'B' : 'A') + WORD.slice(place + 1);
      expect(readHistory(changed, OWNER, SEAL), changed).toBeUndefined();
    }
    expect(readHistory('', OWNER, SEAL)).toBeUndefined();
  });

  test('the hidden state of a comment can hold the longest entries', () => {
    const full = encodeHistory(nextHistory(HISTORY, 'b'.repeat(40), groups(MOST_KNOWN * 2)), OWNER, SEAL);
    const mark = `v1:${'%3A'.repeat(256)}:${'0'.repeat(64)}:${'0'.repeat(64)}`;
    const publication = encodePublication(
      { scanId: ':'.repeat(256), publicId: ':'.repeat(256), gated: true },
      SEAL,
    );
    const entries = { mark, history: full, publication };
    const state = joinState(entries);
    const marker = { checkName: 'x', headSha: HEAD, runId: 1, runAttempt: 1 };
    expect(readState(hiddenLines(marker, state))).toBe(state);
    expect(splitState(state)).toEqual(entries);
    expect(state?.length).toBeLessThan(20_000);
  });
});

describe('the entries of a state', () => {
  test.each([
    ['a mark', { mark: 'v2:x', history: undefined, publication: undefined }, 'v2:x'],
    ['a history', { mark: undefined, history: 'h1:x', publication: undefined }, 'h1:x'],
    ['a publication', { mark: undefined, history: undefined, publication: 'p1:x' }, 'p1:x'],
    ['every entry', { mark: 'v2:x', history: 'h1:x', publication: 'p1:x' }, 'v2:x;h1:x;p1:x'],
    ['no entry', { mark: undefined, history: undefined, publication: undefined }, undefined],
  ])('splitState splits a state that joinState has joined: %s', (_, entries, state) => {
    expect(joinState(entries)).toBe(state);
    expect(splitState(state)).toEqual(entries);
  });
});
