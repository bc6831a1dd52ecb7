import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { pushEvent, scheduleEvent } from '../../sandbox/events.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import type { HiddenFields } from '../../sandbox/scan-service/options.ts';
import { isTerminal } from '../../sandbox/scan-service/scan-status.ts';
import { openEnvironment, type TestEnvironment } from '../support/driver/environment.ts';
import { type Cell, createFaultInjector, type Hit } from './fault-injector.ts';
import type { ForeignOrigin } from './foreign-origin.ts';
import type { SharedFixture } from './shared-fixture.ts';

/** A completed cell: `main` ran with the fault, `post` without it. */
export interface CompletedCell {
  readonly environment: TestEnvironment;
  readonly main: ActionRun;
  /** The run of `post`. Undefined if `main` left no state for it. */
  readonly post: ActionRun | undefined;
  /** The requests of the cell's kind that arrived before `main` ended. */
  readonly hits: readonly Hit[];
  readonly struck: boolean;
  /** Whether the scan still ran when `main` had ended. */
  readonly mayStillBeRunning: boolean;
}

const EVIDENCE = ['triageStatus', 'confirmationEvidence'];

/** The members of the service's answers that show the audit areas, the guidance and the budget of a scan. */
export const HIDDEN_SCOPE: HiddenFields = {
  scanDetail: ['auditAreaKeys', 'guidanceApplied', 'creditBudget'],
  progress: ['reservedCredits'],
};

/**
 * The most runs of one cell. The fault of a stale connection happens only if Node uses the connection again. If the
 * fault does not happen, the cell is run again.
 */
const MOST_RUNS = 60;

export async function runCell<T>(
  fixture: SharedFixture,
  foreignOrigin: ForeignOrigin,
  cell: Cell,
  look: (completed: CompletedCell) => T,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = cell.fault.how !== 'stale' || attempt === MOST_RUNS;
    const looked = await runOnce(fixture, foreignOrigin, cell, (completed) =>
      completed.struck || isLast ? { value: look(completed) } : undefined,
    );
    if (looked !== undefined) return looked.value;
  }
}

/** Runs the cell once, gives the result to `look`, and closes the environment. */
async function runOnce<T>(
  fixture: SharedFixture,
  foreignOrigin: ForeignOrigin,
  cell: Cell,
  look: (completed: CompletedCell) => T,
): Promise<T> {
  const { point } = cell;
  const injector = createFaultInjector(cell, () => foreignOrigin.url);
  const environment = await openEnvironment({
    timeScale: timeScaleOf(cell),
    directory: fixture.repository.dir,
    headSha: fixture.repository.id(point.head),
    service: {
      intercept: (request) => injector.intercept('service', request),
      // In the cells of `cancel`, the service holds the scan, because only a running scan can be cancelled.
      pace: {
        phasesPerPoll: point.alsoInService === 'scope hidden' ? 1 : Number.POSITIVE_INFINITY,
        hold: point.name === 'cancel',
      },
      hideFields: hiddenAt(point),
    },
    github: { intercept: (request) => injector.intercept('github', request) },
  });
  try {
    injector.begin(environment);
    const inputs = { 'timeout-minutes': '60', ...point.inputs };
    const event = eventOf(fixture, cell, environment);
    const main = await environment.run({ inputs, ...event });
    const hits = [...injector.hits];
    const struck = injector.struck();
    await injector.stop();
    const mayStillBeRunning = environment.service.scans().some(({ status }) => !isTerminal(status));
    const isEmpty = Object.values(main.state).every((value) => value === '');
    const post = isEmpty
      ? undefined
      : await environment.run({ inputs, ...event, step: 'post', state: main.state });
    return look({ environment, main, post, hits, struck, mayStillBeRunning });
  } finally {
    await environment.close();
  }
}

function hiddenAt({ alsoInService }: Cell['point']): HiddenFields {
  if (alsoInService === 'evidence only in details') return { findingItem: EVIDENCE };
  return alsoInService === 'scope hidden' ? HIDDEN_SCOPE : {};
}

/** The event of the run. Empty for the event of a pull request, which is the default. */
function eventOf(
  { repository }: SharedFixture,
  { point }: Cell,
  environment: TestEnvironment,
): Pick<EnvironmentRunOptions, 'event' | 'sha'> {
  const described = {
    repository: environment.repository,
    visibility: 'private',
    serverUrl: environment.github.serverUrl,
  } as const;
  const head = repository.id(point.head);
  if (point.event === undefined) return {};
  if (point.event === 'schedule') {
    return { event: { name: 'schedule', payload: scheduleEvent(described) }, sha: head };
  }
  const push = { ref: 'refs/heads/main', before: repository.id('start'), after: head };
  return { event: { name: 'push', payload: pushEvent({ ...described, ...push }) } };
}

/** How many times faster than real time the timers of the bundle run while the bundle only waits. */
function timeScaleOf({ fault, permanence }: Cell): number {
  // This fault needs real time, because Node closes a connection after 4 s without a request.
  if (fault.how === 'stale') return 1;
  // At this speed, the port opens again while the action still has attempts left.
  if (fault.how === 'refuse' && permanence === 'transient') return 8;
  return 60;
}
