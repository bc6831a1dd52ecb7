import { expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import { type Answer, answerOfChange, answerOfRecheck } from '../../../src/triage/answer.ts';
import { inNewComment, inSummary } from '../../../src/triage/change-refusal.ts';
import { unreadable } from '../../../src/triage/refusal.ts';
import { renderSummary } from '../../../src/triage/texts.ts';
import { UNLEARNED_IN_MESSAGES } from '../../project/unlearned-words.ts';
import { casesOf, expectTable } from '../../support/golden-table.ts';
import { gitHubError } from '../github/samples.ts';
import { CHANGE_STATES, COMMAND, changed, DONE, LOST } from './change-states.ts';
import { PLACE, REFUSALS, refusedBy, rerunOf, sweptOf } from './triage-states.ts';

/** The reaction, what else happens, and the reply. */
function shown({ reaction, isRerun, hasFailed, reply = 'no reply' }: Answer): string {
  const facts = [
    reaction ?? 'no reaction',
    ...(isRerun ? ['re-run'] : []),
    ...(hasFailed ? ['fails'] : []),
  ].join(', ');
  // Each reply ends with the same link to its command. One of the replies shows the link.
  const text = reply.replace(/\n\nThis answers the .*$/, reply.includes('is closed') ? '$&' : '');
  return [facts, ...text.split('\n').filter((line) => line !== '')].join('\n    ');
}

const FAILED = { label: 'ZK-1', title: '', kind: 'failed', error: LOST } as const;
const RECHECKS = Object.fromEntries(
  Object.entries(REFUSALS).map(([reason, refusal]) => [
    reason,
    answerOfRecheck(COMMAND, refusedBy(refusal), PLACE),
  ]),
);

test('the triage action answers as answers.txt shows', async () => {
  const rerun = answerOfRecheck(COMMAND, rerunOf(7), PLACE);
  const half = answerOfChange(COMMAND, ok(changed([DONE, FAILED])), PLACE);
  await expectTable('answers', {
    'a recheck that is refused because of': casesOf(shown, RECHECKS),
    'a recheck': { 'that re-runs the job': shown(rerun) },
    'a command that changes findings': casesOf(shown, { ...CHANGE_STATES, 'changes one of two': half }),
  });
});

test('the summary of a command has its reply', () => {
  for (const { summary, reply } of Object.values(CHANGE_STATES))
    expect(summary).toBe(`## Triage\n\n${reply}\n`);
});

test('the replies use plain words, and suggest a re-run by hand only if that helps', () => {
  for (const [reason, { reply = '' }] of Object.entries(RECHECKS)) {
    const refusal = Object.values(REFUSALS).find((one) => one.reason === reason);
    expect(reply.includes('Re-run jobs → Re-run failed jobs'), reason).toBe(refusal?.byHand);
    expect(reply.match(UNLEARNED_IN_MESSAGES) ?? []).toEqual([]);
  }
});

test('the summary of a sweep is what sweeps.txt shows', async () => {
  const many = Array.from({ length: 130 }, (_, index) => refusedBy(REFUSALS['no-mark'], index + 1));
  const summaries = {
    nothing: sweptOf([]),
    'two jobs, and a pull request that is still blocked': sweptOf([
      rerunOf(7),
      refusedBy(REFUSALS['still-blocked'], 8),
      rerunOf(9),
    ]),
    'an error, and more pull requests': sweptOf(
      [rerunOf(12, 'call / scangate'), refusedBy(REFUSALS.refused, 20)],
      { left: 3, more: true, fault: REFUSALS.refused },
    ),
    'a list that could not be read': sweptOf([], { fault: REFUSALS.refused }),
  };
  const indented = (text: string) => `\n${text}`.trimEnd().replaceAll('\n', '\n    ').replaceAll(/ +$/gm, '');
  await expectTable('sweeps', {
    'a sweep with': casesOf((swept) => indented(renderSummary(swept, PLACE)), summaries),
  });
  const text = renderSummary(sweptOf(many), PLACE);
  expect(text.split('\n').filter((line) => line.startsWith('| ['))).toHaveLength(100);
  expect(text).toContain('30 more are in the log.');
});

test('a refusal says "re-run this job" only if that helps', () => {
  const down = unreadable(gitHubError('unreachable'));
  const again =
    /^(Write the command in a new comment|See the summary of this job, which has the answer)\. If it fails again, check /;
  for (const refusal of [inNewComment(down), inSummary(down)]) {
    expect(refusal.nextStep).toMatch(again);
    expect(refusal.cause).toBe(down.cause);
  }
  expect(inNewComment({ ...down, nextStep: 'Update the secret, then re-run this job.' }).nextStep).toBe(
    'Update the secret, then write the command in a new comment.',
  );
  for (const refusal of Object.values(REFUSALS)) expect(inNewComment(refusal)).toEqual(refusal);
});
