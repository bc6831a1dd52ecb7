import { describe, expect, test } from 'vitest';
import { objectAt } from '../../sandbox/json.ts';
import { mergeGroup } from './branch-events.ts';
import { cancelJob, failing, hanging, refusing } from './effects.ts';
import { endedAs, exits, notScanned, passed, requests, says } from './ends.ts';
import { allowing, BOTH_WAYS, expectNotScanned, expectResult } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { testRuns } from './run-rows.ts';
import { prepare, runScenario, type Scenario } from './scenario.ts';

const fromFork = (headRepository: string | null) => (scenario: Scenario) => ({
  event: {
    name: 'pull_request_target',
    payload: scenario.environment.pullRequestPayload({ headRepository, author: 'mallory' }),
  },
});

describe.each([
  { a: 'a fork', fork: 'mallory/octo-repo' },
  { a: 'a deleted fork', fork: null },
])('$a of a stranger', ({ a, fork }) => {
  test.each(BOTH_WAYS)(
    `a run under pull_request_target does not scan ${a} of a stranger: $way`,
    async ({ allowed }) => {
      const result = await runScenario({ run: fromFork(fork), inputs: allowing('untrusted-fork', allowed) });
      expectNotScanned(result, 'untrusted-fork', {
        allowed,
        launches: 0,
        texts: ['from a fork', 'mallory has no write access', 'Ask a maintainer to review the change'],
      });
      expect(result.environment.service.requests).toEqual([]);
    },
  );
});

test.each(['write', 'admin'] as const)(
  'a pull request from a fork is scanned if its author has %s permission',
  async (permission) => {
    const result = await runScenario({
      run: fromFork('mallory/octo-repo'),
      github: { collaborators: { mallory: permission } },
    });
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings at or above high'],
    });
  },
);

test('a run does not trust a fork if GitHub refuses to show the permission of the author', async () => {
  const payload = ({ environment }: Scenario) => {
    const event = environment.pullRequestPayload({ headRepository: 'mallory/octo-repo', author: 'mallory' });
    return { ...event, pull_request: { ...objectAt(event, 'pull_request'), author_association: 'MEMBER' } };
  };
  const refusal = { status: 403, body: { message: 'Resource not accessible by integration' } };
  const result = await runScenario({
    run: (scenario) => ({ event: { name: 'pull_request_target', payload: payload(scenario) } }),
    github: { intercept: ({ point }) => (point === 'permission' ? refusal : undefined) },
  });
  expectNotScanned(result, 'untrusted-fork', {
    launches: 0,
    texts: ['Resource not accessible by integration', 'metadata: read', 'github-token'],
  });
  expect(result.environment.service.requests).toEqual([]);
});

test('a run launches no scan for a fork if GitHub fails to show the permission of the author', async () => {
  const result = await runScenario({
    run: fromFork('mallory/octo-repo'),
    github: { intercept: ({ point }) => (point === 'permission' ? { status: 500, body: '' } : undefined) },
  });
  expectNotScanned(result, 'service-error', {
    launches: 0,
    texts: ['Could not check whether the author of the fork has write access.', 'Re-run this job.'],
  });
});

test('with `scan-forks: all`, a run scans a fork of a stranger without reading the permission of the author', async () => {
  const result = await runScenario({ run: fromFork('mallory/octo-repo'), inputs: { 'scan-forks': 'all' } });
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 2 findings at or above high'],
  });
  expect(result.environment.github.requests.filter(({ point }) => point === 'permission')).toEqual([]);
});

test('with `scan-forks: none`, a run does not scan a fork, even if the author has write permission', async () => {
  const result = await runScenario({
    run: fromFork('mallory/octo-repo'),
    github: { collaborators: { mallory: 'admin' } },
    inputs: { 'scan-forks': 'none' },
  });
  expectNotScanned(result, 'untrusted-fork', {
    launches: 0,
    texts: ['from a fork', '`scan-forks` is none', 'Ask a maintainer to review the change'],
  });
  expect(result.environment.service.requests).toEqual([]);
});

test('a run with a misspelt `scan-forks` uses no credits', async () => {
  const result = await runScenario({
    run: fromFork('mallory/octo-repo'),
    inputs: { 'scan-forks': 'everybody' },
  });
  expectNotScanned(result, 'configuration', {
    launches: 0,
    texts: ['scan-forks is everybody', 'trusted, all, none'],
  });
});

describe('a fork whose author may write', () => {
  const TRUSTED_FORK = { head: 'vulnerable', github: { collaborators: { mallory: 'write' } } } as const;

  test('a run that a stranger started launches nothing', async () => {
    const result = await runScenario({
      ...TRUSTED_FORK,
      run: (scenario) => ({ ...fromFork('mallory/octo-repo')(scenario), triggeringActor: 'eve' }),
    });
    expectNotScanned(result, 'untrusted-fork', { launches: 0, texts: ['eve', 're-run this job'] });
    expect(result.environment.service.requests).toEqual([]);
  });

  test('a re-run that a stranger started reads the scan that is paid for', async () => {
    const scenario = await prepare(TRUSTED_FORK);
    const run = fromFork('mallory/octo-repo')(scenario);
    const first = await runAgain(scenario, run);
    const before = countOf(scenario, 'github', 'check.list');
    const again = await runAgain(scenario, { ...run, runAttempt: 2, triggeringActor: 'eve' });
    expect(again.run.outputs, again.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': first.run.outputs['scan-id'],
      'scan-reused': 'true',
    });
    expectPaid(scenario, 1);
    expect(countOf(scenario, 'github', 'check.list') - before).toBe(1);
  });

  test('a re-run that a stranger started does not replace a scan that failed', async () => {
    const scenario = await prepare({ ...TRUSTED_FORK, service: { pace: { ending: 'FAILED' } } });
    const run = fromFork('mallory/octo-repo')(scenario);
    await runAgain(scenario, run);
    const again = await runAgain(scenario, { ...run, runAttempt: 2, triggeringActor: 'eve' });
    expect(again.run.outputs, again.run.log).toMatchObject({ reason: 'untrusted-fork' });
    expectPaid(scenario, 1);
  });

  test.each(BOTH_WAYS)(
    'a re-run that a stranger started does not hide a paid scan: $way',
    async ({ allowed }) => {
      let fails = false;
      const unlisted = ({ point }: { readonly point: string }) =>
        fails && point === 'check.list' ? { status: 502, body: '' } : undefined;
      const scenario = await prepare({
        ...TRUSTED_FORK,
        github: { ...TRUSTED_FORK.github, intercept: unlisted },
      });
      const run = fromFork('mallory/octo-repo')(scenario);
      const inputs = { comment: 'never', ...allowing('untrusted-fork', allowed) };
      await runAgain(scenario, run, inputs);
      fails = true;
      const again = await runAgain(scenario, { ...run, runAttempt: 2, triggeringActor: 'eve' }, inputs);
      expect(again.run.exitCode, again.run.log).toBe(1);
      expect(again.run.outputs).toMatchObject({ reason: 'service-error' });
      expectPaid(scenario, 1);
    },
  );

  test('a re-run by the triage action is one of the sender of the event', async () => {
    const scenario = await prepare({ ...TRUSTED_FORK, service: { pace: { ending: 'FAILED' } } });
    const run = fromFork('mallory/octo-repo')(scenario);
    await runAgain(scenario, run);
    await runAgain(scenario, { ...run, runAttempt: 2, triggeringActor: 'github-actions[bot]' });
    expectPaid(scenario, 2);
  });
});

describe('who may have a fork scanned', () => {
  const CLEAN = { head: 'clean', driver: 'in process' } as const;
  interface Started {
    readonly by?: string;
    /** The sender of the event. Default: the author. Null if the payload has none. */
    readonly sender?: string | null;
    readonly author?: string;
  }
  const fork =
    ({ by = 'dana', sender = 'dana', author = 'dana' }: Started = {}) =>
    ({ scenario: { environment } }: OtherJobs) => {
      const { sender: _, ...payload } = environment.pullRequestPayload({
        headRepository: 'dana/octo-repo',
        author,
      });
      const all = sender === null ? payload : { ...payload, sender: { login: sender, type: 'User' } };
      return { event: { name: 'pull_request_target', payload: all }, triggeringActor: by };
    };
  const access = (collaborators: Readonly<Record<string, 'admin' | 'write' | 'read' | 'none'>>) => ({
    github: { collaborators },
  });
  const untrusted = (...texts: readonly string[]) => notScanned('untrusted-fork', { launches: 0, texts });
  const BOT = 'github-actions[bot]';
  testRuns([
    ...(
      [
        ['a branch of the repository itself', 'pull_request_target', {}],
        ['a fork under `pull_request`', 'pull_request', { headRepository: 'dana/octo-repo', author: 'dana' }],
      ] as const
    ).map(([what, eventName, event]) => ({
      name: `a run reads no permission for ${what}`,
      ...CLEAN,
      eventName,
      event,
      ends: [passed, requests('permission', 0)],
    })),
    {
      name: 'a run reads no permission for a merge group',
      ...CLEAN,
      event: ({ scenario }) => ({ ...mergeGroup(scenario), triggeringActor: 'eve' }),
      ends: [passed, requests('permission', 0)],
    },
    ...(
      [
        ['olga', 'eve', 'write', true],
        ['olga', 'eve', 'read', false],
        // The triage action re-runs the job by the token of the workflow.
        [BOT, 'olga', 'admin', true],
        [BOT, 'olga', 'read', false],
      ] as const
    ).map(([by, sender, permission, isScanned]) => ({
      name: `a fork is ${isScanned ? '' : 'not '}scanned if ${by} started the run, the sender is ${sender}, and olga has the permission ${permission}`,
      ...CLEAN,
      ...access({ dana: 'admin', olga: permission }),
      event: fork({ by, sender }),
      ends: isScanned
        ? [passed, requests('permission', 2)]
        : untrusted(
            'olga, which has no write access to this repository, started this run',
            'Ask a maintainer',
          ),
    })),
    {
      name: 'a fork is not scanned if an unknown account started the run',
      ...CLEAN,
      ...access({ dana: 'admin' }),
      event: fork({ by: BOT, sender: null }),
      ends: untrusted('an unknown account'),
    },
    {
      name: 'a fork whose author was deleted is not scanned',
      ...CLEAN,
      ...access({ olga: 'admin' }),
      event: fork({ author: '', by: 'olga' }),
      ends: untrusted('has no write access'),
    },
    {
      name: 'a run reads one permission if the author started it',
      ...CLEAN,
      ...access({ dana: 'write' }),
      event: fork(),
      ends: [passed, requests('permission', 1)],
    },
    ...(['read', 'none'] as const).map((permission) => ({
      name: `a fork is not scanned if its author has the permission ${permission}`,
      ...CLEAN,
      ...access({ dana: permission }),
      event: fork(),
      ends: untrusted('its author dana has no write access', 'Ask a maintainer to review the change'),
    })),
    ...(
      [
        [
          'Must have push access',
          ['its author dana', 'Must have push access', 'a token whose owner has this access'],
        ],
        ['', ['the permission of its author dana: GitHub denied access.']],
      ] as const
    ).map(([message, texts]) => ({
      name: `a fork is not scanned if GitHub refuses to show the permission of its author: "${message}"`,
      ...CLEAN,
      event: fork(),
      at: { permission: refusing(403, message) },
      ends: untrusted(...texts),
    })),
    {
      name: 'a fork is not scanned if GitHub refuses to show the permission of the account that started the run',
      ...CLEAN,
      ...access({ dana: 'write' }),
      event: fork({ by: 'olga' }),
      at: { 'permission 2': refusing(403, 'Must have push access') },
      ends: untrusted('could not read the permission of olga'),
    },
    ...(
      [
        ['a rate limit', refusing(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0' })],
        ['a failure', failing],
      ] as const
    ).map(([what, answer]) => ({
      name: `a run for a fork ends as \`service-error\` after ${what} of GitHub`,
      ...CLEAN,
      event: fork(),
      at: { permission: answer },
      ends: notScanned('service-error', {
        launches: 0,
        texts: ['Could not check whether the author of the fork has write access.'],
      }),
    })),
    {
      name: 'a run for a fork names the account whose permission could not be read',
      ...CLEAN,
      ...access({ dana: 'write' }),
      event: fork({ by: 'olga' }),
      at: { 'permission 2-': failing },
      ends: [endedAs('service-error'), says('Could not check whether the account that started this run')],
    },
    {
      name: 'a run that is cancelled while it reads the permission launches nothing',
      ...CLEAN,
      event: fork(),
      at: { 'permission 1': [cancelJob, hanging] },
      ends: [endedAs('scan-cancelled'), exits(1), says('before it launched a scan')],
    },
  ]);
});
