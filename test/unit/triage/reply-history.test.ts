import { describe, expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import { encodeReplyHistory, readReplyHistory } from '../../../src/triage/reply-history.ts';

const SEAL = createSeal('the API token', '1296269');
const OWNER = { pullRequest: 7, checkName: 'Security scan' };
const ENTRIES = [
  { commentId: 50, text: '`ZK-1A2B3C4D` set to `WONT_FIX` by `wanda`' },
  { commentId: 49, text: 'Nö' },
];
const WORD = encodeReplyHistory(ENTRIES, OWNER, SEAL);

/** Signs any value as a history, valid or not. */
function signed(entries: unknown): string {
  return encodeReplyHistory(JSON.parse(JSON.stringify(entries)), OWNER, SEAL);
}

describe('readReplyHistory', () => {
  test('readReplyHistory reads the history that encodeReplyHistory writes', () => {
    expect(WORD).toMatch(/^r1:[\w-]+:[\w-]{43}$/);
    expect(readReplyHistory(WORD, OWNER, SEAL)).toEqual(ENTRIES);
  });

  test.each<[what: string, word: string, owner: typeof OWNER, seal: typeof SEAL]>([
    ['of another repository', WORD, OWNER, createSeal('the API token', '1296270')],
    ['of another pull request', WORD, { ...OWNER, pullRequest: 8 }, SEAL],
    ['of another check', WORD, { ...OWNER, checkName: 'Other' }, SEAL],
    ['signed with another token', WORD, OWNER, createSeal('another', '1296269')],
    [
      'signed without a token',
      encodeReplyHistory(ENTRIES, OWNER, createSeal('', '1296269')),
      OWNER,
      createSeal('', '1296269'),
    ],
    ['that was changed', WORD.replace('r1:W', 'r1:X'), OWNER, SEAL],
    ['with text before it', `x${WORD}`, OWNER, SEAL],
    ['with text after it', `${WORD}x`, OWNER, SEAL],
    ['that is empty', '', OWNER, SEAL],
    ['that is not a list', signed({}), OWNER, SEAL],
    ['with a command that has no text', signed([{ commentId: 1 }]), OWNER, SEAL],
    ['with a negative id', signed([{ commentId: -1, text: '' }]), OWNER, SEAL],
    ['with an id of 0', signed([{ commentId: 0, text: '' }]), OWNER, SEAL],
    ['with an id that is not a number', signed([{ commentId: '1', text: '' }]), OWNER, SEAL],
    ['with a command that is not an object', signed([1]), OWNER, SEAL],
    [
      'that is not JSON',
      `r1:W1:${SEAL.macOf(JSON.stringify(['replies', 7, 'Security scan', 'W1']))}`,
      OWNER,
      SEAL,
    ],
    ['with an id that is not whole', signed([{ commentId: 1.5, text: '' }]), OWNER, SEAL],
    ['with a text of 401 characters', signed([{ commentId: 1, text: 'x'.repeat(401) }]), OWNER, SEAL],
  ])('readReplyHistory ignores a history %s', (_what, word, owner, seal) => {
    expect(readReplyHistory(word, owner, seal)).toEqual([]);
  });

  test('readReplyHistory accepts a text of 400 characters', () => {
    const entries = [{ commentId: 1, text: 'x'.repeat(400) }];
    expect(readReplyHistory(signed(entries), OWNER, SEAL)).toEqual(entries);
  });

  test('readReplyHistory ignores a history that was signed as a history of findings', () => {
    const mac = SEAL.macOf(JSON.stringify(['findings', 'acme/shop', 7, 'Security scan', 'W10']));
    expect(readReplyHistory(`r1:W10:${mac}`, OWNER, SEAL)).toEqual([]);
  });
});
