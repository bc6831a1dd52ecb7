import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectHarmless,
  openDoctorEnvironment,
  rowsOf,
  runDoctorIn,
  runGateIn,
  stateOf,
} from '../scenarios/doctor.ts';
import type { TestEnvironment } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import { DOCTOR_POINTS } from './doctor-points.ts';
import { type Cell, createFaultInjector, type FaultInjector } from './fault-injector.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';
import { readPolicy } from './policy.ts';
import { cellsOf, kindsOf, sampleCells } from './sample-cells.ts';

/** The doctor sends a request for findings at most twice. */
const ONCE_MORE = 2;
/** A list of GitHub that is too large is asked for in pages of 100, of 10 and of 1. */
const GITHUB_PAGES = 3;
/**
 * The longest time that the doctor may take: five minutes, and a margin. After five minutes, the doctor may still
 * complete the read that is under way.
 */
const LONGEST_MS = 6 * 60_000;
const MOST_REQUESTS = 60;

let foreignOrigin: ForeignOrigin;
beforeAll(async () => {
  foreignOrigin = await openForeignOrigin();
});
afterAll(() => foreignOrigin.close());

const ALL_CELLS = cellsOf(DOCTOR_POINTS);
const CELLS = rounds(sampleCells(ALL_CELLS), ALL_CELLS);

test('the sample has every request, every fault and every duration', () => {
  expect(kindsOf(sampleCells(ALL_CELLS))).toEqual(kindsOf(ALL_CELLS));
});

/** What the written policy promises for a read of the doctor. */
function promised({ point, fault, permanence }: Cell<string>): ReturnType<typeof readPolicy> {
  const heals = permanence === 'transient';
  const read = readPolicy(fault, heals, point.side);
  // To the doctor, an answer of the wrong shape means a token without a project. So the doctor does not retry.
  if (point.at === 'token' && fault.name === 'wrong shape') return { answered: false, requests: 1 };
  // If an answer has no merge base, the doctor asks for the first page of the comparison. A transient fault does not
  // affect that second request.
  const isWithoutBase = ['wrong shape', 'redirect other', 'oversize'].includes(fault.name);
  if (point.at === 'compare' && isWithoutBase) return { ...read, answered: heals };
  // The client follows no redirect of a POST.
  if (point.at === 'graphql' && fault.name === 'redirect same') return { ...read, answered: false };
  // If a page of ten findings is too large, the doctor sends a second request, for a single finding.
  const isTooLarge = fault.name === 'oversize' || fault.name === 'gzip bomb';
  if (point.at === 'check.list' && fault.name === 'gzip bomb')
    return { answered: heals, requests: GITHUB_PAGES };
  if (point.at === 'findings.list' && isTooLarge) return { answered: heals, requests: ONCE_MORE };
  return read;
}

/** The doctor changes nothing, so all faults of one kind of request are tested in one environment. */
describe.each(DOCTOR_POINTS.map((point) => [point.name, point] as const))('%s', (_name, point) => {
  let injector: FaultInjector | undefined;
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await openDoctorEnvironment({
      driver: 'in process',
      service: {
        pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
        intercept: (request) => injector?.intercept('service', request),
      },
      github: { intercept: (request) => injector?.intercept('github', request) },
      closing: 'by the caller',
    });
    await runGateIn(environment);
  });
  afterAll(() => environment.close());

  const cells = CELLS.filter((cell) => cell.point === point);
  test.each(cells.map((cell) => [`${cell.fault.name} × ${cell.permanence}`, cell] as const))(
    `the doctor handles a fault of the request \`${point.name}\` as promised: %s`,
    async (_cell, cell) => {
      const before = stateOf(environment);
      injector = createFaultInjector(cell, () => foreignOrigin.url);
      injector.begin(environment);
      const run = await runDoctorIn(environment);
      const { hits } = injector;
      const struck = injector.struck();
      await injector.stop();

      expect(struck, 'the fault came about').toBe(true);
      expectHarmless(environment, before, run);
      expect([run.signal, run.stderr]).toEqual([null, '']);
      const rows = rowsOf(run);
      const problems = rows.filter((row) => /^(?:error|warning) /.test(row));
      const { answered, requests } = promised(cell);
      if (answered) expect(problems, run.log).toEqual([]);
      else if (point.isVital) expect(run.exitCode, run.log).toBe(1);
      else {
        // If GitHub refuses all connections, the doctor can read neither the merge queue nor the rules. Then the row
        // `Required check` shows the failure.
        const shown =
          cell.fault.name === 'refused' && point.row === 'Merge queue' ? 'Required check' : point.row;
        const expected = expect.stringMatching(new RegExp(`^(?:error|warning) ${shown}: `));
        const notChecked = expect.stringMatching(new RegExp(`^skipped ${point.row}: .*Not checked: `));
        const isRefused = point.canBeRefused === true && /^40[34]/.test(cell.fault.name);
        expect(isRefused ? rows : problems, run.log).toContainEqual(isRefused ? notChecked : expected);
      }
      // The doctor always prints a table. It has at least the rows for the inputs, the address and the token.
      expect(rows.length, run.log).toBeGreaterThan(10);
      const perQuestion = point.at === 'findings.list' ? Math.min(requests, ONCE_MORE) : requests;
      const questions = new Set(hits.map(({ what }) => what)).size;
      expect(hits.length).toBeLessThanOrEqual(perQuestion * Math.max(questions, 1));
      const sent = environment.service.requests.length + environment.github.requests.length;
      expect(sent - before.requests.service - before.requests.github).toBeLessThan(MOST_REQUESTS);
      expect(run.durationMs).toBeLessThan(LONGEST_MS);
    },
  );
});

test('the doctor never sent a token to another origin', () => {
  expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});
