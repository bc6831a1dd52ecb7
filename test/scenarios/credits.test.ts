import { describe, expect, test } from 'vitest';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-story.ts';
import { tell } from './story.ts';

// In the middle of a month: the spend limit lifts at its end.
const clock = { now: () => new Date('2026-05-15T12:00:00Z') };

describe('credits and limits', () => {
  test.each(BOTH_WAYS)('the balance cannot cover the budget: $way', async ({ allowed }) => {
    const story = await tell({
      service: { credits: 30 },
      inputs: { 'credit-budget': '40', ...allowing('insufficient-credits', allowed) },
    });
    expectNotScanned(story, 'insufficient-credits', {
      allowed,
      launches: 1,
      says: [
        "The organization's credits do not cover this scan (budget: 40 credits).",
        'Ask an organization admin to add credits, then re-run this job.',
        'credit-budget',
      ],
    });
    expect(story.stage.service.ledger()).toMatchObject({ balance: 30, spent: 0 });
  });

  test.each(BOTH_WAYS)("the token's spend limit is reached: $way", async ({ allowed }) => {
    const story = await tell({
      service: { clock, tokens: [{ spendLimit: 19 }] },
      inputs: allowing('rate-limited', allowed),
    });
    expectNotScanned(story, 'rate-limited', {
      allowed,
      launches: 1,
      says: ['rate limit or its spend limit', 'Re-run this job later'],
    });
    expect(story.stage.service.ledger().entries).toHaveLength(1);
  });

  test('the request ceiling is reached before the launch, for longer than a job should wait', async () => {
    const story = await tell({
      service: { tokens: [{ requestCeiling: { requests: 4, windowSeconds: 3_600 } }] },
    });
    expectNotScanned(story, 'rate-limited', {
      launches: 1,
      says: ['reached its rate limit', 'Could not launch the scan', 'Re-run this job later'],
    });
  });

  test('the request ceiling is reached at once, and stays', async () => {
    const story = await tell({
      service: { clock, tokens: [{ requestCeiling: { requests: 1, windowSeconds: 5 } }] },
    });
    expectNotScanned(story, 'rate-limited', {
      launches: 0,
      says: ['the API token reached its rate limit', 'Re-run this job later'],
    });
  });

  test('a ceiling that lifts is waited for, and the scan is launched and paid once', async () => {
    const story = await tell({
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
    expect(story.run.outputs).toMatchObject({ outcome: 'passed' });
    expect(story.run.exitCode).toBe(0);
    expect(story.stage.service.scans()).toHaveLength(1);
    expect(story.stage.service.ledger()).toMatchObject({ reserved: 0 });
  });
});
