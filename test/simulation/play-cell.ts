import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { openStage, type TestStage } from '../support/driver/stage.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Ground } from './ground.ts';
import { type Cell, createSaboteur, type Hit } from './saboteur.ts';

/** One cell, played to its end: `main` under the fault, `post` without it. */
export interface Played {
  readonly stage: TestStage;
  readonly main: ActionRun;
  /** Undefined where `main` left no state, so that `post` has nothing to look at. */
  readonly post: ActionRun | undefined;
  /** Requests at the point before `main` ended. */
  readonly hits: readonly Hit[];
  readonly struck: boolean;
  /** The scan that still ran when `main` had ended. */
  readonly leftRunning: boolean;
}

const EVIDENCE = ['triageStatus', 'confirmationEvidence'];

/** Whether a connection is used again is Node's affair; where it was not, none was stale, and the cell is played again. */
const MOST_PLAYS = 60;

export async function playCell<T>(
  ground: Ground,
  elsewhere: Elsewhere,
  cell: Cell,
  look: (played: Played) => T,
): Promise<T> {
  for (let play = 1; ; play += 1) {
    const isLast = cell.fault.how !== 'stale' || play === MOST_PLAYS;
    const looked = await playOnce(ground, elsewhere, cell, (played) =>
      played.struck || isLast ? { value: look(played) } : undefined,
    );
    if (looked !== undefined) return looked.value;
  }
}

/** The stage is taken down when `look` has returned. */
async function playOnce<T>(
  ground: Ground,
  elsewhere: Elsewhere,
  cell: Cell,
  look: (played: Played) => T,
): Promise<T> {
  const { point } = cell;
  const saboteur = createSaboteur(cell, () => elsewhere.url, ground.comparisonOf(point.head));
  const stage = await openStage({
    timeScale: timeScaleOf(cell),
    directory: ground.repository.dir,
    headSha: ground.repository.id(point.head),
    service: {
      intercept: (request) => saboteur.intercept('service', request),
      analyze: ground.analyze,
      // No cell asks for audit areas.
      survey: async () => ({ branches: [], files: [] }),
      // What is to be cancelled has to run.
      pace: { phasesPerPoll: Number.POSITIVE_INFINITY, hold: point.name === 'cancel' },
      ...(point.alsoInService === 'evidence only in details'
        ? { hideFields: { findingItem: EVIDENCE } }
        : {}),
    },
    github: { intercept: (request) => saboteur.intercept('github', request) },
  });
  try {
    saboteur.begin(stage);
    const inputs = { 'timeout-minutes': '60', ...point.inputs };
    const main = await stage.run({ inputs });
    const hits = [...saboteur.hits];
    const struck = saboteur.struck();
    await saboteur.stop();
    const leftRunning = stage.service.scans().some(({ status }) => !isTerminal(status));
    const isEmpty = Object.values(main.state).every((value) => value === '');
    const post = isEmpty ? undefined : await stage.run({ inputs, step: 'post', state: main.state });
    return look({ stage, main, post, hits, struck, leftRunning });
  } finally {
    await stage.close();
  }
}

/** So many times faster run the timers of the bundle while it only waits. */
function timeScaleOf({ fault, permanence }: Cell): number {
  // Node closes a connection that was idle for 4 s, in its own time.
  if (fault.how === 'stale') return 1;
  // Reopened while the action still has attempts left.
  if (fault.how === 'refuse' && permanence === 'transient') return 8;
  return 60;
}

export function isTerminal(status: string): boolean {
  return ['COMPLETED', 'FAILED', 'CANCELLED'].includes(status);
}
