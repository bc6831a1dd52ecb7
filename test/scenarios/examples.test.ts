import { describe, expect, test } from 'vitest';
import { EXAMPLES, evaluate, readExample } from '../project/examples.ts';
import { mergeGroup } from './branch-events.ts';
import { declareBlocks, expectBlock } from './golden.ts';
import { expectPaid } from './reuse.ts';
import {
  byHand,
  fileOf,
  fromFork,
  fromStranger,
  type JobRun,
  labeled,
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

type Case = readonly [
  file: string,
  event: keyof typeof EVENTS,
  options?: Pick<ScenarioOptions, 'head' | 'github' | 'baseRef'>,
];
const EVENTS = {
  'a pull request': pullRequest,
  'a pull request whose base branch was changed': rebased,
  'a draft': pullRequestWith({ draft: true }),
  'a re-run for a draft': (scenario) => ({ ...pullRequestWith({ draft: true })(scenario), runAttempt: 2 }),
  'a draft that is ready now': pullRequestWith({ action: 'ready_for_review' }),
  'a re-run for a pull request': () => ({ runAttempt: 2 }),
  'a pull request of Dependabot': pullRequestWith({ author: 'dependabot[bot]' }),
  'a push by a user to a pull request of Dependabot': sentBy('octocat'),
  'a pull request that Dependabot reopened': sentBy('dependabot[bot]', 'reopened'),
  'a label that asks for a scan': labeled('scan'),
  'another label': labeled('bug'),
  'a merge group': (scenario) => mergeGroup(scenario),
  'a push': pushed,
  'a schedule': scheduled,
  'a run by hand': byHand,
  'a fork of a trusted author': fromFork,
  'a fork of a stranger': fromStranger,
} satisfies Readonly<Record<string, (scenario: Scenario) => Run>>;

/** The golden text has the conclusions of the jobs, what the gate says, and what the steps after it get. */
const CASES: readonly Case[] = [
  ['quick-start', 'a pull request'],
  ['merge-queue', 'a pull request'],
  ['merge-queue', 'a merge group', { head: 'clean' }],
  ['branches-and-queue', 'a pull request'],
  ['branches-and-queue', 'a pull request whose base branch was changed'],
  ['branches-and-queue', 'a merge group', { head: 'clean' }],
  ['code-scanning', 'a pull request'],
  ['code-scanning', 'a merge group'],
  ['branch', 'a push'],
  ['branch', 'a schedule'],
  ['code-scanning-branch', 'a push'],
  ['code-scanning-branch', 'a schedule'],
  ['forks', 'a fork of a trusted author', { github: { collaborators: { mona: 'write' } } }],
  ['forks', 'a fork of a stranger'],
  ['forks-approval', 'a fork of a stranger'],
  ['monorepo', 'a pull request'],
  ['paths', 'a pull request'],
  ['paths', 'a pull request', { head: 'documents' }],
  ['guidance', 'a pull request', { head: 'guided change', baseRef: 'guided' }],
  ['full-scan', 'a schedule'],
  ['full-scan', 'a run by hand'],
  ['rolling-issue', 'a schedule'],
  ['organization', 'a pull request'],
  ['organization', 'a merge group', { head: 'clean' }],
  ['quiet-period', 'a pull request'],
  ['quiet-period', 'a re-run for a pull request', { head: 'clean' }],
  ['drafts', 'a pull request'],
  ['drafts', 'a draft'],
  ['drafts', 'a re-run for a draft'],
  ['drafts', 'a draft that is ready now', { head: 'clean' }],
  ['label', 'a pull request'],
  ['label', 'another label'],
  ['label', 'a label that asks for a scan'],
  ['merge-queue-once', 'a pull request'],
  ['merge-queue-once', 'a merge group'],
  ['lockfiles', 'a pull request'],
  ['lockfiles', 'a pull request', { head: 'lockfile' }],
  ['lockfiles', 'a merge group', { head: 'lockfile' }],
  ['lockfiles', 'a push by a user to a pull request of Dependabot', { head: 'lockfile' }],
  ['lockfiles', 'a pull request that Dependabot reopened', { head: 'lockfile' }],
  ['lockfiles', 'a pull request of Dependabot', { head: 'lockfile' }],
  ['lockfiles', 'a pull request of Dependabot'],
  ['chat-message', 'a pull request'],
  ['chat-message', 'a pull request', { head: 'clean' }],
  ['chat-blocked', 'a pull request'],
  ['chat-blocked', 'a pull request', { head: 'clean' }],
];
const ROWS = CASES.map(([file, event, options = {}]) => ({
  name: `${file}.yml, ${event}${options.head === undefined ? '' : ` (${options.head})`}`,
  file,
  event,
  options,
}));

/** A pull request of Dependabot whose event this account caused. */
function sentBy(login: string, action = 'synchronize') {
  return ({ environment }: Scenario): Run => {
    const payload = environment.pullRequestPayload({ author: 'dependabot[bot]', action });
    return { event: { name: 'pull_request', payload: { ...payload, sender: { login } } } };
  };
}

/** The jobs and the steps after the gate, without what differs from run to run. */
function shown(jobs: readonly JobRun[], { headSha, environment: { github, service } }: Scenario): string {
  const lines = jobs.flatMap(({ name, conclusion, run, before, after }) => {
    const { outcome, reason, ...outputs } = run?.outputs ?? {};
    const reused = outputs['scan-reused'] === 'true' ? ', reused' : '';
    const gate = [
      `, ${outcome} ${reason}`.trimEnd(),
      outputs['scan-kind'] === 'full' ? ', full scan' : '',
      reused,
    ];
    return [
      `${name}: ${conclusion}${run === undefined ? '' : gate.join('')}`,
      ...(outputs['findings-total']
        ? [`  findings ${outputs['findings-total']}, blocking ${outputs['findings-blocking']}`]
        : []),
      ...(run?.log.match(/^##\[warning\].*$/gm) ?? []),
      ...(before === '' ? [] : [`  before: ${before.trim()}`]),
      ...after.map((step) => `  then: ${JSON.stringify({ ...step.env, ...step.with })}`),
    ];
  });
  return lines
    .join('\n')
    .replaceAll(headSha, 'HEAD')
    .replaceAll(github.origin, 'http://GITHUB')
    .replaceAll(service.origin, 'http://SERVICE')
    .replaceAll(/\/[^\s"]+\/([\w-]+\.(?:sarif|json))/g, '$1')
    .replaceAll(/"PASSWORD":"[^"]{8,}"/g, '"PASSWORD":"…"')
    .replaceAll(/\/public\/scans\/[\w-]+/g, '/public/scans/PAGE');
}

declareBlocks('examples', ROWS);

describe('the examples', () => {
  test.each(ROWS)('the example $name, run unchanged, has the documented result', async (row) => {
    const mergeQueues = { main: { rules: ['ALLGREEN'], mergingStrategy: 'ALLGREEN' } } as const;
    const { options } = row;
    const scenario = await prepare({ ...options, github: { mergeQueues, ...options.github } });
    const jobs = await runJobs(readExample(fileOf(row.file)), scenario, EVENTS[row.event](scenario));
    const { service } = scenario.environment;
    expect(service.ledger().reserved).toBe(0);
    expectBlock('examples', row.name, `${shown(jobs, scenario)}\nscans: ${service.scans().length}`);
  });

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
});
