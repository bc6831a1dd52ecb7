import { describe, expect, test } from 'vitest';
import { renderReply, renderSummary, resultLine } from '../../../src/triage/texts.ts';
import { UNLEARNED_IN_MESSAGES } from '../../project/unlearned-words.ts';
import { MIXED_SWEEP, PLACE, REFUSALS, refusedBy, rerunOf, sweptOf } from './triage-states.ts';

describe.each(Object.entries(REFUSALS))('renderReply: %s', (reason, refusal) => {
  const reply = renderReply(refusedBy(refusal), PLACE);

  test(`the reply for the reason ${reason} suggests a re-run by hand only if that helps`, () => {
    expect(reply).toMatch(/^\*\*Not re-run\.\*\* [A-Z]/);
    expect(reply.includes('Re-run jobs → Re-run failed jobs')).toBe(refusal.byHand);
    expect(`${refusal.cause} ${refusal.nextStep}`).toMatch(/^[A-Z#].*[.)] ?$/);
  });

  test(`the reply for the reason ${reason} uses plain words`, () => {
    expect(reply.match(UNLEARNED_IN_MESSAGES) ?? []).toEqual([]);
  });
});

test('without a mark, a reply links to the checks of the pull request', () => {
  expect(renderReply(refusedBy(REFUSALS['may-launch']), PLACE)).toContain(
    '[the run](https://github.com/acme/shop/actions/runs/9876543210)',
  );
  expect(renderReply(refusedBy(REFUSALS['no-mark']), PLACE)).toContain(
    '[checks](https://github.com/acme/shop/pull/7/checks)',
  );
});

test('a reply names the permission `checks: read` if the check runs cannot be read', () => {
  expect(renderReply(refusedBy(REFUSALS.unreadable), PLACE)).toContain('checks: read');
});

describe('renderSummary', () => {
  test('renderSummary says that no job was re-run if the sweep found nothing', () => {
    expect(renderSummary(sweptOf([]), PLACE)).toBe('## Triage: no job re-run\n');
  });

  test('renderSummary counts the re-run jobs, and the pull requests on which triage changes nothing yet', () => {
    const text = renderSummary(
      sweptOf([rerunOf(7), refusedBy(REFUSALS['still-blocked'], 8), rerunOf(9)]),
      PLACE,
    );
    expect(text).toContain('## Triage: 2 jobs re-run');
    expect(text).toContain('1 pull request on which triage changes nothing yet.');
    expect(text).not.toContain('/pull/8');
  });

  test('renderSummary has a row for each pull request with a re-run or a problem', () => {
    const text = renderSummary(MIXED_SWEEP, PLACE);
    const rows = text.split('\n').filter((line) => line.startsWith('| ['));
    expect(rows).toHaveLength(MIXED_SWEEP.rechecked.length - 2);
    expect(text).toContain('3 pull requests not looked at');
    expect(text).toContain('There are more open pull requests');
  });

  test('renderSummary shows at most 100 rows, and counts the pull requests without a row', () => {
    const many = Array.from({ length: 130 }, (_, index) => refusedBy(REFUSALS['no-mark'], index + 1));
    const text = renderSummary(sweptOf(many), PLACE);
    expect(text.split('\n').filter((line) => line.startsWith('| ['))).toHaveLength(100);
    expect(text).toContain('30 more are in the log.');
  });

  test('renderSummary says why the list of pull requests could not be read', () => {
    expect(renderSummary(sweptOf([], { fault: REFUSALS.refused }), PLACE)).toContain('denied access');
  });
});

test('the line in the log names the pull request and the re-run job', () => {
  expect(resultLine(rerunOf(7))).toBe('#7: re-ran the job `scangate` of run 9876543210.');
  expect(resultLine(refusedBy(REFUSALS['not-failed']))).toBe(
    '#7: not re-run. The job of the gate did not fail.',
  );
});
