import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { refuseTarget } from '../../../src/change/fork-policy.ts';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import { client, github } from '../github/client.ts';
import { sampleReport } from '../report/sample-report.ts';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

const PERMISSION = '/repos/acme/shop/collaborators/dana/permission';
const RUNNING = new AbortController().signal;
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
    const ofFork = await refuseTarget(client(), fork, WITHOUT_TOKEN, RUNNING);
    expect(ofFork).toMatchObject({
      reason: 'missing-token',
      cause: expect.stringContaining('did not pass the secrets to this pull request from a fork'),
      nextStep: expect.stringMatching(
        /`pull_request_target`.*https:\/\/.*docs\/forks\.md.*Settings → Actions → Policies/,
      ),
    });
    const bot = target('pull_request', { isFork: false, secretsWithheld: true });
    const ofBot = await refuseTarget(client(), bot, WITHOUT_TOKEN, RUNNING);
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
      const refusal = await refuseTarget(client(), bot, WITHOUT_TOKEN, RUNNING);
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
    expect(await refuseTarget(client(), commit, WITHOUT_TOKEN, RUNNING)).toMatchObject({
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
      expect(await refuseTarget(client(), where, WITHOUT_TOKEN, RUNNING)).toMatchObject({
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
    expect(await refuseTarget(client(), where, TRUSTED, RUNNING)).toBeUndefined();
  });

  const FORK = target('pull_request_target', { isFork: true });

  test.each(['admin', 'write'])(
    'refuseTarget admits a fork under pull_request_target if its author has the permission %s',
    async (permission) => {
      github().get(PERMISSION).reply(200, { permission });
      expect(await refuseTarget(client(), FORK, TRUSTED, RUNNING)).toBeUndefined();
    },
  );

  test.each(['read', 'none'])(
    'refuseTarget refuses an author with the permission %s, and refers the author to a maintainer',
    async (permission) => {
      github().get(PERMISSION).reply(200, { permission });
      expect(await refuseTarget(client(), FORK, TRUSTED, RUNNING)).toMatchObject({
        reason: 'untrusted-fork',
        cause: expect.stringContaining('dana'),
        nextStep: expect.stringContaining('maintainer'),
      });
    },
  );

  test('with `scan-forks: all`, refuseTarget admits a fork and reads no permission', async () => {
    expect(await refuseTarget(client(), FORK, { ...TRUSTED, scanForks: 'all' }, RUNNING)).toBeUndefined();
  });

  test('with `scan-forks: none`, refuseTarget refuses a fork and reads no permission', async () => {
    const none = { ...TRUSTED, scanForks: 'none' } as const;
    expect(await refuseTarget(client(), FORK, none, RUNNING)).toMatchObject({
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
      for (const other of others)
        expect(await refuseTarget(client(), other, { ...TRUSTED, scanForks }, RUNNING)).toBeUndefined();
    },
  );

  test('refuseTarget requires the token even if `scan-forks` is `all`', async () => {
    expect(await refuseTarget(client(), FORK, { ...WITHOUT_TOKEN, scanForks: 'all' }, RUNNING)).toMatchObject(
      { reason: 'configuration' },
    );
  });

  test('refuseTarget refuses a fork if GitHub does not show the permission of the author', async () => {
    github().get(PERMISSION).reply(403, { message: 'Must have push access' });
    const refusal = await refuseTarget(client(), FORK, TRUSTED, RUNNING);
    expect(refusal).toMatchObject({
      reason: 'untrusted-fork',
      cause: expect.stringMatching(/fork.*author dana.*Must have push access/),
      nextStep: expect.stringContaining('a token whose owner has this access'),
    });

    github().get(PERMISSION).reply(403, { message: 'Resource not accessible by integration' });
    expect(await refuseTarget(client(), FORK, TRUSTED, RUNNING)).toMatchObject({
      nextStep: expect.stringMatching(/`github-token`.*`metadata: read`/),
    });
  });

  test('refuseTarget reports that GitHub denied access if the refusal has no message', async () => {
    github().get(PERMISSION).reply(403);
    expect(await refuseTarget(client(), FORK, TRUSTED, RUNNING)).toMatchObject({
      cause: expect.stringMatching(/the permission of its author dana: GitHub denied access\.$/),
    });
  });

  test('refuseTarget reports a service error if it cannot read the permission because of a rate limit', async () => {
    const limited = { 'x-ratelimit-remaining': '0' };
    github().get(PERMISSION).times(2).reply(403, { message: 'API rate limit exceeded' }, limited);
    expect(await refuseTarget(client(), FORK, TRUSTED, RUNNING)).toMatchObject({ reason: 'service-error' });
  });

  test('refuseTarget reports a service error if the permission of the author cannot be read', async () => {
    github().get(PERMISSION).times(3).reply(503);
    expect(await refuseTarget(client(), FORK, TRUSTED, RUNNING)).toMatchObject({
      reason: 'service-error',
      cause: expect.stringMatching(
        /^Could not check whether the author of the fork has write access\. Could not read the author's permission/,
      ),
      nextStep: expect.stringContaining('Re-run this job.'),
    });
  });

  test('refuseTarget reports that the run was stopped while it read the permission', async () => {
    const stopped = AbortSignal.abort(new Stop('signal'));
    expect(await refuseTarget(client(), FORK, TRUSTED, stopped)).toMatchObject({
      reason: 'scan-cancelled',
      cause: expect.stringContaining('before it launched a scan'),
      bySignal: true,
    });
  });
});
