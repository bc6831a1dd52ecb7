import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../support/driver/random.ts';
import { rounds as times } from '../support/rounds.ts';
import type { FaultName } from './histories/faults.ts';
import {
  type Act,
  CALM,
  type Ending,
  type Fault,
  type FaultPoint,
  type History,
  PLAIN_HISTORY,
  type Trouble,
} from './histories/plan.ts';
import { simulateHistory } from './histories/simulate-history.ts';
import { openSetting, type Setting, type SimulatedHistory } from './histories/simulated-history.ts';
import { traceOf } from './histories/trace.ts';

/** The number of seeds with which each case is tested. */
const SEEDS = times(3, 100);
const LATEST_START_MS = 3_000;
/** The most requests of one kind for which a fault is drawn. */
const MOST_DRAWS = 40;
/**
 * The most requests in a row that fail. If more reads of the check runs fail, a job learns of its twin only after its
 * scan has ended, and cannot cancel the scan any more.
 */
const MOST_IN_A_ROW = 5;

interface Plan {
  readonly jobs: number;
  readonly trouble: 'none' | 'reads fail' | 'a job ends early' | 'creations fail';
  readonly seed: number;
}

/** The requests that fail, how many of them, and how. */
const FAILING: Readonly<Record<string, readonly [FaultPoint, share: number, readonly FaultName[]]>> = {
  'reads fail': ['github:check.list', 0.3, ['reset before', '503', 'cut length', '429 soon']],
  'creations fail': ['github:check.create', 0.4, ['reset before', 'reset after', '503', '502 after']],
};

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(await mkdtemp(path.join(tmpdir(), 'scangate-twins-')));
});
afterAll(() => Promise.all([setting.fixture.close(), rm(setting.folder, { recursive: true })]));

/** A history whose jobs start within three seconds. GitHub lists each new check run late. */
function historyOf({ jobs, trouble, seed }: Plan): History {
  const random = createRandom(seed);
  const pick = <T>(all: readonly [T, ...T[]] | readonly T[]) => all[Math.floor(random() * all.length)];
  const starts = Array.from({ length: jobs }, () => random() * LATEST_START_MS).toSorted((a, b) => a - b);
  const lagAfter = (index: number) => (starts[index + 1] ?? LATEST_START_MS) - (starts[index] ?? 0);
  const early = trouble === 'a job ends early' ? Math.floor(random() * jobs) : -1;
  const troubleOf = (index: number): Trouble => ({
    faults: faults(),
    end: index === early ? earlyEnd() : CALM.end,
  });
  const [opened, ...others] = starts.map((_, index) => ({ trouble: troubleOf(index), lag: lagAfter(index) }));
  if (opened === undefined) throw new Error('there is no job');
  return {
    ...PLAIN_HISTORY,
    seed,
    // A scan has six phases, and each poll ends one. So the scan still runs when its job looks for twins for the second
    // time.
    retryAfterSeconds: 8,
    terse: seed % 2 === 0,
    checkRunLagMs: 2_000,
    opened: { ...PLAIN_HISTORY.opened, ...opened },
    acts: others.map((other): Act => ({ kind: 'parallel', pull: 0, ...other })),
  };

  /** A job that ends early may not have launched a scan yet, or may have left its scan to a twin already. */
  function earlyEnd(): Ending {
    return { kind: pick(['cancelled', 'killed', 'lost'] as const) ?? 'lost', at: random() * 20_000 };
  }

  function faults(): Fault[] {
    const [point, share, names] = FAILING[trouble] ?? [];
    if (point === undefined || names === undefined) return [];
    let skip = 0;
    let inARow = 0;
    return Array.from({ length: MOST_DRAWS }).flatMap(() => {
      const name = random() < (share ?? 0) ? pick(names) : undefined;
      inARow = name === undefined || inARow === MOST_IN_A_ROW ? 0 : inARow + 1;
      if (name !== undefined && inARow > 0) return [{ point, name, skip, times: 1 }];
      skip += 1;
      return [];
    });
  }
}

/**
 * The ids of the scans that completed or still run. Scans of lost machines are left out, unless there are no others.
 * Then those that a job uses are listed.
 */
function scansLeft({ jobs, launches, environment, last }: SimulatedHistory): readonly string[] {
  const active = launches.filter(({ process, scanId }) => {
    const status = environment.service.scans.find(({ id }) => id === scanId)?.status;
    return process.run !== last.plan.number && status !== 'CANCELLED' && status !== 'FAILED';
  });
  const ofLiving = active.filter(({ process }) => !jobs[process.run]?.lost);
  const followed = new Set(jobs.map(({ outputs }) => outputs?.['scan-id']));
  const left = ofLiving.length > 0 ? ofLiving : active.filter(({ scanId }) => followed.has(scanId));
  return left.map(({ scanId }) => scanId);
}

/** Simulates the jobs. Checks that no job fails if nothing ended it early. */
async function play(plan: Plan) {
  const simulated = await simulateHistory(setting, historyOf(plan));
  const why = `${JSON.stringify(plan)}\n${traceOf(simulated)}`;
  expect(
    simulated.jobs.map(({ crash }) => crash).filter((crash) => crash !== undefined),
    why,
  ).toEqual([]);
  const red = simulated.jobs.filter(
    ({ plan: { end }, outputs }) =>
      end.kind === 'by itself' && outputs?.outcome !== 'passed' && outputs?.outcome !== 'blocked',
  );
  expect(red.length, why).toBe(0);
  return { left: scansLeft(simulated), why };
}

const CASES = [2, 3].flatMap((jobs) =>
  (['none', 'reads fail', 'a job ends early'] as const).map((trouble) => ({ jobs, trouble })),
);

describe('jobs that start together', () => {
  test.each(CASES)(
    '$jobs jobs that start together leave exactly one scan (trouble: $trouble)',
    async (given) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const { left, why } = await play({ ...given, seed });
        expect(left, why).toHaveLength(1);
      }
    },
  );

  test.each([2, 3])(
    'if GitHub often fails to create check runs, %i jobs that start together leave at least one scan',
    async (jobs) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const { left, why } = await play({ jobs, trouble: 'creations fail', seed });
        expect(left.length, why).toBeGreaterThan(0);
      }
    },
  );
});
