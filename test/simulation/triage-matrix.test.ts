import { expect } from 'vitest';
import { asBlocked, comment, GATE_RUN, sweep, triage } from '../scenarios/triage/blocked-pull-request.ts';
import type { Cell } from './fault-injector.ts';
import { readPolicy } from './policy.ts';
import { testTriageMatrix } from './triage-cells.ts';
import { TRIAGE_POINTS, type TriagePoint } from './triage-points.ts';

/**
 * The longest time that a run may take. This includes its waits. A longer run would cost more than a sweep is worth.
 */
const LONGEST_MS = 15 * 60_000;
const MOST_REQUESTS = 40;
const NOT_SHOWN = /Could not (comment on|update the comment on) the pull request/;

/** Whether the job is re-run if this request has this fault. */
function isRerun({ point, fault, permanence }: Cell<string> & { readonly point: TriagePoint }): boolean {
  if (point.jobPassed) return false;
  // If GitHub or the service refuses connections permanently, it answers no request after this one.
  const isGone = fault.how === 'refuse' && permanence === 'permanent';
  if (point.at === 'job.rerun') {
    return fault.done || (permanence === 'transient' && fault.name !== '429 huge');
  }
  // If the answer has the wrong shape, the action concludes that the token has no project. Retrying does not fix that.
  if (point.at === 'token' && fault.name === 'wrong shape') return false;
  // If a page is too large, the action asks for a smaller one. A transient fault is over by then.
  const isLarge = fault.name === 'oversize' || fault.name === 'gzip bomb';
  if (point.at === 'findings.list' && isLarge) return permanence === 'transient';
  const isList = ['check.list', 'run.jobs', 'run.list', 'comments.list'].includes(point.at);
  if (isList && fault.name === 'gzip bomb') return permanence === 'transient';
  if (point.without === 'same') return !isGone || point.at === 'comments.react';
  return readPolicy(fault, permanence === 'transient', point.side).answered;
}

testTriageMatrix({
  points: TRIAGE_POINTS,
  title: 'the triage action handles',
  prepare: () => {},
  play: async (scenario, cell, striking) => {
    const { point } = cell;
    triage(scenario);
    const { environment } = scenario;
    const { github, service } = environment;
    asBlocked(scenario, point.jobPassed ? { jobs: [['scangate', 'success']] } : {});
    const ledger = service.ledger();
    const before = {
      requests: github.requests.length + service.requests.length,
      comments: github.comments.length,
      reactions: github.reactions.length,
    };
    const run = await striking(() => (point.by === 'sweep' ? sweep(scenario) : comment(scenario)));
    const expected = isRerun(cell);
    const attempt = github.workflowRuns.all.find(({ id }) => id === GATE_RUN)?.attempt;
    expect(attempt, run.log).toBe(expected ? 2 : 1);
    expect(run.outputs, run.log).toEqual({ rerun: expected ? '1' : '0' });
    const isPlainNo =
      point.jobPassed === true && !(cell.fault.how === 'refuse' && point.at !== 'comments.create');
    // If the action refuses a command but cannot show the refusal to the user, the run fails.
    const isShown = !NOT_SHOWN.test(run.log);
    expect(run.exitCode, run.log).toBe((expected || isPlainNo) && isShown ? 0 : 1);
    expect([run.signal, run.stderr]).toEqual([null, '']);

    const reactions = github.reactions.slice(before.reactions).map(({ content }) => content);
    expect(reactions.length).toBeLessThanOrEqual(1);
    if (reactions.length === 1) expect(reactions).toEqual([expected ? '+1' : 'confused']);
    // At most two comments are new: the user's command, and one reply.
    expect(github.comments.length - before.comments).toBeLessThanOrEqual(2);
    if (point.at === 'permission' && !expected) {
      expect(reactions).toEqual([]);
      expect(github.comments.length - before.comments).toBe(1);
    }

    expect(service.ledger()).toEqual(ledger);
    const sent = github.requests.length + service.requests.length - before.requests;
    expect(sent).toBeLessThan(MOST_REQUESTS);
    expect(run.durationMs).toBeLessThan(LONGEST_MS);
  },
});
