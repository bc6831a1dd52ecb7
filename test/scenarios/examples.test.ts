import { describe, expect, test } from 'vitest';
import { EXAMPLES, evaluate, readExample } from '../project/examples.ts';
import { expectPaid } from './reuse.ts';
import {
  byHand,
  fileOf,
  fromFork,
  fromStranger,
  labeled,
  mergeGroup,
  type Outputs,
  pullRequest,
  pullRequestWith,
  pushed,
  type Run,
  rebased,
  runJobs,
  scheduled,
} from './run-example.ts';
import { prepare, type Scenario, type ScenarioOptions } from './scenario.ts';
import { asBlocked, minutesLater, seen, triage, writeComment } from './triage/blocked-pull-request.ts';

interface Case extends Pick<ScenarioOptions, 'head' | 'github' | 'baseRef'> {
  readonly event: (scenario: Scenario) => Run;
  /** The expected outputs of the last job's run. */
  readonly outputs: Outputs;
  readonly launches?: number;
}

const CASES: readonly (readonly [file: string, what: string, expected: Case])[] = [
  [
    'quick-start',
    'a pull request',
    { event: pullRequest, outputs: { outcome: 'passed', 'findings-reported': '3' } },
  ],
  [
    'merge-queue',
    'a pull request',
    { event: pullRequest, outputs: { outcome: 'blocked', 'findings-blocking': '2' } },
  ],
  ['merge-queue', 'a merge group', { event: mergeGroup, head: 'clean', outputs: { outcome: 'passed' } }],
  ['branches-and-queue', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
  [
    'branches-and-queue',
    'a pull request whose base branch was changed',
    { event: rebased, outputs: { outcome: 'blocked' } },
  ],
  [
    'branches-and-queue',
    'a merge group',
    { event: mergeGroup, head: 'clean', outputs: { outcome: 'passed' } },
  ],
  ['code-scanning', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
  ['code-scanning', 'a merge group', { event: mergeGroup, outputs: { outcome: 'blocked' } }],
  ['branch', 'a push', { event: pushed, outputs: { outcome: 'passed', 'scan-kind': 'diff' } }],
  ['branch', 'a schedule', { event: scheduled, outputs: { outcome: 'passed', 'scan-kind': 'full' } }],
  ['code-scanning-branch', 'a push', { event: pushed, outputs: { outcome: 'passed', 'sarif-file': '' } }],
  [
    'code-scanning-branch',
    'a schedule',
    { event: scheduled, outputs: { outcome: 'passed', 'scan-kind': 'full' } },
  ],
  [
    'forks',
    'a fork of a trusted author',
    { event: fromFork, github: { collaborators: { mona: 'write' } }, outputs: { outcome: 'blocked' } },
  ],
  [
    'forks',
    'a fork of a stranger',
    { event: fromStranger, outputs: { outcome: 'not-scanned', reason: 'untrusted-fork' }, launches: 0 },
  ],
  ['forks-approval', 'a fork of a stranger', { event: fromStranger, outputs: { outcome: 'blocked' } }],
  [
    'monorepo',
    'a pull request',
    { event: pullRequest, outputs: { outcome: 'blocked', 'scan-reused': 'true' } },
  ],
  [
    'paths',
    'a pull request',
    { event: pullRequest, outputs: { outcome: 'blocked', 'findings-blocking': '2' } },
  ],
  [
    'paths',
    'a pull request of documents',
    {
      event: pullRequest,
      head: 'documents',
      outputs: { outcome: 'not-scanned', reason: 'paths' },
      launches: 0,
    },
  ],
  [
    'guidance',
    'a pull request',
    { event: pullRequest, head: 'guided change', baseRef: 'guided', outputs: { outcome: 'blocked' } },
  ],
  ['full-scan', 'a schedule', { event: scheduled, outputs: { outcome: 'passed', 'scan-kind': 'full' } }],
  ['full-scan', 'a run by hand', { event: byHand, outputs: { outcome: 'passed', 'scan-kind': 'full' } }],
  ['rolling-issue', 'a schedule', { event: scheduled, outputs: { outcome: 'passed', 'scan-kind': 'full' } }],
  ['organization', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
  ['organization', 'a merge group', { event: mergeGroup, head: 'clean', outputs: { outcome: 'passed' } }],
  [
    'quiet-period',
    'a pull request',
    { event: pullRequest, outputs: { outcome: 'blocked', 'findings-blocking': '2' } },
  ],
  ['drafts', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
  [
    'drafts',
    'a draft that is ready now',
    { event: pullRequestWith({ action: 'ready_for_review' }), outputs: { outcome: 'blocked' } },
  ],
  ['label', 'a label that asks for a scan', { event: labeled('scan'), outputs: { outcome: 'blocked' } }],
  ['merge-queue-once', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
  ['lockfiles', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
  [
    'lockfiles',
    'a lockfile that Dependabot changed',
    {
      event: pullRequestWith({ author: 'dependabot[bot]' }),
      head: 'lockfile',
      outputs: { outcome: 'not-scanned', reason: 'paths' },
      launches: 0,
    },
  ],
  ['chat-message', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
  ['chat-blocked', 'a pull request', { event: pullRequest, outputs: { outcome: 'blocked' } }],
];

describe('the examples', () => {
  test.each(CASES)(
    'the example %s.yml, run unchanged, has the documented result for %s',
    async (name, _what, { event, outputs, launches = 1, ...options }) => {
      const mergeQueues = { main: { rules: ['ALLGREEN'], mergingStrategy: 'ALLGREEN' } } as const;
      const scenario = await prepare({ ...options, github: { mergeQueues, ...options.github } });
      const jobs = await runJobs(readExample(fileOf(name)), scenario, event(scenario));
      const last = jobs.at(-1)?.run;
      expect(last?.outputs, last?.log).toMatchObject(outputs);
      expectPaid(scenario, launches);
      // The granted permissions are enough: there is no warning.
      for (const { run } of jobs) expect(run?.log).not.toContain('##[warning]');
    },
  );

  test('the table of cases contains all examples except five', () => {
    const untested = EXAMPLES.filter((file) => !CASES.some(([name]) => fileOf(name) === file));
    expect(untested).toEqual(
      ['doctor', 'own-runners', 'rerun-unscanned', 'triage-recheck', 'triage'].map(fileOf),
    );
  });

  test('the example of the doctor grants all permissions that the doctor needs', async () => {
    const scenario = await prepare({});
    const [doctor] = await runJobs(readExample(fileOf('doctor')), scenario, byHand(scenario));
    expect(doctor?.run?.log).not.toMatch(/denied access|Could not/);
    expect(doctor?.run?.log).toMatch(/✓ +Check runs/);
  });

  test.each(['triage', 'triage-recheck'])(
    'the example %s.yml grants all permissions that a re-run of the job needs',
    async (name) => {
      const scenario = await prepare({});
      await runJobs(readExample(fileOf('merge-queue')), scenario, {});
      asBlocked(scenario);
      triage(scenario);
      const [job] = await runJobs(readExample(fileOf(name)), scenario, scheduled(scenario));
      expect(job?.run?.outputs, job?.run?.log).toEqual({ rerun: '1' });
      expect(job?.run?.log).not.toContain('##[warning]');
      expectPaid(scenario, 1);
    },
  );

  describe('the triage action', () => {
    const tokens = [{}, { scopes: ['read', 'findings:write'] }] as const;

    async function run(event: (scenario: Scenario) => Run) {
      const scenario = await prepare({ service: { tokens }, github: { collaborators: { wanda: 'write' } } });
      await runJobs(readExample(fileOf('merge-queue')), scenario, {});
      asBlocked(scenario);
      const [job] = await runJobs(readExample(fileOf('triage')), scenario, event(scenario));
      return { job, scenario };
    }

    /** The event of a comment that a user writes two minutes after the result of the gate. */
    const commented = (body: (labels: string) => string) => (scenario: Scenario) => {
      const ids = scenario.environment.service.scans()[0]?.findingIds ?? [];
      const labels = ids.map((id) => `ZK-${id.slice(-8)}`).join(' ');
      const createdAt = minutesLater(scenario, 2);
      return { event: writeComment(scenario, { body: body(labels), createdAt }) };
    };

    test('the example of the triage action closes the findings that a comment names, and re-runs the job', async () => {
      const { job, scenario } = await run(commented((labels) => `/scangate false-positive ${labels}`));
      expect(job?.run?.outputs, job?.run?.log).toEqual({ rerun: '1' });
      expect(job?.run?.log).not.toContain('##[warning]');
      expect(seen(scenario)).toMatchObject({ attempt: 2, reactions: ['+1'] });
      expect(seen(scenario).replies).toHaveLength(1);
      expectPaid(scenario, 1);
    });

    test.each([
      ['a comment without a command', commented(() => 'Is this scanned by Scangate?')],
      [
        'a command on an issue',
        (scenario: Scenario) => ({
          event: writeComment(scenario, { body: '/scangate recheck', onIssue: true }),
        }),
      ],
    ])('the example of the triage action starts no runner for %s', async (_what, event) => {
      expect((await run(event)).job?.conclusion).toBe('skipped');
    });

    test.each([
      ['a schedule', scheduled],
      ['a run by hand', byHand],
    ])('the example of the triage action does not change findings on %s', async (_what, event) => {
      const { job, scenario } = await run(event);
      expect(job?.run?.outputs, job?.run?.log).toEqual({ rerun: '0' });
      expect(job?.run?.log).not.toContain('##[warning]');
      expect(job?.run?.log).toContain('still open');
      expect(scenario.environment.service.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
    });
  });

  test('the examples for code scanning upload a SARIF file, except for a push', async () => {
    const uploads = async (name: string, event: (scenario: Scenario) => Run) => {
      const scenario = await prepare({});
      const [job] = await runJobs(readExample(fileOf(name)), scenario, event(scenario));
      return job?.after.map(({ with: given }) => [
        given['sarif_file']?.endsWith('/scangate.sarif'),
        given['ref'],
      ]);
    };
    expect(await uploads('code-scanning', pullRequest)).toEqual([[true, 'refs/pull/7/head']]);
    expect(await uploads('code-scanning-branch', scheduled)).toEqual([[true, undefined]]);
    expect(await uploads('code-scanning-branch', pushed)).toEqual([]);
    expect(await uploads('full-scan', scheduled)).toEqual([[true, undefined]]);
  });

  test('the example chat-message.yml sends the page and the password if there are findings', async () => {
    const messages = async (head: 'vulnerable' | 'clean') => {
      const scenario = await prepare({ head });
      const [job] = await runJobs(readExample(fileOf('chat-message')), scenario, {});
      return job?.after.map(({ env }) => env);
    };
    expect(await messages('vulnerable')).toEqual([
      {
        PAGE: expect.stringMatching(/^http/),
        PASSWORD: expect.stringMatching(/.{8}/),
        WEBHOOK: 'https://chat',
      },
    ]);
    expect(await messages('clean')).toEqual([]);
  });

  test('the example chat-blocked.yml sends counts and a link if the pull request is blocked', async () => {
    const messages = async (head: 'vulnerable' | 'clean') => {
      const scenario = await prepare({ head });
      const [job] = await runJobs(readExample(fileOf('chat-blocked')), scenario, {});
      return job?.after.map(({ env }) => env);
    };
    expect(await messages('vulnerable')).toEqual([
      {
        BLOCKING: '2',
        HIGHEST: expect.stringMatching(/^(?:CRITICAL|HIGH)$/),
        PAGE: expect.stringMatching(/^http/),
        WEBHOOK: 'https://chat',
      },
    ]);
    expect(await messages('clean')).toEqual([]);
  });

  test('the example label.yml fails a pull request without the label, before it costs a credit', async () => {
    const scenario = await prepare({});
    for (const event of [pullRequest, labeled('bug')]) {
      const [job] = await runJobs(readExample(fileOf('label')), scenario, event(scenario));
      expect(job).toMatchObject({ conclusion: 'failure', run: undefined });
      expect(job?.before).toContain('add the label');
    }
    expectPaid(scenario, 0);
  });

  test('in the example forks-approval.yml, only the scan of a fork waits for the reviewers of an environment', () => {
    const { environment = '' } = readExample(fileOf('forks-approval')).jobs['scangate'] ?? {};
    const environmentOf = (repo: { readonly full_name: string } | null) =>
      evaluate(environment, {
        github: { repository: 'octo-org/octo-repo', event: { pull_request: { head: { repo } } } },
      });
    expect(environmentOf({ full_name: 'mallory/octo-repo' })).toBe('scan-forks');
    expect(environmentOf({ full_name: 'octo-org/octo-repo' })).toBe('');
    // GitHub shows no repository for a fork that was deleted.
    expect(environmentOf(null)).toBe('scan-forks');
  });

  test('in the example monorepo.yml, only the job whose folder has the findings fails', async () => {
    const scenario = await prepare({});
    const jobs = await runJobs(readExample(fileOf('monorepo')), scenario, {});
    expect(
      jobs.map(({ name, run }) => [name, run?.outputs['outcome'], run?.outputs['credits-reserved']]),
    ).toEqual([
      ['scangate', 'passed', expect.stringMatching(/^[1-9]/)],
      ['payments', 'passed', '0'],
      ['everything-else', 'blocked', '0'],
    ]);
  });
});
