import { describe, expect, test } from 'vitest';
import { renderReply, renderSummary, resultLine } from '../../../src/triage/texts.ts';
import { UNLEARNED_IN_MESSAGES } from '../../project/unlearned-words.ts';
import { MIXED_SWEEP, PLACE, REFUSALS, refusedBy, rerunOf, sweptOf } from './triage-states.ts';

describe.each(Object.entries(REFUSALS))('the reply %s', (_reason, refusal) => {
  const reply = renderReply(refusedBy(refusal), PLACE);

  test('says why, and what to do by hand where that helps', () => {
    expect(reply).toMatch(/^\*\*Not re-run\.\*\* [A-Z]/);
    expect(reply.includes('Re-run jobs → Re-run failed jobs')).toBe(refusal.byHand);
    expect(`${refusal.cause} ${refusal.nextStep}`).toMatch(/^[A-Z#].*[.)] ?$/);
  });

  test('is in plain words', () => {
    expect(reply.match(UNLEARNED_IN_MESSAGES) ?? []).toEqual([]);
  });
});

test('a reply leads to the run that the mark names, else to the checks of the pull request', () => {
  expect(renderReply(refusedBy(REFUSALS['may-launch']), PLACE)).toContain(
    '[the run](https://github.com/acme/shop/actions/runs/9876543210)',
  );
  expect(renderReply(refusedBy(REFUSALS['no-mark']), PLACE)).toContain(
    '[checks](https://github.com/acme/shop/pull/7/checks)',
  );
});

test('a read of check runs asks for the permission to read them', () => {
  expect(renderReply(refusedBy(REFUSALS.unreadable), PLACE)).toContain('checks: read');
});

describe('the summary', () => {
  test('of nothing says so', () => {
    expect(renderSummary(sweptOf([]), PLACE)).toBe('## Triage: no job re-run\n');
  });

  test('counts the jobs, and the pull requests on which triage changes nothing yet', () => {
    const text = renderSummary(
      sweptOf([rerunOf(7), refusedBy(REFUSALS['still-blocked'], 8), rerunOf(9)]),
      PLACE,
    );
    expect(text).toContain('## Triage: 2 jobs re-run');
    expect(text).toContain('1 pull request on which triage changes nothing yet.');
    expect(text).not.toContain('/pull/8');
  });

  test('has a row for each other pull request, and says what is left', () => {
    const text = renderSummary(MIXED_SWEEP, PLACE);
    const rows = text.split('\n').filter((line) => line.startsWith('| ['));
    expect(rows).toHaveLength(MIXED_SWEEP.rechecked.length - 2);
    expect(text).toContain('3 pull requests not looked at');
    expect(text).toContain('There are more open pull requests');
  });

  test('shows at most 100 rows, and counts the others', () => {
    const many = Array.from({ length: 130 }, (_, index) => refusedBy(REFUSALS['no-mark'], index + 1));
    const text = renderSummary(sweptOf(many), PLACE);
    expect(text.split('\n').filter((line) => line.startsWith('| ['))).toHaveLength(100);
    expect(text).toContain('30 more are in the log.');
  });

  test('of a list that could not be read says why', () => {
    expect(renderSummary(sweptOf([], { fault: REFUSALS.refused }), PLACE)).toContain('denied access');
  });
});

test('the log names the pull request, the job and the run', () => {
  expect(resultLine(rerunOf(7))).toBe('#7: re-ran the job `scangate` of run 9876543210.');
  expect(resultLine(refusedBy(REFUSALS['not-failed']))).toBe(
    '#7: not re-run. The job of the gate did not fail.',
  );
});
