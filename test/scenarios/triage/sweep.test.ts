import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Interception } from '../../../sandbox/faults/interception.ts';
import type { WorkflowRunSeed } from '../../../sandbox/github/workflow-runs.ts';
import { runAgain } from '../reuse.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import {
  blockedPullRequest,
  comment,
  type During,
  GATE_RUN,
  minutesLater,
  seen,
  sweep,
  triage,
} from './blocked-pull-request.ts';
import { marked } from './forged.ts';

interface Situation {
  readonly options?: ScenarioOptions;
  readonly run?: Partial<WorkflowRunSeed>;
  readonly before: (scenario: Scenario) => unknown;
  readonly during?: During;
  /** What the log says if the job is not re-run. Undefined if the job is re-run. */
  readonly refused?: RegExp;
  readonly exitCode?: 0 | 1;
}

/** The tip of the base branch. The fake GitHub does not look for this commit in the repository. */
const BASE_TIP = 'b'.repeat(40);

const APP = { login: 'github-actions[bot]', type: 'Bot' } as const;

function status(code: number): Interception {
  return { status: code, body: { message: 'Not now.' } };
}

/**
 * Changes the severity or the status of one finding in the service, as a user would. `worst` is the critical finding,
 * and `second` is the high one. No other finding blocks.
 */
function change(
  which: 'worst' | 'second' | 'least',
  how: { readonly resolution?: string; readonly severity?: string },
) {
  return async ({ environment }: Scenario) => {
    const { service } = environment;
    const [scan] = service.scans();
    const url = `${service.baseUrl}/projects/${service.project.id}/findings?scanId=${scan?.id}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${service.token}` } });
    const { items } = v.parse(Findings, await answer.json());
    const bySeverity = items.toSorted((a, b) => order(a.severity) - order(b.severity));
    const finding = bySeverity.at({ worst: 0, second: 1, least: -1 }[which]);
    if (how.resolution !== undefined)
      service.control.triage(finding?.id ?? '', { resolutionStatus: how.resolution });
    if (how.severity !== undefined) service.control.overrideSeverity(finding?.id ?? '', how.severity);
  };
}

const Findings = v.object({ items: v.array(v.object({ id: v.string(), severity: v.string() })) });

function order(severity: string): number {
  return ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'].indexOf(severity);
}

const SITUATIONS: readonly (readonly [what: string, situation: Situation])[] = [
  ['all findings are FALSE_POSITIVE', { before: triage }],
  ['all findings are WONT_FIX', { before: (scenario) => triage(scenario, 'WONT_FIX') }],
  [
    'only the two blocking findings are closed',
    {
      before: async (scenario) => {
        await change('worst', { resolution: 'MITIGATED' })(scenario);
        await change('second', { resolution: 'DUPLICATE' })(scenario);
      },
    },
  ],
  [
    'one of the two blocking findings is closed, and the severity of the other one is lowered',
    {
      before: async (scenario) => {
        await change('second', { severity: 'INFO' })(scenario);
        await change('worst', { resolution: 'MITIGATED' })(scenario);
      },
    },
  ],
  [
    'only one of the two blocking findings is closed',
    {
      before: change('worst', { resolution: 'MITIGATED' }),
      refused: /Of 2 blocking findings, 1 is still open\./,
    },
  ],
  ['nothing is triaged', { before: () => {}, refused: /Of 2 blocking findings, 2 are still open\./ }],
  [
    'all findings are RESOLVED',
    { before: (scenario) => triage(scenario, 'RESOLVED'), refused: /2 are still open/ },
  ],
  [
    'all findings are IN_PROGRESS',
    { before: (scenario) => triage(scenario, 'IN_PROGRESS'), refused: /still open/ },
  ],
  [
    'only a finding that was not reported is closed',
    { before: change('least', { resolution: 'WONT_FIX' }), refused: /2 are still open/ },
  ],
  ['a severity is raised', { before: change('least', { severity: 'HIGH' }), refused: /still open/ }],
  [
    'the gate writes no comment',
    { options: { inputs: { comment: 'never' } }, before: triage, refused: /The sweep needs that comment/ },
  ],
  [
    'the gate ran under `pull_request_target`',
    {
      run: { event: 'pull_request_target', headSha: BASE_TIP },
      before: (scenario) => {
        triage(scenario);
        const { workflowRuns } = scenario.environment.github;
        // The run of another pull request into the same branch.
        const other = { id: GATE_RUN + 1, headSha: BASE_TIP, event: 'pull_request_target' };
        workflowRuns.put({ ...other, status: 'in_progress' });
      },
    },
  ],
  [
    'the gate does not reuse scans',
    { options: { inputs: { 'reuse-scan': 'false' } }, before: triage, refused: /can launch a new scan/ },
  ],
  [
    'the mark of the scan belongs to another pull request',
    {
      before: async (scenario) => {
        triage(scenario);
        await marked({ pullRequest: 8 })(scenario);
      },
      refused: /No check run/,
    },
  ],
  ['the run has had ten attempts', { run: { attempt: 10 }, before: triage, refused: /already ran 10 times/ }],
  ['the run is under way', { run: { status: 'in_progress' }, before: triage, refused: /under way/ }],
  [
    'the head changes during the sweep',
    {
      before: triage,
      during: {
        github: ({ point }, { environment, repository }) => {
          if (point === 'run.jobs') environment.github.setHead(7, repository.id('clean'));
          return undefined;
        },
      },
      refused: /another head commit/,
    },
  ],
  [
    'another author wrote the comment of the gate',
    {
      before: async (scenario) => {
        triage(scenario);
        const { github, repository } = scenario.environment;
        const [own] = github.comments;
        await fetch(`${github.apiUrl}/repos/${repository}/issues/comments/${own?.id}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${github.token}` },
        });
        github.addComment({ author: 'gate-app[bot]', type: 'Bot', body: own?.body ?? '' });
      },
    },
  ],
  [
    'a user re-ran the job, which failed again',
    { run: { attempt: 2, triggeringActor: { login: 'ada', type: 'User' } }, before: triage },
  ],
  [
    'the triage action asked for the newest attempt, which left no new result',
    { run: { attempt: 2, triggeringActor: APP }, before: triage, refused: /already asked/ },
  ],
  [
    'the merge base has changed',
    {
      before: ({ environment, ...scenario }) => {
        triage({ environment, ...scenario });
        environment.github.permissions.contents = 'read';
        environment.github.edit(7, { baseRef: 'older' });
      },
      refused: /merge base of the pull request has changed/,
    },
  ],
  [
    'the merge base is as it was',
    {
      before: (scenario) => {
        triage(scenario);
        scenario.environment.github.permissions.contents = 'read';
      },
    },
  ],
  [
    'GitHub does not compare the commits',
    {
      before: (scenario) => {
        triage(scenario);
        scenario.environment.github.permissions.contents = 'read';
      },
      during: { github: ({ point }) => (point === 'compare' ? status(502) : undefined) },
      refused: /comparison/,
      exitCode: 1,
    },
  ],
  [
    'the service is down',
    { before: triage, during: { service: () => status(503) }, refused: /service/, exitCode: 1 },
  ],
  [
    'GitHub does not re-run the job',
    {
      before: triage,
      during: { github: ({ point }) => (point === 'job.rerun' ? status(403) : undefined) },
      refused: /30 days/,
      exitCode: 1,
    },
  ],
  [
    'GitHub refuses GraphQL requests',
    {
      before: triage,
      during: { github: ({ point }) => (point === 'graphql' ? status(403) : undefined) },
    },
  ],
];

test.each(
  SITUATIONS.map(([what, situation]) => {
    const end = situation.refused === undefined ? 're-runs the job' : 'logs why it re-runs no job';
    return [end, what, situation] as const;
  }),
)('a sweep %s if %s', async (_end, _what, { options, run, before, during, refused, exitCode = 0 }) => {
  const scenario = await blockedPullRequest(options, run, during);
  await before(scenario);
  const ledger = scenario.environment.service.ledger();
  const ended = await sweep(scenario);
  const reruns = refused === undefined ? 1 : 0;
  expect(seen(scenario), ended.log).toEqual({
    attempt: (run?.attempt ?? 1) + reruns,
    reactions: [],
    replies: [],
  });
  expect(ended.outputs).toEqual({ rerun: String(reruns) });
  expect(ended.exitCode, ended.log).toBe(exitCode);
  expect(ended.log).toMatch(refused ?? /re-ran the job `scangate`/);
  expect(scenario.environment.service.ledger()).toEqual(ledger);
});

test('after the re-run of a job has passed, the next sweep does nothing', async () => {
  const scenario = await blockedPullRequest();
  const { github, service } = scenario.environment;
  triage(scenario);
  const ledger = service.ledger();
  await sweep(scenario);
  expect(github.workflowRuns.all[0]).toMatchObject({ id: GATE_RUN, attempt: 2, status: 'queued' });

  const busy = await sweep(scenario);
  expect(busy.log).toContain('A run for this commit is under way.');

  Object.assign(github.permissions, { contents: 'read', checks: 'write' });
  const again = await runAgain(scenario, { runId: GATE_RUN, runAttempt: 2 });
  expect(again.run.outputs).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
  github.workflowRuns.complete(GATE_RUN, 'success');
  expect(service.ledger()).toEqual(ledger);

  const after = await sweep(scenario);
  expect(after.log).toContain('No open pull request has a failed check.');
  expect((await comment(scenario, { createdAt: minutesLater(scenario, 1) })).log).toContain(
    'The job of the gate did not fail.',
  );
});

test('after a blocked re-run, the next sweep re-runs nothing', async () => {
  const scenario = await blockedPullRequest();
  const { github } = scenario.environment;
  await change('second', { resolution: 'WONT_FIX' })(scenario);
  await change('worst', { severity: 'HIGH' })(scenario);
  await sweep(scenario);
  expect(seen(scenario).attempt).toBe(2);
  Object.assign(github.permissions, { contents: 'read', checks: 'write' });
  const again = await runAgain(scenario, { runId: GATE_RUN, runAttempt: 2 });
  expect(again.run.outputs['outcome']).toBe('blocked');
  github.workflowRuns.complete(GATE_RUN, 'failure');
  expect((await sweep(scenario)).log).toContain('Of 1 blocking finding, 1 is still open.');
  expect(seen(scenario).attempt).toBe(2);
});

test('a sweep reads all pull requests in one request if the token may read the commits', async () => {
  const scenario = await blockedPullRequest();
  const { github, service } = scenario.environment;
  github.permissions.contents = 'read';
  github.edit(7, { state: 'closed' });
  const before = { github: github.requests.length, service: service.requests.length };
  const ended = await sweep(scenario);
  expect(ended.log).toContain('No open pull request has a failed check.');
  expect(github.requests.slice(before.github).map(({ point }) => point)).toEqual(['graphql']);
  expect(service.requests).toHaveLength(before.service);
});

test.each([
  ['pull_request', 'does not run on `pull_request`'],
  ['push', 'does not run on `push`'],
])('the triage action fails on the event %s', async (name, why) => {
  const scenario = await blockedPullRequest();
  const { environment } = scenario;
  const ended = await environment.run({
    action: 'triage',
    event: { name, payload: environment.pullRequestPayload() },
  });
  expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
  expect(ended.log).toContain(why);
});

test('the triage action reports all input errors in one run', async () => {
  const scenario = await blockedPullRequest();
  const ended = await sweep(scenario, { 'base-url': 'http://scan.example', 'api-token': '' });
  expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
  expect(ended.log).toMatch(/`base-url` is not valid[\s\S]*`api-token` is empty/);
});

test('after a sweep, the re-run of a fork whose author may write reads the scan that is paid for', async () => {
  const fork = ({ environment }: Scenario) => {
    const payload = environment.pullRequestPayload({ headRepository: 'wanda/octo-repo', author: 'wanda' });
    return { event: { name: 'pull_request_target', payload } };
  };
  const scenario = await blockedPullRequest({ run: fork }, { event: 'pull_request_target' });
  const { github, service } = scenario.environment;
  const ledger = service.ledger();
  triage(scenario);
  await sweep(scenario);
  expect(seen(scenario).attempt).toBe(2);
  Object.assign(github.permissions, { contents: 'read', checks: 'write' });
  const rerun = { ...fork(scenario), runId: GATE_RUN, runAttempt: 2, triggeringActor: APP.login };
  const again = await runAgain(scenario, rerun);
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'true' });
  expect(service.ledger()).toEqual(ledger);
});
