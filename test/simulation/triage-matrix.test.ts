import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scenario } from '../scenarios/scenario.ts';
import {
  asBlocked,
  comment,
  GATE_RUN,
  removeReplies,
  sweep,
  triage,
} from '../scenarios/triage/blocked-pull-request.ts';
import { openEnvironment } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import { type Cell, createFaultInjector, type FaultInjector } from './fault-injector.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';
import { type Permanence, readPolicy } from './policy.ts';
import { kindsOf, sampleCells } from './sample-cells.ts';
import { createSharedFixture, type SharedFixture } from './shared-fixture.ts';
import { TRIAGE_POINTS, type TriagePoint } from './triage-points.ts';

/**
 * The longest time that a run may take. This includes its waits. A longer run would cost more than a sweep is worth.
 */
const LONGEST_MS = 15 * 60_000;
const MOST_REQUESTS = 40;
const NOT_SHOWN = /Could not (comment on|update the comment on) the pull request/;

let fixture: SharedFixture;
let foreignOrigin: ForeignOrigin;
beforeAll(async () => {
  [fixture, foreignOrigin] = await Promise.all([createSharedFixture(), openForeignOrigin()]);
});
afterAll(() => Promise.all([fixture.remove(), foreignOrigin.close()]));

function permanencesOf(point: TriagePoint, { how }: FaultKind): readonly Permanence[] {
  if (how !== 'stale') return ['transient', 'permanent'];
  return point.onNewConnection ? [] : ['transient'];
}

const ALL_CELLS = TRIAGE_POINTS.flatMap((point) =>
  faultKinds(point.access).flatMap((fault) =>
    permanencesOf(point, fault).map((permanence) => ({ point, fault, permanence })),
  ),
);
const CELLS = rounds(sampleCells(ALL_CELLS), ALL_CELLS);

test('the sample has every request, every fault and every duration', () => {
  expect(kindsOf(sampleCells(ALL_CELLS))).toEqual(kindsOf(ALL_CELLS));
});

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

/**
 * In these tests, the triage action launches no scan and changes no finding. So all faults of one kind of request are
 * tested in one environment.
 */
describe.each(TRIAGE_POINTS.map((point) => [point.name, point] as const))('%s', (_name, point) => {
  let injector: FaultInjector | undefined;
  let scenario: Scenario;
  beforeAll(async () => {
    const headSha = fixture.repository.id(point.head);
    const environment = await openEnvironment({
      driver: 'in process',
      directory: fixture.repository.dir,
      headSha,
      service: {
        pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
        intercept: (request) => injector?.intercept('service', request),
      },
      github: {
        collaborators: { wanda: 'write' },
        intercept: (request) => injector?.intercept('github', request),
      },
    });
    scenario = { environment, repository: fixture.repository, headSha };
    expect((await environment.run()).outputs['outcome']).toBe('blocked');
    triage(scenario);
  });
  afterAll(() => scenario.environment.close());

  const cells = CELLS.filter((cell) => cell.point === point);

  test.each(cells.map((cell) => [`${cell.fault.name} × ${cell.permanence}`, cell] as const))(
    `the triage action handles a fault of the request "${point.name}" as promised: %s`,
    async (_cell, cell) => {
      const { environment } = scenario;
      const { github, service } = environment;
      asBlocked(scenario, point.jobPassed ? { jobs: [['scangate', 'success']] } : {});
      await removeReplies(scenario);
      const ledger = service.ledger();
      const before = {
        requests: github.requests.length + service.requests.length,
        comments: github.comments.length,
        reactions: github.reactions.length,
      };
      injector = createFaultInjector(cell, () => foreignOrigin.url);
      injector.begin(environment);
      const run = await (point.by === 'sweep' ? sweep(scenario) : comment(scenario));
      const struck = injector.struck();
      await injector.stop();

      expect(struck, 'the fault came about').toBe(true);
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
  );
});

test('the triage action never sent a token to another origin', () => {
  expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});
