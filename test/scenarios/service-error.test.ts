import { describe, expect } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { isObject } from '../../sandbox/json.ts';
import { hanging, limited, refusingAs, showingInstead, unsent } from './effects.ts';
import { outputs, passed, requests, summarizes } from './ends.ts';
import { type End, inBothWays, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const INTERNAL = refusingAs(500, 'internal');
const PAGE = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Please log in</html>' };
const FIREWALL = { ...PAGE, status: 403, body: '<html>Blocked</html>' };
const REDIRECT = { status: 302, headers: { location: '/login' } };
// A time in the middle of a month, so that the monthly spend limit does not start anew during the run.
const clock = { now: () => new Date('2026-05-15T12:00:00Z') };
const IN_TIME = { driver: 'in process' } as const;
const CLEAN = { ...IN_TIME, head: 'clean' } as const;
const stop: Act = async ({ scenario }) => void (await scenario.environment.service.close());
/** The credits of the organization and those that were charged. */
const ledger =
  (wanted: object): End =>
  ({ environment }) =>
    expect(environment.service.ledger()).toMatchObject(wanted);

describe('a service that fails', () => {
  /** A run gives up to read the findings after 20 failures, which takes minutes. */
  const PATIENT = { ...CLEAN, inputs: { 'timeout-minutes': '30' } } as const;
  testRuns(
    [
      ...inBothWays('service-error', {
        name: 'a run launches no scan if the service fails before the launch',
        at: { repositories: INTERNAL },
      }),
      {
        name: 'a run launches no scan if it gets a login page instead of an answer of the service',
        at: { token: PAGE },
      },
      { name: 'a run launches no scan if the service is down', meanwhile: [stop] },
      {
        name: 'a run uses the paid scan despite short failures of the service, a proxy and a firewall',
        head: 'clean',
        service: { pace: { phasesPerPoll: 1 } },
        at: {
          'scans.read 1': FIREWALL,
          'scans.read 3': INTERNAL,
          'scans.read 4': unsent,
          'scans.read 5': PAGE,
          'scans.read 6': FIREWALL,
          'scans.read 7': REDIRECT,
        },
      },
      ...inBothWays('service-error', {
        name: 'a run does not pass if the service fails to list the findings',
        ...PATIENT,
        at: { 'findings.list': INTERNAL },
        ends: outputs({ 'scan-status': 'COMPLETED' }),
      }),
      {
        name: 'a run does not pass if the list of findings changes while the run reads it',
        head: 'clean',
        at: {
          'findings.list': showingInstead((body) =>
            isObject(body) ? { ...body, total: Number(body['total']) + 1 } : body,
          ),
        },
        ends: requests('findings.list', 3),
      },
      ...(
        [
          ['an HTML page', PAGE],
          ['an object without items', { status: 200, body: { page: 1, limit: 100, total: 0 } }],
        ] as const
      ).map(([what, answer]) => ({
        name: `a run does not pass if the list of findings is ${what}`,
        ...PATIENT,
        at: { 'findings.list': answer },
      })),
      {
        name: 'a run does not pass if the token is revoked before the findings are read',
        ...PATIENT,
        at: { 'findings.list': refusingAs(401, 'unauthorized') },
      },
    ],
    'service-error',
  );
});

describe('credits and rate limits', () => {
  testRuns(
    [
      ...inBothWays('insufficient-credits', {
        name: 'a change is not scanned if the balance does not cover the budget',
        service: { credits: 30 },
        inputs: { 'credit-budget': '40' },
        ends: ledger({ balance: 30, spent: 0 }),
      }),
      ...inBothWays('rate-limited', {
        name: 'a change is not scanned if the spend limit of the token is reached',
        service: { clock, tokens: [{ spendLimit: 19 }] },
      }),
      {
        name: "a change is not scanned if the token's rate limit refuses the launch for an hour",
        service: { tokens: [{ requestCeiling: { requests: 4, windowSeconds: 3_600 } }] },
      },
      {
        name: "a change is not scanned if the token's rate limit allows only one request",
        service: { clock, tokens: [{ requestCeiling: { requests: 1, windowSeconds: 5 } }] },
      },
      {
        name: "a run that waits for the token's rate limit pays for one scan",
        head: 'clean',
        at: { 'scans.launch 1-2': limited(7) },
      },
      ...['token', 'presets', 'scans.launch'].map((point) => ({
        name: `a run fails at once if a rate limit of the request \`${point}\` lasts longer than the timeout`,
        at: { [`${point} 1`]: limited(3_601) },
        inputs: { 'timeout-minutes': '60' },
        ends: takes(0, 10),
      })),
    ],
    'credits',
  );
});

/** How long the run takes, in seconds. */
function takes(least: number, most: number): End {
  return ({ run }) => {
    expect(run.durationMs, run.log).toBeGreaterThanOrEqual(least * 1_000);
    expect(run.durationMs, run.log).toBeLessThan(most * 1_000);
  };
}

describe('the waits of a run', () => {
  const QUICK = { ...CLEAN, service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } } };
  const inputs = { 'timeout-minutes': '60' };
  const failed = (seconds: number): Interception => ({
    ...INTERNAL,
    status: 503,
    headers: { 'retry-after': String(seconds) },
  });
  testRuns([
    ...(
      [
        ['3000 seconds before it repeats a launch', 'scans.launch', limited(3_000), 3_000],
        ['1 second before it repeats a poll', 'scans.read', limited(1), 1],
        ['1800 seconds before it repeats a poll', 'scans.read', limited(1_800), 1_800],
        ['600 seconds if the service asks for a day', 'scans.read', limited(86_400), 600],
        ['60 seconds after a failed poll if the service asks for 75 seconds', 'scans.read', failed(75), 60],
        ['75 seconds before it repeats the request for findings', 'findings.list', limited(75), 75],
        ['1800 seconds before it repeats the request for presets', 'presets', limited(1_800), 1_800],
      ] as const
    ).map(([what, point, answer, seconds]) => ({
      name: `a run waits ${what}`,
      ...QUICK,
      at: { [`${point} 1`]: answer },
      inputs,
      ends: [passed, takes(seconds, seconds * 1.1 + 12)],
    })),
    {
      name: 'a run waits ten minutes between polls if the service asks for ten minutes',
      ...CLEAN,
      service: { retryAfterSeconds: 600 },
      at: { 'scans.read 2': failed(1) },
      inputs,
      ends: [passed, takes(600, 1_900)],
    },
  ]);
});

describe('the timeout of a run', () => {
  const HOLDING = { service: { pace: { hold: true } } } as const;
  /** This timeout is shorter than four attempts of a request. An attempt can take thirty seconds. */
  const inputs = { 'timeout-minutes': '1' };
  testRuns(
    [
      ...inBothWays('timeout', {
        name: 'a run cancels a scan that does not end before the timeout',
        ...HOLDING,
        inputs,
        // The scan had not started, so the service charges nothing.
        ends: [ledger({ spent: 0 }), outputs({ 'scan-status': 'CANCELLED' })],
      }),
      {
        name: 'a run cancels a scan that times out during a rate limit',
        at: { 'scans.read 2-': limited(250) },
        inputs: { 'timeout-minutes': '5' },
      },
      {
        name: 'a run launches nothing if the service does not answer before the timeout',
        at: { presets: hanging },
        inputs,
      },
      {
        name: 'a run reports that it timed out even if the service does not answer the cancel request',
        ...HOLDING,
        at: { 'scans.cancel': hanging },
        inputs,
        ends: summarizes('It may still be running and using credits'),
      },
    ],
    'timeout',
  );
});
