import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { removeReplies } from '../scenarios/triage/blocked-pull-request.ts';
import { openEnvironment } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import { type Cell, createFaultInjector, type FaultInjector } from './fault-injector.ts';
import { type FaultKind, faultKinds } from './fault-kinds.ts';
import { type ForeignOrigin, openForeignOrigin } from './foreign-origin.ts';
import type { Permanence } from './policy.ts';
import type { RequestPoint } from './request-points.ts';
import { kindsOf, sampleCells } from './sample-cells.ts';
import { createSharedFixture, type SharedFixture } from './shared-fixture.ts';

/** A fault of a request of the triage action. */
export interface TriageCell<Point> extends Cell<string> {
  readonly point: Cell<string>['point'] & Point;
}

/** How the tests of a matrix use a blocked pull request. */
export interface TriageMatrix<Point> {
  readonly points: readonly (RequestPoint<string> & Point)[];
  /** The start of the title of each test. */
  readonly title: string;
  /** Changes the pull request that the gate has blocked. All cells of one kind of request share this pull request. */
  readonly prepare: (scenario: Scenario) => void;
  /** Runs the triage action. The fault happens during `striking`. */
  readonly play: (
    scenario: Scenario,
    cell: TriageCell<Point>,
    striking: (run: () => Promise<ActionRun>) => Promise<ActionRun>,
  ) => Promise<void>;
}

function permanencesOf(point: RequestPoint<string>, { how }: FaultKind): readonly Permanence[] {
  if (how !== 'stale') return ['transient', 'permanent'];
  return point.onNewConnection ? [] : ['transient'];
}

/** Declares a test for each cell, or in a quick round for a sample of the cells. */
export function testTriageMatrix<Point>({ points, title, prepare, play }: TriageMatrix<Point>): void {
  const all: readonly TriageCell<Point>[] = points.flatMap((point) =>
    faultKinds(point.access).flatMap((fault) =>
      permanencesOf(point, fault).map((permanence) => ({ point, fault, permanence })),
    ),
  );
  const cells = rounds(sampleCells(all), all);
  let fixture: SharedFixture;
  let foreignOrigin: ForeignOrigin;
  beforeAll(async () => {
    [fixture, foreignOrigin] = await Promise.all([createSharedFixture(), openForeignOrigin()]);
  });
  afterAll(() => Promise.all([fixture.remove(), foreignOrigin.close()]));

  test('the sample has every request, every fault and every duration', () => {
    expect(kindsOf(sampleCells(all))).toEqual(kindsOf(all));
  });

  describe.each(points.map((point) => [point.name, point] as const))('%s', (_name, point) => {
    let injector: FaultInjector | undefined;
    let scenario: Scenario;
    beforeAll(async () => {
      const { repository } = fixture;
      const headSha = repository.id(point.head);
      const environment = await openEnvironment({
        driver: 'in process',
        directory: repository.dir,
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
      scenario = { environment, repository, headSha };
      prepare(scenario);
      expect((await environment.run()).outputs['outcome']).toBe('blocked');
    });
    afterAll(() => scenario.environment.close());

    const ofPoint = cells.filter((cell) => cell.point === point);
    test.each(ofPoint.map((cell) => [`${cell.fault.name} × ${cell.permanence}`, cell] as const))(
      `${title} a fault of the request "${point.name}" as promised: %s`,
      async (_cell, cell) => {
        await removeReplies(scenario);
        await play(scenario, cell, async (run) => {
          injector = createFaultInjector(cell, () => foreignOrigin.url);
          injector.begin(scenario.environment);
          const ended = await run();
          const struck = injector.struck();
          await injector.stop();
          injector = undefined;
          expect(struck, 'the fault came about').toBe(true);
          return ended;
        });
      },
    );
  });

  test('the triage action never sent a token to another origin', () => {
    expect(foreignOrigin.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });
}
