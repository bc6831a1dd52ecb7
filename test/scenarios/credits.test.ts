import { describe, expect, test } from 'vitest';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-result.ts';
import { runScenario } from './scenario.ts';

// A time in the middle of a month, so that the monthly spend limit does not start anew during the run.
const clock = { now: () => new Date('2026-05-15T12:00:00Z') };

describe('a run that has too few credits, or that reaches a rate limit', () => {
  test.each(BOTH_WAYS)(
    'a change is not scanned if the balance does not cover the budget ($way)',
    async ({ allowed }) => {
      const result = await runScenario({
        service: { credits: 30 },
        inputs: { 'credit-budget': '40', ...allowing('insufficient-credits', allowed) },
      });
      expectNotScanned(result, 'insufficient-credits', {
        allowed,
        launches: 1,
        texts: [
          "The organization's credits in the scanning service do not cover this scan (insufficient_credits",
          'budget: 40 credits).',
          'Ask an organization admin of the service to add credits, then re-run this job.',
          'credit-budget',
        ],
      });
      expect(result.environment.service.ledger()).toMatchObject({ balance: 30, spent: 0 });
    },
  );

  test.each(BOTH_WAYS)(
    'a change is not scanned if the spend limit of the token is reached ($way)',
    async ({ allowed }) => {
      const result = await runScenario({
        service: { clock, tokens: [{ spendLimit: 19 }] },
        inputs: allowing('rate-limited', allowed),
      });
      expectNotScanned(result, 'rate-limited', {
        allowed,
        launches: 1,
        texts: ['rate limit or its spend limit', 'Re-run this job later'],
      });
      expect(result.environment.service.ledger().entries).toHaveLength(1);
    },
  );

  test("a change is not scanned if the token's rate limit refuses the launch for an hour", async () => {
    const result = await runScenario({
      service: { tokens: [{ requestCeiling: { requests: 4, windowSeconds: 3_600 } }] },
    });
    expectNotScanned(result, 'rate-limited', {
      launches: 1,
      texts: ['reached its rate limit', 'Could not launch the scan', 'Re-run this job later'],
    });
  });

  test("a change is not scanned if the token's rate limit allows only one request", async () => {
    const result = await runScenario({
      service: { clock, tokens: [{ requestCeiling: { requests: 1, windowSeconds: 5 } }] },
    });
    expectNotScanned(result, 'rate-limited', {
      launches: 0,
      texts: ['the API token reached its rate limit', 'Re-run this job later'],
    });
  });

  test("a run that waits for the token's rate limit pays for one scan", async () => {
    const result = await runScenario({
      head: 'clean',
      service: {
        intercept: ({ point, count }) =>
          point === 'scans.launch' && count <= 2
            ? {
                status: 429,
                headers: { 'retry-after': '7' },
                body: { error: { code: 'rate_limited', message: 'Too many requests.' } },
              }
            : undefined,
      },
    });
    expect(result.run.outputs).toMatchObject({ outcome: 'passed' });
    expect(result.run.exitCode).toBe(0);
    expect(result.environment.service.scans()).toHaveLength(1);
    expect(result.environment.service.ledger()).toMatchObject({ reserved: 0 });
  });
});
