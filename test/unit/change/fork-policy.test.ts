import { describe, expect, test } from 'vitest';
import { refuseTarget } from '../../../src/change/fork-policy.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import { sampleReport } from '../report/sample-report.ts';

const TRUSTED = { hasToken: true, scanForks: 'trusted' } as const;
const WITHOUT_TOKEN = { hasToken: false, scanForks: 'trusted' } as const;
const sample = sampleReport([]).target;

function target(
  event: ScanTarget['event'],
  {
    secretsWithheld = false,
    ...pullRequest
  }: Partial<TargetPullRequest> & { readonly secretsWithheld?: boolean } = {},
): ScanTarget {
  if (sample?.pullRequest === undefined) throw new Error('the sample report has no pull request');
  return {
    ...sample,
    event,
    secretsWithheld,
    pullRequest: event === 'merge_group' ? undefined : { ...sample.pullRequest, ...pullRequest },
  };
}

describe('refuseTarget without a token', () => {
  test('refuseTarget names different next steps for a fork and for Dependabot', async () => {
    const fork = target('pull_request', { isFork: true, secretsWithheld: true });
    const ofFork = refuseTarget(fork, WITHOUT_TOKEN);
    expect(ofFork).toMatchObject({
      reason: 'missing-token',
      cause: expect.stringContaining('did not pass the secrets to this pull request from a fork'),
      nextStep: expect.stringMatching(
        /`pull_request_target`.*https:\/\/.*docs\/forks\.md.*Settings → Actions → Policies/,
      ),
    });
    const bot = target('pull_request', { isFork: false, secretsWithheld: true });
    const ofBot = refuseTarget(bot, WITHOUT_TOKEN);
    expect(ofBot).toMatchObject({
      reason: 'missing-token',
      cause: expect.stringContaining('Dependabot'),
      nextStep: expect.stringContaining('Dependabot secrets'),
    });
    expect(JSON.stringify(ofFork)).not.toContain('Dependabot');
    expect(JSON.stringify(ofBot)).not.toMatch(/fork|pull_request_target/);
  });

  test.each([false, true])(
    'refuseTarget reports that GitHub withheld the token from Dependabot under pull_request_target (in a fork: %s)',
    async (isFork) => {
      const bot = target('pull_request_target', { isFork, secretsWithheld: true });
      const refusal = refuseTarget(bot, WITHOUT_TOKEN);
      expect(refusal).toMatchObject({
        reason: 'missing-token',
        cause: expect.stringMatching(
          /withheld the secrets from this run of Dependabot on `pull_request_target`/,
        ),
        nextStep: expect.stringMatching(/`pull_request`.*Dependabot secret/),
      });
      expect(JSON.stringify(refusal)).not.toContain('fork');
    },
  );

  test('on a push without a token, refuseTarget names a fork and Dependabot as possible causes', async () => {
    const commit = { ...target('merge_group', { secretsWithheld: true }), event: 'push' } as const;
    expect(refuseTarget(commit, WITHOUT_TOKEN)).toMatchObject({
      reason: 'missing-token',
      cause: expect.stringMatching(/neither to its forks nor to runs that Dependabot started/),
      nextStep: expect.stringMatching(/add the secret to the fork.*Dependabot secrets/),
    });
  });

  test.each([
    ['push', { ...target('merge_group'), event: 'push' } as const],
    ['pull_request', target('pull_request')],
    ['pull_request_target', target('pull_request_target', { isFork: true })],
    ['merge_group', target('merge_group')],
  ])(
    'refuseTarget reports a missing token as a configuration error if GitHub provides secrets: %s',
    async (_event, where) => {
      expect(refuseTarget(where, WITHOUT_TOKEN)).toMatchObject({
        reason: 'configuration',
        cause: expect.stringContaining('`api-token` is empty'),
        nextStep: expect.stringContaining('secrets: inherit'),
      });
    },
  );
});

describe('refuseTarget with a token', () => {
  test.each([
    ['a pull request', target('pull_request')],
    ["a fork's pull request that was given secrets", target('pull_request', { isFork: true })],
    ['a merge group', target('merge_group')],
    ['a branch of the repository itself', target('pull_request_target')],
    ['an event without a pull request', { ...target('pull_request_target'), pullRequest: undefined }],
  ])('refuseTarget admits %s and reads no permission', async (_what, where) => {
    expect(refuseTarget(where, TRUSTED)).toBeUndefined();
  });

  const FORK = target('pull_request_target', { isFork: true });

  test('refuseTarget admits a fork, because it may read a scan that is paid for', () => {
    expect(refuseTarget(FORK, TRUSTED)).toBeUndefined();
  });

  test('with `scan-forks: all`, refuseTarget admits a fork and reads no permission', async () => {
    expect(refuseTarget(FORK, { ...TRUSTED, scanForks: 'all' })).toBeUndefined();
  });

  test('with `scan-forks: none`, refuseTarget refuses a fork and reads no permission', async () => {
    const none = { ...TRUSTED, scanForks: 'none' } as const;
    expect(refuseTarget(FORK, none)).toMatchObject({
      reason: 'untrusted-fork',
      cause: expect.stringContaining('`scan-forks`'),
      nextStep: expect.stringContaining('maintainer'),
    });
  });

  test.each(['all', 'none'] as const)(
    'refuseTarget applies `scan-forks: %s` only to forks under pull_request_target',
    async (scanForks) => {
      const others = [
        target('pull_request_target'),
        target('pull_request', { isFork: true }),
        target('merge_group'),
      ];
      for (const other of others) expect(refuseTarget(other, { ...TRUSTED, scanForks })).toBeUndefined();
    },
  );

  test('refuseTarget requires the token even if `scan-forks` is `all`', async () => {
    expect(refuseTarget(FORK, { ...WITHOUT_TOKEN, scanForks: 'all' })).toMatchObject({
      reason: 'configuration',
    });
  });
});
