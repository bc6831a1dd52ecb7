import { describe, expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import {
  composeReply,
  encodeReplyHistory,
  type ReplyEntry,
  readReplyHistory,
  refusalAnswer,
} from '../../../src/triage/reply.ts';
import { PLACE } from './triage-states.ts';

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

const OWN = { commentId: 100, text: 'Own.' };

const stateOf = (entries: readonly ReplyEntry[]) => encodeReplyHistory(entries, OWNER, SEAL);
const entry = (commentId: number, text = `Command ${commentId}.`) => ({ commentId, text });

function compose(states: readonly string[], body = 'Done.') {
  const content = composeReply({ own: OWN, body, states, owner: OWNER, seal: SEAL, place: PLACE });
  return { ...content, kept: readReplyHistory(content.state, OWNER, SEAL).map(({ commentId }) => commentId) };
}

describe('composeReply', () => {
  test('composeReply returns only the answer if there is no other command', () => {
    expect(compose([])).toMatchObject({ body: 'Done.', kept: [100] });
  });

  test('composeReply lists the other commands below the answer, the newest first', () => {
    const { body, kept } = compose([stateOf([entry(7), entry(9)]), stateOf([entry(8)])]);
    expect(kept).toEqual([100, 9, 8, 7]);
    expect(body.split('\n')).toEqual([
      'Done.',
      '',
      '<details><summary>3 other commands</summary>',
      '',
      ...[9, 8, 7].map(
        (id) => `- Command ${id}. ([command](https://github.com/acme/shop/pull/7#issuecomment-${id}))`,
      ),
      '',
      '</details>',
    ]);
  });

  test('composeReply replaces the earlier answer to the current command, and lists each command once', () => {
    const { body, kept } = compose([stateOf([entry(100, 'Before.'), entry(8)]), stateOf([entry(8)])]);
    expect(kept).toEqual([100, 8]);
    expect(body).not.toContain('Before.');
  });

  test('composeReply returns the same state in two runs that write at the same time', () => {
    const other = composeReply({
      own: entry(99),
      body: 'Other.',
      states: [stateOf([OWN])],
      owner: OWNER,
      seal: SEAL,
      place: PLACE,
    });
    expect(compose([stateOf([entry(99)])]).state).toBe(other.state);
  });

  test('composeReply keeps twenty commands, including the current command', () => {
    const many = Array.from({ length: 30 }, (_, index) => entry(index + 200));
    expect(compose([stateOf(many)]).kept).toEqual([
      ...Array.from({ length: 19 }, (_, index) => 229 - index),
      100,
    ]);
  });

  test('composeReply leaves out the oldest commands if the comment would be too long', () => {
    const many = Array.from({ length: 19 }, (_, index) => entry(index + 1, '€'.repeat(400)));
    const { state, kept } = compose([stateOf(many)]);
    expect(state.length).toBeLessThanOrEqual(19_000);
    expect(kept.length).toBeGreaterThan(5);
    expect(kept).toEqual([100, ...Array.from({ length: kept.length - 1 }, (_, index) => 19 - index)]);
    expect(compose([stateOf(many)], 'x'.repeat(60_000)).kept.length).toBeLessThan(kept.length);
    const longest = compose([stateOf(many)], 'x'.repeat(65_000));
    expect([longest.kept, longest.body.length]).toEqual([[100], 65_000]);
  });

  test('composeReply ignores a state that was signed with another token', () => {
    const forged = encodeReplyHistory([entry(8)], OWNER, createSeal('guessed', '1296269'));
    expect(compose([forged]).kept).toEqual([100]);
  });
});

test('a refusal links to the command that it answers', () => {
  const command = {
    pullRequest: 7,
    commentId: 50,
    author: { login: 'wanda', id: 3, type: 'User' },
    createdAt: new Date(0),
    body: '/scangate recheck',
    wanted: { kind: 'recheck' },
  } as const;
  const answer = refusalAnswer(command, { said: 'Not re-run', why: 'It is closed.', markdown: 'No.' }, PLACE);
  expect(answer).toEqual({
    body: 'No.\n\nThis answers the [command](https://github.com/acme/shop/pull/7#issuecomment-50) of <code>wanda</code>.',
    line: 'Not re-run for `wanda`. It is closed.',
  });
});
