import { expect, test } from 'vitest';
import { refusing, refusingAs } from '../effects.ts';
import { runPrepared } from '../scenario.ts';
import { launchAsStranger } from '../stranger.ts';
import {
  asBlocked,
  blockedPullRequest,
  type CommentChanges,
  GATE_RUN,
  minutesLater,
  seen,
  writeComment,
} from './blocked-pull-request.ts';
import { addCheckRun, addMark, forged, marked } from './forged.ts';
import {
  type Act,
  change,
  type Step,
  type TriageRow,
  TWO_TOKENS,
  testTriage,
  triaged,
  withLabels,
  write,
} from './triage-rows.ts';

/** A command, after a change. */
const row = (what: string, text: string, ...before: readonly Step[]): TriageRow => ({
  name: `a command ${what}`,
  steps: [...before, write(text)],
});
const asked = (what: string, text: string, changes: CommentChanges): TriageRow => ({
  name: `a command ${what}`,
  steps: [write(text, changes)],
});
const during = (what: string, text: string, at: NonNullable<TriageRow['at']>): TriageRow => ({
  ...row(what, text),
  at,
});

const WONT_FIX = '/scangate wont-fix {1}';
const ALL = '/scangate wont-fix {all}';
const FENCE = '```';
/** A gate that blocks without a comment. */
const QUIET = { service: TWO_TOKENS, inputs: { comment: 'never' } } as const;
const gateStarts: Act = ({ scenario: { environment, headSha } }) =>
  void environment.github.workflowRuns.put({ id: 42, headSha, status: 'queued' });

/** A command for the findings of one scan that no other scan has. The newest scan is the first one. */
const aboutScan =
  (index: number): Step =>
  (scenario) => {
    const scans = scenario.environment.service.scans();
    const others = scans.flatMap(({ findingIds }, at) => (at === index ? [] : findingIds));
    const ids = (scans[index]?.findingIds ?? []).filter((id) => !others.includes(id));
    expect(ids).not.toEqual([]);
    return write(`/scangate wont-fix ${ids.map((id) => `ZK-${id.slice(-8)}`).join(' ')}`)(scenario);
  };

/** Pushes another head. The gate scans it. */
const pushed = change(async (scenario) => {
  const headSha = scenario.repository.id('medium');
  const { github, pullRequestPayload } = scenario.environment;
  github.setHead(7, headSha);
  Object.assign(github.permissions, { checks: 'write', contents: 'read' });
  const payload = pullRequestPayload({ headSha });
  await runPrepared(scenario, { run: () => ({ event: { name: 'pull_request', payload } }) });
  asBlocked({ ...scenario, headSha });
});

const [OWN, OTHER] = ['octo-repo', 'other'].map((name) => `repo_${name}`);
/** A scan of another repository of the project, which a user launches and reads until it has ended. */
const otherRepositoryScanned = change(async (scenario) => {
  const { service } = scenario.environment;
  const commit = scenario.repository.id('medium');
  const scanId = await launchAsStranger(scenario, { repositoryId: OTHER, commit });
  const isEnded = () => service.scans().some(({ id, status }) => id === scanId && status === 'COMPLETED');
  for (let polls = 0; polls < 20 && !isEnded(); polls += 1) {
    await fetch(`${service.baseUrl}/projects/${service.project.id}/scans/${scanId}`, {
      headers: { authorization: `Bearer ${service.token}` },
    });
  }
});

/** A command that is written before other commands, and carried out after them. */
function overlapping(what: string, later: string): TriageRow {
  let event: ReturnType<typeof writeComment> | undefined;
  const steps: readonly Step[] = [
    change((scenario) => {
      const body = withLabels(scenario, '/scangate false-positive {1}');
      event = writeComment(scenario, { body, createdAt: minutesLater(scenario, 5) });
    }),
    write(later),
    ({ environment }) =>
      environment.run({
        action: 'triage',
        event: event ?? expect.unreachable(),
        runId: 8_000_000_002,
        inputs: { 'triage-token': environment.service.tokens[1]?.token ?? '' },
      }),
  ];
  return { name: `an older command ${what}`, steps };
}

const HOSTILE_NOTE = [
  '# Title',
  '- Comment: https://github.com/octo-org/octo-repo/pull/7#issuecomment-1',
  'Closes #1, fixes octo-org/octo-repo#2',
  '@octo-org/everyone',
  '/scangate reopen ZK-1',
  '::error::no',
  '<!-- scangate:v1 -->',
  '</blockquote><script>alert(1)</script>',
  '\u0000\u202E\r',
].join('\r\n');

const ODD_LABELS = [
  'ZK-{1}',
  '{1}x',
  '{1}\u200B',
  '{1}/../../resolution',
  '`{1}`',
  '[{1}](https://example.com)',
  '<b>{1}</b>',
  '**@acme/all**',
  'Z\u212A-1',
  'ZK-',
  '*',
  '%2e%2e',
];

testTriage('commands', [
  // What a command changes.
  row(
    'closes all findings, and re-runs the job',
    '/scangate false-positive {all} not_reachable\nOnly **tests** call it.',
  ),
  row('does not re-run the job while another finding blocks', '/scangate duplicate {1}'),
  row(
    'that reopens a finding re-runs a job that had passed',
    '/scangate reopen {1}',
    triaged(),
    change(({ environment: { github }, headSha }) =>
      github.workflowRuns.put({ id: GATE_RUN, headSha, jobs: [['scangate', 'success']] }),
    ),
  ),
  asked('in a public repository shows the titles, as the comment of the gate does', WONT_FIX, {
    payload: (all) => ({ ...all, repository: { ...Object(all['repository']), visibility: 'public' } }),
  }),
  { ...row('re-runs the job of a gate without a comment if every finding is closed', ALL), gate: QUIET },
  { ...row('re-runs no job of a gate without a comment while findings are open', WONT_FIX), gate: QUIET },
  {
    ...row(
      'finds the comment of a gate that has its own GitHub token',
      '/scangate wont-fix {2}',
      change(({ environment }) => {
        const gate = environment.github.comments.find(({ body }) => body.startsWith('<!-- scangate:v1'));
        Object.assign(gate ?? {}, { author: 'gate-app[bot]' });
      }),
    ),
    gate: { service: TWO_TOKENS, inputs: { 'fail-on': 'critical', 'severity-threshold': 'critical' } },
  },
  {
    ...row("counts as newer than the result, whatever the service's clock shows", WONT_FIX),
    gate: { service: { ...TWO_TOKENS, clock: { now: () => new Date('2040-01-01') } } },
  },
  row('quotes a hostile note, and shows it nowhere on GitHub', `${WONT_FIX}\r\n${HOSTILE_NOTE}`),
  {
    name: 'a later command updates the reply, and decides the status of the finding',
    steps: [write(WONT_FIX), write('/scangate reopen {1}', { author: 'ada' })],
  },

  // What is no command, or a refused one.
  ...[`${FENCE}\n${WONT_FIX}\n${FENCE}`, `<!-- --> ${WONT_FIX}`].map(
    (text): TriageRow => row(`in the text ${JSON.stringify(text)} is ignored`, text),
  ),
  row('with an unknown name is refused', '/scangate dismiss {1}'),
  row('with a word that is no label changes nothing', `${ALL} because`),
  row('with a second command on its line changes nothing', `${WONT_FIX} /scangate reopen {2}`),
  row('refuses every label that is almost right', `/scangate wont-fix ${ODD_LABELS.join(' ')}`),
  asked('without `triage-token` is refused', WONT_FIX, { inputs: { 'triage-token': '' } }),
  asked('that is older than the result of the gate is refused', WONT_FIX, { createdAt: new Date(0) }),
  {
    name: 'a re-run of the triage workflow fails, and changes no finding',
    steps: [WONT_FIX, '/scangate help'].map((text) => write(text, { runAttempt: 2 })),
  },
  during('fails if its reply cannot be written', '/scangate help', { 'comments.create': refusing(403) }),
  {
    name: 'a command does not accept a label of an earlier head',
    steps: [pushed, aboutScan(1)],
    launches: 2,
  },
  {
    name: 'a command does not accept a label of another repository',
    gate: {
      service: ({ dir }) => ({
        repositories: [
          { id: OWN ?? '', owner: 'octo-org', name: 'octo-repo', gitDir: dir },
          { id: OTHER ?? '', owner: 'octo-org', name: 'other', gitDir: dir },
        ],
        tokens: [{}, { scopes: ['read', 'findings:write', 'scans:launch'] }],
      }),
      inputs: { 'repository-id': OWN ?? '' },
    },
    steps: [otherRepositoryScanned, aboutScan(0)],
    launches: 2,
  },

  // A user whose token has `checks: write`.
  row(
    'ignores a forged mark',
    WONT_FIX,
    change((scenario) => addCheckRun(scenario, { external_id: forged(scenario, { runId: GATE_RUN + 1 }) })),
  ),
  row(
    'ignores the marks of another pull request and of another head',
    WONT_FIX,
    change(async (scenario) => {
      const headSha = scenario.repository.id('clean');
      for (const other of [{ pullRequest: 8 }, { headSha }])
        await addMark(scenario, { runId: GATE_RUN + 1, scanId: 'scn_other', ...other });
    }),
  ),
  row(
    'changes no finding if the mark names another run',
    WONT_FIX,
    change(marked({ runId: 404, scanId: 'scn_other' })),
  ),

  // What happens meanwhile.
  {
    ...row('changes no finding while the job of the gate runs', WONT_FIX),
    run: { status: 'in_progress', jobs: [['scangate', 'failure']] },
  },
  during('that closes findings while the gate starts says what to do if the check fails', ALL, {
    'findings.resolution 1': gateStarts,
  }),
  during(
    'that reopens findings while the gate starts says that they do not count yet',
    '/scangate reopen {all}',
    {
      'findings.resolution 1': gateStarts,
    },
  ),
  overlapping('changes no finding that a later command has changed', '/scangate mitigated {1}'),
  overlapping('is not stopped by a later command about another finding', '/scangate mitigated {2}'),
  during('changes no other finding if its comment is deleted during its first change', ALL, {
    'comments.read 2-': refusing(404, 'Not Found'),
  }),
  during('re-runs no job if one change is unconfirmed', ALL, {
    'findings.resolution 2-3': refusingAs(500, 'internal'),
  }),
]);

test('two commands at the same time cause only one re-run of the job', async () => {
  let other: Promise<unknown> | undefined;
  const scenario = await blockedPullRequest(
    { service: TWO_TOKENS },
    {},
    {
      service: ({ point }) => {
        if (point === 'findings.resolution')
          other ??= Promise.resolve(write('/scangate mitigated {2} {3} {4}', { author: 'ada' })(scenario));
        return undefined;
      },
    },
  );
  const ended = await write(WONT_FIX)(scenario);
  await other;
  expect(ended?.exitCode, ended?.log).toBe(0);
  expect(seen(scenario)).toMatchObject({ attempt: 2, reactions: ['+1', '+1'] });
  expect(seen(scenario).replies).toHaveLength(1);
});
