import { expect, test } from 'vitest';
import { err, ok } from '../../../src/domain/result.ts';
import { answerOfChange, answerOfRecheck } from '../../../src/triage/answer.ts';
import { DELETED, EDITED, TOO_SLOW } from '../../../src/triage/change-refusal.ts';
import { stillBlocked } from '../../../src/triage/refusal.ts';
import { COMMAND, changed, DONE, LOST } from './change-states.ts';
import { PLACE, REFUSALS, refusedBy, rerunOf } from './triage-states.ts';

test('a refusal links to the command that it answers', () => {
  expect(answerOfRecheck(COMMAND, refusedBy(REFUSALS.closed), PLACE).reply).toMatch(
    /\n\nThis answers the \[command\]\(https:\/\/github\.com\/acme\/shop\/pull\/7#issuecomment-5000000007\) of <code>wanda<\/code>\.$/,
  );
});

test.each([
  ['a job is re-run', rerunOf(7), { reaction: '+1', reply: undefined, isRerun: true, hasFailed: false }],
  [
    'a rule refuses it',
    refusedBy(REFUSALS.closed),
    { reaction: 'confused', isRerun: false, hasFailed: false },
  ],
  ['an error prevents it', refusedBy(REFUSALS.unreadable), { reaction: 'confused', hasFailed: true }],
])('the answer to a recheck if %s', (_what, done, answer) => {
  expect(answerOfRecheck(COMMAND, done, PLACE)).toMatchObject(answer);
});

const FAILED = { label: 'ZK-1', title: '', kind: 'failed', error: LOST } as const;

test.each([
  ['changes every finding', ok(changed([DONE], { rechecked: rerunOf(7) })), '+1', true, false],
  [
    'leaves others that block',
    ok(changed([DONE], { rechecked: refusedBy(stillBlocked(1, 2)) })),
    '+1',
    false,
    false,
  ],
  [
    'cannot re-run the job',
    ok(changed([DONE], { rechecked: refusedBy(REFUSALS.refused) })),
    '+1',
    false,
    true,
  ],
  ['changes one of two findings', ok(changed([DONE, FAILED])), 'confused', false, true],
  ['is refused by a rule', err(EDITED), 'confused', false, false],
  ['is refused because of an error', err(TOO_SLOW), 'confused', false, true],
  ['was deleted', err(DELETED), undefined, false, false],
])('the answer to a command that %s', (_what, result, reaction, isRerun, hasFailed) => {
  const answer = answerOfChange(COMMAND, result, PLACE);
  expect(answer).toMatchObject({ reaction, isRerun, hasFailed });
  expect(answer.summary).toBe(`## Triage\n\n${answer.reply}\n`);
});
