import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { refusePayment, refuseTarget } from '../../../src/change/fork-policy.ts';
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
/** The author of the pull request. */
const DANA = 'dana';
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

describe('refusePayment', () => {
  const FORK = target('pull_request_target', { isFork: true });
  const access = { github: client(), signal: RUNNING };
  const OWNER = '/repos/acme/shop/collaborators/olga/permission';

  test.each([
    ['a pull request', target('pull_request', { isFork: true })],
    ['a branch of the repository itself', target('pull_request_target')],
    ['a merge group', target('merge_group')],
  ])('refusePayment reads no permission for %s', async (_what, where) => {
    expect(await refusePayment(access, where, 'mallory')).toBeUndefined();
  });

  test('refusePayment refuses a deleted author', async () => {
    const deleted = target('pull_request_target', { isFork: true, author: '' });
    expect(await refusePayment(access, deleted, 'olga')).toMatchObject({ reason: 'untrusted-fork' });
  });

  test.each<[started: string, sender: string | undefined, permission: string, refused: boolean]>([
    ['olga', 'mallory', 'write', false],
    ['olga', 'mallory', 'read', true],
    // The triage action re-runs the job by the token of the workflow.
    ['github-actions[bot]', 'olga', 'admin', false],
    ['github-actions[bot]', 'olga', 'read', true],
  ])(
    'refusePayment for a run that %s started, with the sender %s and the permission %s: %s',
    async (started, sender, permission, refused) => {
      github().get(PERMISSION).reply(200, { permission: 'admin' }).get(OWNER).reply(200, { permission });
      const fork = target('pull_request_target', { isFork: true, sender });
      const failure = await refusePayment(access, fork, started);
      expect(failure?.reason).toBe(refused ? 'untrusted-fork' : undefined);
      if (refused) expect(failure?.cause).toContain('olga');
    },
  );

  test.each(['', 'github-actions[bot]'])(
    'refusePayment refuses a run of an unknown account: "%s"',
    async (started) => {
      github().get(PERMISSION).reply(200, { permission: 'admin' });
      const fork = target('pull_request_target', { isFork: true, sender: undefined });
      expect(await refusePayment(access, fork, started)).toMatchObject({
        reason: 'untrusted-fork',
        cause: expect.stringContaining('an unknown account'),
      });
    },
  );

  test.each(['admin', 'write'])(
    'refusePayment lets a fork under pull_request_target pay if its author has the permission %s',
    async (permission) => {
      github().get(PERMISSION).reply(200, { permission });
      expect(await refusePayment(access, FORK, DANA)).toBeUndefined();
    },
  );

  test.each(['read', 'none'])(
    'refusePayment refuses an author with the permission %s, and refers the author to a maintainer',
    async (permission) => {
      github().get(PERMISSION).reply(200, { permission });
      expect(await refusePayment(access, FORK, DANA)).toMatchObject({
        reason: 'untrusted-fork',
        cause: expect.stringContaining('dana'),
        nextStep: expect.stringContaining('maintainer'),
      });
    },
  );

  test('refusePayment refuses a fork if GitHub does not show the permission of the author', async () => {
    github().get(PERMISSION).reply(403, { message: 'Must have push access' });
    const refusal = await refusePayment(access, FORK, DANA);
    expect(refusal).toMatchObject({
      reason: 'untrusted-fork',
      cause: expect.stringMatching(/fork.*author dana.*Must have push access/),
      nextStep: expect.stringContaining('a token whose owner has this access'),
    });

    github().get(PERMISSION).reply(403, { message: 'Resource not accessible by integration' });
    expect(await refusePayment(access, FORK, DANA)).toMatchObject({
      nextStep: expect.stringMatching(/`github-token`.*`metadata: read`/),
    });
  });

  test('refusePayment reports that GitHub denied access if the refusal has no message', async () => {
    github().get(PERMISSION).reply(403);
    expect(await refusePayment(access, FORK, DANA)).toMatchObject({
      cause: expect.stringMatching(/the permission of its author dana: GitHub denied access\.$/),
    });
  });

  test('refusePayment reports a service error if it cannot read the permission because of a rate limit', async () => {
    const limited = { 'x-ratelimit-remaining': '0' };
    github().get(PERMISSION).times(2).reply(403, { message: 'API rate limit exceeded' }, limited);
    expect(await refusePayment(access, FORK, DANA)).toMatchObject({ reason: 'service-error' });
  });

  test('refusePayment reports a service error if the permission of the author cannot be read', async () => {
    github().get(PERMISSION).times(3).reply(503);
    expect(await refusePayment(access, FORK, DANA)).toMatchObject({
      reason: 'service-error',
      cause: expect.stringMatching(
        /^Could not check whether the author of the fork has write access\. Could not read the author's permission/,
      ),
      nextStep: expect.stringContaining('Re-run this job.'),
    });
  });

  test('refusePayment reports that the run was stopped while it read the permission', async () => {
    const stopped = AbortSignal.abort(new Stop('signal'));
    expect(await refusePayment({ ...access, signal: stopped }, FORK, DANA)).toMatchObject({
      reason: 'scan-cancelled',
      cause: expect.stringContaining('before it launched a scan'),
      bySignal: true,
    });
  });
});
