import { beforeAll, describe, test } from 'vitest';
import { openRepository } from '../scenarios/repository.ts';
import { DRIVER } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import type { SharedRepository } from '../support/shared-repository.ts';
import { judgeKilled } from './kill-oracle.ts';
import { KILL_CELLS, type KillCell, sampleKills } from './kill-stages.ts';
import { runKilled } from './run-killed.ts';

let fixture: SharedRepository;
beforeAll(async () => {
  fixture = await openRepository();
});

/** The bundle mostly waits, so several cells run concurrently. */
const sideBySide = DRIVER === 'bundle' ? describe.concurrent : describe;
/** `SCANGATE_ROUNDS=full` tests all cells. */
const CELLS = rounds(sampleKills(KILL_CELLS), KILL_CELLS);

// The timeout ends a test that hangs.
sideBySide('a job that is killed at every stage', { timeout: 600_000 }, () => {
  test.for(CELLS.map((cell) => [nameOf(cell), cell] as const))(
    'the remains of a killed job are cleaned up as promised: %s',
    async ([name, cell], { expect }) => {
      const seen = await runKilled(fixture, cell);
      expect(judgeKilled(cell, seen), `${name}\n${seen.main.log}\n--- then\n${seen.sequel.log}`).toEqual([]);
    },
  );
});

/**
 * The name of a cell: request, moment, signal, what follows. This command runs one cell alone:
 * `SCANGATE_ROUNDS=full npx vitest run test/simulation/kill-points -t "launch, unanswered, SIGKILL, push"`
 */
function nameOf({ stage, killing, sequel }: KillCell): string {
  return `${stage.name}, ${stage.moment}, ${killing}, ${sequel}`;
}
