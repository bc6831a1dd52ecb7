import { isObject } from '../../../sandbox/json.ts';
import { forbidden, refusing, refusingAs, showing, showingInstead } from '../effects.ts';
import type { Scenario } from '../scenario.ts';
import { type CommentChanges, minutesLater } from './blocked-pull-request.ts';
import { addCheckRun, forged, marked } from './forged.ts';
import { type Act, change, type TriageRow, testTriage, triaged, write } from './triage-rows.ts';

const RECHECK = write('/scangate recheck');
/** The command in a comment with these changes. */
const recheck = (changes: CommentChanges) => write('/scangate recheck', changes);
/** The command, after a change of the marks or of GitHub. */
const after = (act: (scenario: Scenario) => unknown) => [change(act), RECHECK];

const close: Act = ({ scenario: { environment } }) => void environment.github.edit(7, { state: 'closed' });
const push: Act = ({ scenario: { environment, repository } }) =>
  void environment.github.setHead(7, repository.id('clean'));
/** Re-runs the job just before the action does. */
const sweepFirst: Act = ({ scenario: { environment } }) => {
  const { workflowRuns } = environment.github;
  workflowRuns.rerun(workflowRuns.all[0]?.jobs[0]?.id ?? 0);
};
const scanAs = (word: string) => showing([/"status":"COMPLETED"/, `"status":"${word}"`]);
const otherRunOfHead = (workflowId: number) =>
  after(({ environment, headSha }) =>
    environment.github.workflowRuns.put({ id: 42, workflowId, headSha, status: 'queued' }),
  );
const TWO_JOBS = {
  jobs: [
    ['test', 'failure'],
    ['scangate', 'failure'],
  ],
} as const;

testTriage('recheck', [
  // The comment.
  { name: 'a recheck re-runs the job, although nothing is triaged', steps: [RECHECK] },
  { name: 'a recheck after triage re-runs the job', steps: [triaged(), RECHECK] },
  { name: 'a recheck with more text on its line is refused', steps: [write('/scangate recheck --force')] },
  { name: 'a quoted recheck is ignored', steps: [write('> /scangate recheck')] },
  { name: 'a recheck on an issue is ignored', steps: [recheck({ onIssue: true })] },
  {
    name: 'a recheck that is older than the run is refused',
    steps: [recheck({ createdAt: new Date(0) })],
  },
  {
    name: 'a re-run of the triage workflow does not reply to a recheck of the day before',
    steps: [(scenario) => recheck({ createdAt: minutesLater(scenario, -24 * 60), runAttempt: 2 })(scenario)],
  },

  // The pull request.
  { name: 'a recheck re-runs the job of a fork', run: { event: 'pull_request_target' }, steps: [RECHECK] },
  {
    name: 'a recheck for a closed pull request is refused',
    steps: after(({ environment }) => environment.github.edit(7, { state: 'closed' })),
  },
  {
    name: 'a recheck is refused if the pull request is closed meanwhile',
    at: { 'run.jobs': close },
    steps: [RECHECK],
  },
  {
    name: 'a recheck for a head without a scan is refused',
    steps: after(({ environment, repository }) => environment.github.setHead(7, repository.id('clean'))),
  },
  { name: 'a recheck is refused if the head changes meanwhile', at: { 'run.jobs': push }, steps: [RECHECK] },

  // The run of the gate.
  {
    name: 'a recheck while the run is under way is refused',
    run: { status: 'in_progress' },
    steps: [RECHECK],
  },
  { name: 'a recheck while another run of the head is under way is refused', steps: otherRunOfHead(1) },
  { name: 'a recheck ignores a run of another workflow', steps: otherRunOfHead(2) },
  {
    name: 'a recheck of a job that passed is refused',
    run: { jobs: [['scangate', 'success']] },
    steps: [RECHECK],
  },
  { name: 'a recheck of a run with two jobs is refused', run: TWO_JOBS, steps: [RECHECK] },
  {
    name: 'a recheck re-runs the job of the name in `job-name`',
    run: TWO_JOBS,
    steps: [recheck({ inputs: { 'job-name': 'scangate' } })],
  },
  { name: 'a recheck of a run with ten attempts is refused', run: { attempt: 10 }, steps: [RECHECK] },
  {
    name: 'a recheck of a run that is older than 30 days is refused',
    run: { createdAt: new Date('2001-01-01') },
    steps: [RECHECK],
  },
  { name: 'a recheck of a run that a push started is refused', run: { event: 'push' }, steps: [RECHECK] },
  {
    name: 'a recheck fails if GitHub does not re-run the job',
    at: { 'job.rerun': forbidden },
    steps: [RECHECK],
  },
  { name: 'a recheck fails if the run cannot be read', at: { 'run.read': refusing(500) }, steps: [RECHECK] },
  {
    name: 'a recheck re-runs no job that a sweep has just re-run',
    at: { 'job.rerun 1': sweepFirst },
    steps: [RECHECK],
  },

  // The mark of the gate.
  { name: 'a recheck of a mark of the tenth attempt is refused', steps: after(marked({ runAttempt: 10 })) },
  { name: 'a recheck of a mark with an unknown run is refused', steps: after(marked({ runId: 404 })) },
  {
    name: 'a recheck of a mark with the run of another head is refused',
    steps: after(async (scenario) => {
      const headSha = scenario.repository.id('clean');
      scenario.environment.github.workflowRuns.put({ id: 55, headSha });
      await marked({ runId: 55 })(scenario);
    }),
  },
  { name: 'a recheck ignores the mark of another pull request', steps: after(marked({ pullRequest: 8 })) },
  {
    name: 'a recheck ignores a mark without a pull request',
    steps: after(marked({ pullRequest: undefined })),
  },
  {
    name: 'a recheck ignores the mark of another head',
    steps: after((scenario) => marked({ headSha: scenario.repository.id('clean') })(scenario)),
  },
  {
    name: 'a recheck is refused if the gate does not reuse scans',
    gate: { inputs: { 'reuse-scan': 'false' } },
    steps: [RECHECK],
  },
  {
    name: 'a recheck ignores a mark that was made with another token',
    gate: {
      inputs: ({ environment }) => ({ 'api-token': environment.service.tokens[1]?.token ?? '' }),
      service: { tokens: [{}, {}] },
    },
    steps: [RECHECK],
  },
  {
    name: 'a recheck ignores a mark in a check run with another name',
    steps: [recheck({ inputs: { 'check-name': 'Other' } })],
  },
  {
    name: 'a recheck ignores a forged mark that names the run of another workflow',
    steps: after(async (scenario) => {
      const { headSha, environment } = scenario;
      environment.github.workflowRuns.put({ id: 77_000_000_000, workflowId: 2, headSha });
      await addCheckRun(scenario, { external_id: forged(scenario, { runId: 77_000_000_000 }) });
    }),
  },
  {
    name: 'a recheck ignores the address of a check run with a copied mark',
    steps: after(async (scenario) => {
      const { headSha, environment } = scenario;
      const { github, repository } = environment;
      github.workflowRuns.put({ id: 77_000_000_000, workflowId: 2, headSha });
      await addCheckRun(scenario, {
        external_id: github.checkRuns[0]?.externalId,
        details_url: `${github.serverUrl}/${repository}/actions/runs/77000000000`,
      });
    }),
  },

  // The service.
  {
    name: 'a recheck fails if the service is down',
    at: { 'token|scans.read': refusingAs(503, 'unavailable') },
    steps: [RECHECK],
  },
  {
    name: 'a recheck fails if the service does not know the scan',
    at: { 'scans.read': refusingAs(404, 'not_found') },
    steps: [RECHECK],
  },
  ...['RUNNING', 'FAILED'].map(
    (word): TriageRow => ({
      name: `a recheck of a scan that is ${word} is refused`,
      at: { 'scans.read': scanAs(word) },
      steps: [RECHECK],
    }),
  ),
  {
    name: 'a recheck fails if the token belongs to another project than `project-id`',
    steps: [recheck({ inputs: { 'project-id': 'prj_other' } })],
  },
  {
    name: 'a recheck fails if `project-id` is not an id, and the token shows no project',
    at: { token: showingInstead((body) => ({ ...(isObject(body) && body), projectId: undefined })) },
    steps: [recheck({ inputs: { 'project-id': '..' } })],
  },
] satisfies readonly TriageRow[]);
