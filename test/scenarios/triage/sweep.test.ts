import { expect } from 'vitest';
import type { WorkflowRunSeed } from '../../../sandbox/github/workflow-runs.ts';
import { failing, forbidden, refusing, refusingAs } from '../effects.ts';
import type { Head } from '../repository.ts';
import { runAgain } from '../reuse.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import { asBlocked, GATE_RUN, sweep } from './blocked-pull-request.ts';
import { marked } from './forged.ts';
import {
  type Act,
  change,
  gateRuns,
  type Step,
  SWEEP,
  type TriageRow,
  testTriage,
  triaged,
  write,
} from './triage-rows.ts';

/** The tip of the base branch. The fake GitHub does not look for this commit in the repository. */
const BASE_TIP = 'b'.repeat(40);
const APP = { login: 'github-actions[bot]', type: 'Bot' } as const;
const CRITICAL = 2;
const HIGH = 3;
const LOW = 4;

/** A sweep after a change, by default after all findings were closed. */
const row = (what: string, ...[first = triaged(), ...more]: readonly Step[]): TriageRow => ({
  name: `a sweep ${what}`,
  steps: [first, ...more, SWEEP],
});
const ofRun = (what: string, run: Partial<WorkflowRunSeed>, ...steps: readonly Step[]): TriageRow => ({
  ...row(what, ...steps),
  run,
});
const at = (what: string, timeline: NonNullable<TriageRow['at']>, ...steps: readonly Step[]): TriageRow => ({
  ...row(what, ...steps),
  at: timeline,
});

const severity = (nth: number, to: string): Step =>
  change(({ environment: { service } }) =>
    service.control.overrideSeverity(service.scans()[0]?.findingIds[nth - 1] ?? '', to),
  );
/** The token of the triage action may read the commits. */
const readsCommits: Step = change(({ environment: { github } }) => {
  github.permissions.contents = 'read';
});
/** The event of a fork whose author may write. */
const ofFork = ({ environment }: Scenario) => {
  const payload = environment.pullRequestPayload({ headRepository: 'wanda/octo-repo', author: 'wanda' });
  return { event: { name: 'pull_request_target', payload } };
};
const push: Act = ({ scenario: { environment, repository } }) =>
  void environment.github.setHead(7, repository.id('clean'));
/** Replaces the comment of the gate by the same comment of another app. */
const writtenByOtherApp: Step = change(async ({ environment: { github, repository } }) => {
  const [own] = github.comments;
  await fetch(`${github.apiUrl}/repos/${repository}/issues/comments/${own?.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${github.token}` },
  });
  github.addComment({ author: 'gate-app[bot]', type: 'Bot', body: own?.body ?? '' });
});

testTriage('sweep', [
  // The findings.
  row('re-runs the job if all findings are closed'),
  row('re-runs the job if the two blocking findings are closed', triaged('DUPLICATE', [CRITICAL, HIGH])),
  row(
    're-runs the job if one blocking finding is closed, and the severity of the other one is lowered',
    triaged('MITIGATED', [CRITICAL]),
    severity(HIGH, 'INFO'),
  ),
  row('waits if one blocking finding is open', triaged('MITIGATED', [CRITICAL])),
  row('waits if nothing is triaged', triaged('NOT_STARTED')),
  row('waits if all findings are RESOLVED', triaged('RESOLVED')),
  row('waits if only a finding that was not reported is closed', triaged('WONT_FIX', [LOW])),
  row('waits if a severity is raised', severity(LOW, 'HIGH')),

  // The run and the mark of the gate.
  { ...row('needs the comment of the gate'), gate: { inputs: { comment: 'never' } } },
  row('reads a comment that another app wrote for the gate', triaged(), writtenByOtherApp),
  ofRun(
    're-runs the job of a fork, beside a run for the same base branch',
    { event: 'pull_request_target', headSha: BASE_TIP },
    triaged(),
    change(({ environment }) => {
      const other = { id: GATE_RUN + 1, headSha: BASE_TIP, event: 'pull_request_target' };
      environment.github.workflowRuns.put({ ...other, status: 'in_progress' });
    }),
  ),
  { ...row('does not re-run a gate that does not reuse scans'), gate: { inputs: { 'reuse-scan': 'false' } } },
  row('ignores the mark of another pull request', triaged(), change(marked({ pullRequest: 8 }))),
  ofRun('does not re-run the tenth attempt', { attempt: 10 }),
  ofRun('waits while the run is under way', { status: 'in_progress' }),
  ofRun('asks again after a user re-ran the job', {
    attempt: 2,
    triggeringActor: { login: 'ada', type: 'User' },
  }),
  ofRun('does not ask twice for the same result', { attempt: 2, triggeringActor: APP }),

  // The pull request.
  at('does not re-run the job if the head changes meanwhile', { 'run.jobs': push }),
  row(
    'does not re-run the job if the merge base has changed',
    triaged(),
    readsCommits,
    change(({ environment }) => environment.github.edit(7, { baseRef: 'older' })),
  ),
  row('re-runs the job if the merge base is as it was', triaged(), readsCommits),
  row(
    'asks GitHub once if no pull request is open, and the token may read the commits',
    readsCommits,
    change(({ environment }) => environment.github.edit(7, { state: 'closed' })),
  ),

  // Failures.
  at('fails if GitHub does not compare the commits', { compare: failing }, triaged(), readsCommits),
  at('fails if the service is down', { token: refusingAs(503, 'unavailable') }),
  at('fails if GitHub does not re-run the job', { 'job.rerun': forbidden }),
  at('reads by REST if GitHub refuses GraphQL requests', { graphql: refusing(403) }),

  // Later sweeps.
  {
    name: 'after a re-run that passed, a sweep and a recheck do nothing',
    steps: [triaged(), SWEEP, SWEEP, gateRuns(2), readsCommits, SWEEP, write('/scangate recheck')],
  },
  {
    name: 'after a re-run that is still blocked, a sweep waits',
    steps: [triaged('WONT_FIX', [HIGH]), severity(CRITICAL, 'HIGH'), SWEEP, gateRuns(2), SWEEP],
  },
  ...(
    [
      ['had no API token', gateRuns(2, { 'api-token': '' })],
      ['had a wrong preset', gateRuns(2, { preset: 'gone-diff' })],
      [
        'ended before the gate ran',
        change(({ environment }) => environment.github.workflowRuns.complete(GATE_RUN, 'failure')),
      ],
    ] as const
  ).map(
    ([what, ends]): TriageRow => ({
      name: `after a re-run that ${what}, a sweep requests no other re-run`,
      steps: [triaged(), SWEEP, ends, SWEEP],
    }),
  ),
  {
    name: 'after a re-run that met a reopened finding, a sweep requests no other re-run',
    steps: [triaged(), SWEEP, triaged('NOT_STARTED'), gateRuns(2), triaged(), SWEEP],
  },
  {
    name: 'after a user has re-run the job, a sweep asks again',
    steps: [
      triaged(),
      SWEEP,
      gateRuns(2, { preset: 'gone-diff' }),
      change(({ environment: { github } }) =>
        github.workflowRuns.rerun(github.workflowRuns.all[0]?.jobs[0]?.id ?? 0),
      ),
      gateRuns(3, { preset: 'gone-diff' }),
      SWEEP,
    ],
  },
  {
    name: 'after a command whose re-run left a new result, a sweep asks again',
    steps: [
      triaged('WONT_FIX', [HIGH]),
      write('/scangate recheck'),
      gateRuns(2),
      triaged(),
      SWEEP,
      gateRuns(3),
    ],
  },
  {
    name: 'after a sweep, the re-run of a fork whose author may write reads the scan that is paid for',
    gate: { run: ofFork },
    run: { event: 'pull_request_target' },
    steps: [
      triaged(),
      SWEEP,
      gateRuns(2, {}, (scenario) => ({ ...ofFork(scenario), triggeringActor: APP.login })),
    ],
  },
  {
    name: 'the triage action fails on the event push',
    steps: [
      ({ environment }) =>
        environment.run({
          action: 'triage',
          event: { name: 'push', payload: environment.pullRequestPayload() },
        }),
    ],
  },
  {
    name: 'a re-run that a sweep asked for scans anew if the workflow changed since, as one by hand does',
    steps: [triaged(), SWEEP, gateRuns(2, { 'credit-budget': '30' })],
    launches: 2,
  },
]);

/** Runs the gate on pull request 8 too, makes its job fail, and closes all findings. */
const gateRunsOn8 = (head: Head): readonly Step[] => [
  change(async (scenario) => {
    const { environment, repository } = scenario;
    const sha = repository.id(head);
    const granted = { ...environment.github.permissions };
    Object.assign(environment.github.permissions, { contents: 'read', checks: 'write' });
    const payload = environment.pullRequestPayload({ number: 8, headSha: sha });
    await runAgain(scenario, { event: { name: 'pull_request', payload }, runId: 9_000_000_008, sha });
    Object.assign(environment.github.permissions, granted);
    asBlocked(scenario, { id: 9_000_000_008, headSha: sha });
    const { service } = environment;
    for (const id of service.scans().flatMap(({ findingIds }) => findingIds))
      service.control.triage(id, { resolutionStatus: 'WONT_FIX' });
  }),
];
/** The number of requests of this kind to the service during the sweep. */
const sweepCounting =
  (point: string): Step =>
  async (scenario) => {
    const { service } = scenario.environment;
    const before = service.requests.length;
    const ended = await sweep(scenario);
    expect(service.requests.slice(before).filter((one) => one.point === point)).toHaveLength(1);
    return ended;
  };
/** GitHub does not list the check runs of pull request 8. */
const failsFor8: Act = ({ scenario: { repository } }, { path }) =>
  path.includes(repository.id('clean')) ? failing : undefined;

// A sweep starts at a random pull request. With this driver, its random numbers come from a seed.
const IN_PROCESS: ScenarioOptions = { driver: 'in process' };

testTriage('sweep-many', [
  {
    ...at('continues with the next pull request after a lasting error', { 'check.list': failsFor8 }),
    gate: IN_PROCESS,
    others: { 8: 'clean' },
  },
  {
    ...at('ends after three lasting errors in a row', { 'check.list': failing }),
    gate: IN_PROCESS,
    others: { 8: 'clean', 9: 'clean', 10: 'clean', 11: 'clean' },
  },
  {
    name: 'a sweep asks once for the project of the token',
    gate: IN_PROCESS,
    others: { 8: 'amended' },
    steps: [...gateRunsOn8('amended'), sweepCounting('token')],
    launches: 2,
  },
  {
    name: 'a sweep asks again for the project of the token if an earlier request for it failed',
    gate: IN_PROCESS,
    others: { 8: 'amended' },
    at: { 'token 2-5': refusing(503) },
    steps: [...gateRunsOn8('amended'), SWEEP],
    launches: 2,
  },
  {
    name: 'a sweep reads no findings of a scan if none of them blocked',
    gate: IN_PROCESS,
    others: { 8: 'medium' },
    steps: [...gateRunsOn8('medium'), sweepCounting('findings.list')],
    launches: 2,
  },
  {
    name: 'if each sweep ends early, several sweeps still reach all pull requests',
    gate: IN_PROCESS,
    others: { 8: 'clean', 9: 'clean', 10: 'clean', 11: 'clean', 12: 'clean', 13: 'clean' },
    at: { 'check.list': forbidden },
    steps: [
      change(async (scenario) => {
        const lookedAt = new Set<string>();
        for (let count = 0; count < 20; count += 1) {
          const { log } = await sweep(scenario);
          for (const [number] of log.matchAll(/#\d+(?=: not re-run)/g)) lookedAt.add(number);
        }
        expect([...lookedAt].toSorted()).toEqual(['#10', '#11', '#12', '#13', '#7', '#8', '#9']);
      }),
    ],
  },
]);
