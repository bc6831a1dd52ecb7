import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainMarkdown } from '../../sandbox/demo/plain-markdown.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import {
  asBlocked,
  comment,
  GATE_RUN,
  minutesLater,
  seen,
} from '../scenarios/triage/blocked-pull-request.ts';
import { openEnvironment } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import { createFaultInjector, type FaultInjector } from './fault-injector.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';
import type { Permanence } from './policy.ts';
import { kindsOf, sampleCells } from './sample-cells.ts';
import { createSharedFixture, type SharedFixture } from './shared-fixture.ts';
import { notesOf, readFinding } from './shown-finding.ts';
import { CHANGE_POINTS, type ChangePoint } from './triage-change-points.ts';

/** The longest time that a command with faults may take. The action stops its work after 15 minutes. */
const LONGEST_MS = 16 * 60_000;
const MOST_REQUESTS = 80;
/**
 * The most requests that change the status of one finding. If the notes do not show the change, the action changes the
 * status a second time.
 */
const MOST_SENDS = 2;
let fixture: SharedFixture;
let foreignOrigin: ForeignOrigin;
beforeAll(async () => {
  [fixture, foreignOrigin] = await Promise.all([createSharedFixture(), openForeignOrigin()]);
});
afterAll(() => Promise.all([fixture.remove(), foreignOrigin.close()]));

function permanencesOf(point: ChangePoint, { how }: FaultKind): readonly Permanence[] {
  if (how !== 'stale') return ['transient', 'permanent'];
  return point.onNewConnection ? [] : ['transient'];
}

const ALL_CELLS = CHANGE_POINTS.flatMap((point) =>
  faultKinds(point.access).flatMap((fault) =>
    permanencesOf(point, fault).map((permanence) => ({ point, fault, permanence })),
  ),
);
const CELLS = rounds(sampleCells(ALL_CELLS), ALL_CELLS);

test('the sample has every request, every fault and every duration', () => {
  expect(kindsOf(sampleCells(ALL_CELLS))).toEqual(kindsOf(ALL_CELLS));
});

/** What the service shows of one finding. */
interface Shown {
  readonly label: string;
  readonly resolution: string;
  /** The number of notes by this command. */
  readonly notes: number;
}

async function shownOf({ environment }: Scenario, id: string, commentId: number | undefined): Promise<Shown> {
  const finding = await readFinding(environment, id);
  const { resolution } = finding;
  return { label: `ZK-${id.slice(-8)}`, resolution, notes: notesOf(finding, commentId).length };
}

/** Removes the replies to previous commands. A test then finds only the reply to its own command. */
async function removeReplies({ environment }: Scenario): Promise<void> {
  const { github, repository } = environment;
  for (const { id, body } of [...github.comments]) {
    if (body.includes('<!-- scangate:v1')) continue;
    await fetch(`${github.apiUrl}/repos/${repository}/issues/comments/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${github.token}` },
    });
  }
}

describe.each(CHANGE_POINTS.map((point) => [point.name, point] as const))('%s', (_name, point) => {
  let injector: FaultInjector | undefined;
  let scenario: Scenario;
  beforeAll(async () => {
    const headSha = fixture.repository.id(point.head);
    const environment = await openEnvironment({
      driver: 'in process',
      directory: fixture.repository.dir,
      headSha,
      service: {
        tokens: [{}, { scopes: ['read', 'findings:write'] }],
        pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
        intercept: (request) => injector?.intercept('service', request),
      },
      github: {
        collaborators: { wanda: 'write', cora: 'write' },
        intercept: (request) => injector?.intercept('github', request),
      },
    });
    scenario = { environment, repository: fixture.repository, headSha };
    environment.github.edit(environment.pullRequest, { commits: [{ author: 'cora' }] });
    expect((await environment.run()).outputs['outcome']).toBe('blocked');
  });
  afterAll(() => scenario.environment.close());

  const cells = CELLS.filter((cell) => cell.point === point);

  test.each(cells.map((cell) => [`${cell.fault.name} × ${cell.permanence}`, cell] as const))(
    `for a change of findings, the triage action handles a fault of the request "${point.name}" as promised: %s`,
    async (_cell, cell) => {
      const { environment } = scenario;
      const { github, service } = environment;
      asBlocked(scenario);
      const findingIds = service.scans()[0]?.findingIds ?? [];
      for (const id of findingIds) service.control.triage(id, { resolutionStatus: 'NOT_STARTED' });
      await removeReplies(scenario);
      const before = {
        requests: github.requests.length,
        service: service.requests.length,
        reactions: github.reactions.length,
        ledger: service.ledger(),
      };
      injector = createFaultInjector(cell, () => foreignOrigin.url);
      injector.begin(environment);
      const labels = findingIds.map((id) => `ZK-${id.slice(-8)}`);
      const author = point.byAuthor ? 'cora' : 'wanda';
      const run = await comment(scenario, {
        author,
        body: `/scangate false-positive ${labels.join(' ')} not_reachable`,
        createdAt: minutesLater(scenario, 5),
        inputs: { 'triage-token': service.tokens[1]?.token ?? '' },
      });
      const struck = injector.struck();
      await injector.stop();
      injector = undefined;
      expect(struck, 'the fault came about').toBe(true);

      const asked = github.comments.findLast((one) => one.author === author);
      const shown = await Promise.all(findingIds.map((id) => shownOf(scenario, id, asked?.id)));
      const patches = service.requests.slice(before.service).filter(({ method }) => method === 'PATCH');
      const reply = plainMarkdown(seen(scenario).replies.at(-1) ?? '');
      const rowOf = (label: string) => reply.split('\n').find((line) => line.includes(label)) ?? '';
      const attempt = github.workflowRuns.all.find(({ id }) => id === GATE_RUN)?.attempt;
      const reactions = github.reactions.slice(before.reactions).map(({ content }) => content);

      expect(service.ledger()).toEqual(before.ledger);
      expect(service.scans()).toHaveLength(1);
      if (point.byAuthor) {
        expect(patches, run.log).toEqual([]);
        expect(attempt).toBe(1);
        expect(reactions).not.toContain('+1');
        return;
      }

      // For each finding, a line says what happened, or that the action does not know it.
      for (const { label, notes, resolution } of shown) {
        const row = reply === '' ? run.log : rowOf(label);
        expect(resolution, run.log).toBe(notes > 0 ? 'FALSE_POSITIVE' : 'NOT_STARTED');
        expect(notes).toBeLessThanOrEqual(2);
        if (notes > 1) expect(row, run.log).toMatch(/has 2 notes of this command|note of this command twice/);
        if (row.includes('Not changed.')) expect(notes, row).toBe(0);
        if (/Set to/.test(row)) expect(notes, row).toBeGreaterThan(0);
        expect(
          patches.filter(({ path }) =>
            path.includes(findingIds.find((id) => label.endsWith(id.slice(-8))) ?? ''),
          ).length,
        ).toBeLessThanOrEqual(MOST_SENDS);
      }
      expect(seen(scenario).replies.length).toBeLessThanOrEqual(1);

      // If the action does not learn who wrote the command or which findings it names, it changes no finding.
      const isAnswered = shown.some(({ notes }) => notes > 0);
      if (point.when === 'before') {
        expect(shown.every(({ notes }) => notes > 0) || patches.length === 0, run.log).toBe(true);
        if (cell.permanence === 'permanent') expect(isAnswered, run.log).toBe(false);
      }
      // A fault after the last change does not make the action change a finding twice. `isAnswered` is false if the
      // command failed before its first change.
      if (point.when === 'after' && isAnswered) expect(shown.every(({ notes }) => notes === 1)).toBe(true);

      // The gate's job is re-run only if the status of every finding is known to be set.
      const isWhole = labels.every((label) => /Set to/.test(reply === '' ? run.log : rowOf(label)));
      if (attempt === 2) expect(isWhole, run.log).toBe(true);
      if (run.outputs['rerun'] === '1') expect(attempt).toBe(2);
      if (!isWhole) expect(reactions).not.toContain('+1');

      // The run passes only if every status was set, the gate's job was re-run, and the command got a reply.
      if (run.exitCode === 0) {
        expect(isWhole, run.log).toBe(true);
        expect(attempt, run.log).toBe(2);
        expect(reply).not.toBe('');
      }
      // The log of a failed run shows the cause and the next step.
      if (run.exitCode === 1) expect(run.log).toMatch(/^##\[error\].*\. \S[^.]*\./m);
      // A re-run of the triage workflow changes no finding, so no text recommends such a re-run.
      expect(`${run.log}${reply}`).not.toMatch(/re-run this job/i);
      expect([run.signal, run.stderr]).toEqual([null, '']);
      if (point.at === 'permission' && patches.length === 0) expect([reactions, reply]).toEqual([[], '']);

      const sent = github.requests.length - before.requests + service.requests.length - before.service;
      expect(sent).toBeLessThan(MOST_REQUESTS);
      expect(run.durationMs).toBeLessThan(LONGEST_MS);
    },
  );
});

test('the triage action never sent a token to another origin', () => {
  expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});
