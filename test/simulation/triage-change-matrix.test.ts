import { expect } from 'vitest';
import { plainMarkdown } from '../../sandbox/demo/plain-markdown.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import {
  asBlocked,
  comment,
  GATE_RUN,
  minutesLater,
  seen,
} from '../scenarios/triage/blocked-pull-request.ts';
import { notesOf, readFinding } from './shown-finding.ts';
import { testTriageMatrix } from './triage-cells.ts';
import { CHANGE_POINTS } from './triage-change-points.ts';

/** The longest time that a command with faults may take. The action stops its work after 15 minutes. */
const LONGEST_MS = 16 * 60_000;
const MOST_REQUESTS = 80;
/**
 * The most requests that change the status of one finding. If the notes do not show the change, the action changes the
 * status a second time.
 */
const MOST_SENDS = 2;
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

testTriageMatrix({
  points: CHANGE_POINTS,
  title: 'for a change of findings, the triage action handles',
  prepare: ({ environment }) =>
    environment.github.edit(environment.pullRequest, { commits: [{ author: 'cora' }] }),
  play: async (scenario, cell, striking) => {
    const { point } = cell;
    const { environment } = scenario;
    const { github, service } = environment;
    asBlocked(scenario);
    const findingIds = service.scans()[0]?.findingIds ?? [];
    for (const id of findingIds) service.control.triage(id, { resolutionStatus: 'NOT_STARTED' });
    const before = {
      requests: github.requests.length,
      service: service.requests.length,
      reactions: github.reactions.length,
      ledger: service.ledger(),
    };
    const labels = findingIds.map((id) => `ZK-${id.slice(-8)}`);
    const author = point.byAuthor ? 'cora' : 'wanda';
    const run = await striking(() =>
      comment(scenario, {
        author,
        body: `/scangate false-positive ${labels.join(' ')} not_reachable`,
        createdAt: minutesLater(scenario, 5),
        inputs: { 'triage-token': service.tokens[1]?.token ?? '' },
      }),
    );

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
});
