import { expect, test } from 'vitest';
import { encodeFreeRerun, readFreeRerun } from '../../../src/domain/comment-state.ts';
import {
  type EntryOwner,
  encodeHistory,
  type HistoryOwner,
  nextHistory,
} from '../../../src/domain/history.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { HEAD, sampleReport } from '../report/sample-report.ts';

const OWNER = { pullRequest: 128, checkName: 'Security scan' };
const SEAL = createSeal('the API token', '1296269');
const FREE = { runId: 9_000_000_001, runAttempt: 2, mayRepeat: false };
const WORD = encodeFreeRerun(FREE, OWNER, SEAL);

test('the entry for a free re-run can be decoded, and contains no `;`', () => {
  expect(readFreeRerun(WORD, OWNER, SEAL)).toEqual(FREE);
  expect(WORD).toMatch(/^f1:9000000001:2:[\w-]{43}$/);
});

test('the entry for a free re-run can hold the largest run id and attempt', () => {
  const largest = { runId: 10 ** 15 - 1, runAttempt: 10 ** 9 - 1, mayRepeat: true };
  expect(readFreeRerun(encodeFreeRerun(largest, OWNER, SEAL), OWNER, SEAL)).toEqual(largest);
});

test.each<[string, Partial<EntryOwner>]>([['another pull request', { pullRequest: 129 }]])(
  'the entry for a free re-run is rejected for %s',
  (_what, other) => {
    expect(readFreeRerun(WORD, { ...OWNER, ...other }, SEAL)).toBeUndefined();
  },
);

test('the entry for a free re-run is accepted for every check of the pull request', () => {
  const other: HistoryOwner = { ...OWNER, checkName: 'Other' };
  expect(readFreeRerun(WORD, other, SEAL)).toEqual(FREE);
});

test('the entry for a free re-run is rejected if it was changed or the token is wrong', () => {
  expect(readFreeRerun(WORD, OWNER, createSeal('another token', '1296269'))).toBeUndefined();
  const empty = createSeal('', '1296269');
  expect(readFreeRerun(encodeFreeRerun(FREE, OWNER, empty), OWNER, empty)).toBeUndefined();
  for (let place = 0; place < WORD.length; place += 1) {
    const changed = WORD.slice(0, place) + (WORD[place] === '7' ? '8' : '7') + WORD.slice(place + 1);
    expect(readFreeRerun(changed, OWNER, SEAL), changed).toBeUndefined();
  }
});

test.each([
  ['an empty text', ''],
  ['an entry with text after it', `${WORD}:`],
  ['an entry with text before it', `:${WORD}`],
  [
    'the entry of a history',
    encodeHistory(nextHistory(undefined, HEAD, sampleReport([]).verdict.findings), OWNER, SEAL),
  ],
])('readFreeRerun rejects %s', (_what, text) => {
  expect(readFreeRerun(text, OWNER, SEAL)).toBeUndefined();
});
