import { describe, expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import { composeReply, refusalAnswer } from '../../../src/triage/reply.ts';
import { encodeReplyHistory, type ReplyEntry, readReplyHistory } from '../../../src/triage/reply-history.ts';
import { PLACE } from './triage-states.ts';

const SEAL = createSeal('the API token', '1296269');
const OWNER = { pullRequest: 7, checkName: 'Security scan' };
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
