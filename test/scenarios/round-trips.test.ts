import { expect, onTestFinished, test } from 'vitest';
import { createGitFixture } from '../../sandbox/git-fixture.ts';
import { MOST_ROUND_TRIPS } from '../../scripts/bench/goals.ts';
import { vulnerableRepository } from '../../scripts/bench/vulnerable-repository.ts';
import { openEnvironment, type TestEnvironment } from '../support/driver/environment.ts';

/** How long every answer takes. In virtual time, nothing else takes time. */
const ROUND_TRIP_MS = 10;

/** Counts the first request, and each request that had to wait for an answer. */
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
  'a run with %i findings waits for at most %i sequential answers',
  async (findings, most) => {
    const arrivals: number[] = [];
    let running: TestEnvironment | undefined;
    const intercept = async () => {
      if (running !== undefined) arrivals.push(running.now());
      return undefined;
    };
    const repository = await createGitFixture(vulnerableRepository(findings));
    onTestFinished(() => repository.remove());
    const environment = await openEnvironment({
      driver: 'in process',
      directory: repository.dir,
      headSha: repository.id('change'),
      service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY }, intercept },
      github: { intercept },
    });
    onTestFinished(() => environment.close());
    running = environment;
    const run = await environment.run();
    expect(run.outputs).toMatchObject({ 'findings-total': String(findings) });
    expect(arrivals).toHaveLength(environment.service.requests.length + environment.github.requests.length);
    expect(countRoundTrips(arrivals)).toBeLessThanOrEqual(most);
    // The run did not sleep, so only the counted requests took time.
    expect(Math.max(...arrivals) - Math.min(...arrivals)).toBe(
      (countRoundTrips(arrivals) - 1) * ROUND_TRIP_MS,
    );
  },
);
