import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
import { flawedRepository } from '../../scripts/bench/flawed-repository.ts';
import { MOST_ROUND_TRIPS } from '../../scripts/bench/goals.ts';
import { openStage, type TestStage } from '../support/driver/stage.ts';

/** In virtual time every answer takes as long, and nothing else takes any. */
const ROUND_TRIP_MS = 10;

/** Requests that had to wait for the answer of another one before them, the first included. */
function countRoundTrips(arrivals: readonly number[]): number {
  let count = 0;
  let next = Number.NEGATIVE_INFINITY;
  for (const arrival of arrivals.toSorted((a, b) => a - b)) {
    if (arrival < next) continue;
    count += 1;
    next = arrival + ROUND_TRIP_MS;
  }
  return count;
}

test.each(Object.entries(MOST_ROUND_TRIPS).map(([findings, most]) => [Number(findings), most] as const))(
  'with %i findings, at most %i answers are waited for one after the other',
  async (findings, most) => {
    const arrivals: number[] = [];
    let playing: TestStage | undefined;
    const intercept = async () => {
      if (playing !== undefined) arrivals.push(playing.now());
      return undefined;
    };
    const repository = await createGitFixture(flawedRepository(findings));
    onTestFinished(() => repository.remove());
    const stage = await openStage({
      driver: 'in process',
      directory: repository.dir,
      headSha: repository.id('change'),
      service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY }, intercept },
      github: { intercept },
    });
    onTestFinished(() => stage.close());
    playing = stage;
    const run = await stage.run();
    expect(run.outputs).toMatchObject({ 'findings-total': String(findings) });
    expect(arrivals).toHaveLength(stage.service.requests.length + stage.github.requests.length);
    expect(countRoundTrips(arrivals)).toBeLessThanOrEqual(most);
    // Nothing was slept, so what was counted is all that took time.
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBe(
      (countRoundTrips(arrivals) - 1) * ROUND_TRIP_MS,
    );
  },
);
