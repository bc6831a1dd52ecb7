import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { expectNotScanned } from './expect-result.ts';
import { runScenario, type ScenarioOptions } from './scenario.ts';

function limited(seconds: number): Interception {
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { error: { code: 'rate_limited', message: 'Too many requests.' } },
  };
}

function failed(seconds: number): Interception {
  return {
    status: 503,
    headers: { 'retry-after': String(seconds) },
    body: { error: { code: 'internal', message: 'Not now.' } },
  };
}

const AN_HOUR = { 'timeout-minutes': '60' };

/** Uses virtual time, which shows how long a run waited. */
const IN_VIRTUAL_TIME = { driver: 'in process' } as const;

/** Makes the service answer the first request to `point` with `answer`. */
function first(point: string, answer: Interception): ScenarioOptions {
  return {
    head: 'clean',
    inputs: AN_HOUR,
    service: {
      pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
      intercept: (request) => (request.point === point && request.count === 1 ? answer : undefined),
    },
  };
}

test.each<[string, string, Interception, number]>([
  ['700 seconds before it repeats a launch', 'scans.launch', limited(700), 700],
  ['3000 seconds before it repeats a launch', 'scans.launch', limited(3_000), 3_000],
  ['1 second before it repeats a poll', 'scans.read', limited(1), 1],
  ['75 seconds before it repeats a poll', 'scans.read', limited(75), 75],
  ['1800 seconds before it repeats a poll', 'scans.read', limited(1_800), 1_800],
  ['600 seconds before it repeats a poll if the service asks for a day', 'scans.read', limited(86_400), 600],
  [
    '60 seconds before it repeats a failed poll if the service asks for 75 seconds',
    'scans.read',
    failed(75),
    60,
  ],
  ['75 seconds before it repeats the request for findings', 'findings.list', limited(75), 75],
  ['1800 seconds before it repeats the request for presets', 'presets', limited(1_800), 1_800],
])('a run waits %s', async (_what, point, answer, seconds) => {
  const { run } = await runScenario({ ...IN_VIRTUAL_TIME, ...first(point, answer) });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'passed' });
  expect(run.durationMs).toBeGreaterThanOrEqual(seconds * 1_000);
  expect(run.durationMs).toBeLessThan(seconds * 1_100 + 12_000);
});

test.each(['token', 'presets', 'scans.launch'])(
  'a run fails if a rate limit of the request `%s` lasts longer than the timeout',
  async (point) => {
    const result = await runScenario(first(point, limited(3_601)));
    expectNotScanned(result, 'rate-limited', {
      launches: point === 'scans.launch' ? 1 : 0,
      texts: ['The service asks to wait 61 minutes, longer than this job may last.'],
    });
    expect(result.run.durationMs).toBeLessThan(10_000);
  },
);

test('a run waits ten minutes between polls if the service asks for ten minutes', async () => {
  const { run } = await runScenario({
    ...IN_VIRTUAL_TIME,
    head: 'clean',
    inputs: AN_HOUR,
    service: {
      retryAfterSeconds: 600,
      intercept: ({ point, count }) => (point === 'scans.read' && count === 2 ? failed(1) : undefined),
    },
  });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'passed' });
  expect(run.durationMs).toBeGreaterThanOrEqual(600_000);
});

test('a run cancels a scan that times out during a rate limit', async () => {
  const result = await runScenario({
    inputs: { 'timeout-minutes': '5' },
    service: {
      intercept: ({ point, count }) => (point === 'scans.read' && count > 1 ? limited(250) : undefined),
    },
  });
  expectNotScanned(result, 'timeout', { launches: 1, texts: ['time limit'] });
  expect(result.environment.service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  expect(result.environment.service.ledger()).toMatchObject({ reserved: 0 });
});
