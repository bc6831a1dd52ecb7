import { describe, expect, test } from 'vitest';
import { rowsOf, runDoctorScenario, runGateIn } from './doctor.ts';

const problemsOf = (rows: readonly string[]) => rows.filter((row) => /^(?:error|warning) /.test(row));

test('the doctor reports a healthy setup as ready', async () => {
  const { run, environment } = await runDoctorScenario();
  expect(run.outputs).toEqual({ ready: 'true', problems: '0' });
  expect(rowsOf(run)).toEqual([
    'ok Inputs: All inputs are valid.',
    `ok Address: \`${environment.service.baseUrl}\` answers JSON over http on this machine.`,
    'ok Token: The service accepts `api-token`, and shows no expiry.',
    `ok Project: \`${environment.service.project.id}\`.`,
    'ok Scopes: The token has `read` and `scans:launch`.',
    'ok Spend limit: The service shows no spend limit.',
    'ok Allowlist: None: the token may see every repository of the project.',
    'ok Repository: `octo-org/octo-repo` is `repo_octo-repo` in the service, ACTIVE and ready.',
    'ok Preset: `diff-review` (Diff review): at least 20 credits, model tier `fake`. Audits one change.',
    'ok Preset: `full-audit` (Full audit): no minimum of its own, model tier `fake`. Audits the whole tree.',
    'ok Pull request: It takes `diff-review`. So do merge groups and pushes.',
    'ok Schedule: It takes `full-audit`. So does `workflow_dispatch`.',
    'ok Budget: One scan by `diff-review` reserves 20 credits.',
    'ok Budget: One scan by `full-audit` reserves the default of the service.',
    'skipped Scan list: The service has none to look at yet. Run the doctor again after the first scan.',
    'skipped Scan detail: The service has none to look at yet. Run the doctor again after the first scan.',
    'skipped Findings: The service has none to look at yet. Run the doctor again after the first scan.',
    'ok Launch request: `repositoryId`: `repo_octo-repo`, `presetRef`: `diff-review`, `creditBudget`: `20`, `baseCommit`: the merge base, `commit`: the head commit.',
    'ok Comparison: GitHub compares commits: merge bases can be found.',
    'ok Check runs: Readable. The gate itself needs `checks: write`, which a read cannot prove.',
    'ok Required check: `main` requires the job `scangate`.',
    // On github.com, the doctor knows which app reports jobs. On a different server, such as the fake GitHub, it learns
    // the app only from a run of the job.
    'skipped Expected source: Not checked: no run has shown which app reports `scangate`.',
    'ok Gate job: `scangate`: no condition skips the job or its step, and a failure counts.',
    'ok Policy: `scangate` blocks on `high`, and allows no reason that an author can cause.',
    'ok Same name: Only the gate on pull requests and merge groups reports `scangate`.',
    'ok Merge queue: `main` has no merge queue.',
  ]);
  const logged = run.log.split('\n').filter((line) => /^[✓–] /.test(line));
  expect(logged).toHaveLength(rowsOf(run).length);
  expect(run.log).toContain('Ready: 0 errors, 0 warnings.');
});

test.each([
  ['api-token', 'svc_proj_k1_abc…', 'service'],
  ['github-token', 'ghs_abc\ndef', 'github'],
] as const)(
  'the doctor reports a `%s` that no header can hold, and does not use it',
  async (name, token, of) => {
    const { run, environment } = await runDoctorScenario({ inputs: { [name]: token } });
    const aboutInputs = rowsOf(run).filter((row) => row.includes(' Inputs: '));
    expect(aboutInputs).toEqual([expect.stringMatching(`^error Inputs: \`${name}\` contains a space`)]);
    expect(environment[of].requests).toEqual([]);
  },
);

test('the doctor shows the length of the guidance, but not its text', async () => {
  const { run } = await runDoctorScenario({
    inputs: { 'guidance-file': '.github/guidance.md' },
    before: async ({ service }) => {
      await fetch(`${service.baseUrl}/projects/${service.project.id}/repositories/repo_octo-repo/guidance`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ content: 'Mind the till.' }),
      });
    },
  });
  expect(rowsOf(run)).toContainEqual(
    expect.stringMatching(
      /^ok Guidance: `.github\/guidance.md` at `[0-9a-f]{7}` has 19 characters, SHA-256 `[0-9a-f]{8}`\. With the stored guidance, the gate sends 35 characters\.$/,
    ),
  );
  expect(run.log).not.toMatch(/Look at the login|Mind the till/);
  const wrong = await runDoctorScenario({ inputs: { 'guidance-file': 'guidance.md' } });
  expect(wrong.run.outputs).toEqual({ ready: 'false', problems: '1' });
  expect(rowsOf(wrong.run)).toContainEqual(
    expect.stringMatching(/^error Guidance: There is no file `guidance.md` at commit /),
  );
});

test('the doctor checks that a completed scan has the members that the gate needs', async () => {
  const { run } = await runDoctorScenario({
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    before: runGateIn,
  });
  expect(rowsOf(run)).toEqual(
    expect.arrayContaining([
      'ok Scan list: Shows id, commit, base, preset, repository, time.',
      'ok Scan detail: Shows commit, base, phases.',
      'ok Findings: Shows id, title, place, known severity.',
    ]),
  );
  expect(run.outputs['ready']).toBe('true');
  expect(JSON.stringify([run.log, run.summary])).not.toMatch(/eval|src.run\.js|ZK-/);
});

test('the doctor warns if the service hides members of scans or findings', async () => {
  const { run } = await runDoctorScenario({
    service: {
      pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
      hideFields: {
        scanItem: ['commit'],
        scanDetail: ['commit'],
        findingItem: ['filePath', 'title'],
        token: ['scopes'],
      },
    },
    before: runGateIn,
  });
  expect(run.outputs).toEqual({ ready: 'true', problems: '0' });
  expect(problemsOf(rowsOf(run))).toEqual([
    expect.stringMatching(/^warning Scopes: The service does not show scopes/),
    expect.stringMatching(/^warning Scan list: .* No commit: the log cannot name/),
    expect.stringMatching(/^warning Scan detail: .* No commit: the report says/),
    expect.stringMatching(/^warning Findings: .* No title: .* No place: no line is annotated/),
  ]);
});

test('the doctor reports all problems together', async () => {
  const { run } = await runDoctorScenario({
    inputs: { 'fail-on': 'hihg', 'credit-budget': '5', publish: 'always', preset: 'diff-review' },
    service: {
      tokens: [{ scopes: ['read'], spendLimit: 3, repositoryAllowlist: ['repo_other'] }],
    },
    github: {
      requiredChecks: { main: { byProtection: ['Security scan'] } },
      mergeQueues: { main: { rules: ['ALLGREEN'], mergingStrategy: 'ALLGREEN' } },
    },
  });
  expect(problemsOf(rowsOf(run)).map((row) => row.split(':')[0])).toEqual([
    'error Inputs',
    'error Scopes',
    'error Scopes',
    'error Allowlist',
    'error Repository',
    'error Budget',
    'error Required check',
    'warning Merge queue',
  ]);
  expect(run.outputs).toEqual({ ready: 'false', problems: '7' });
  expect(run.log.trimEnd().split('\n').slice(-8)).toEqual([
    expect.stringContaining('Not ready: 7 errors, 1 warning.'),
    expect.stringMatching(/^- Inputs: /),
    ...Array.from({ length: 6 }, () => expect.stringMatching(/^- (?:Scopes|Allow|Repo|Budget|Required)/)),
  ]);
});

describe('a setup that keeps the doctor from asking the service', () => {
  test.each([
    ['no token', { 'api-token': '' }],
    ['an invalid address', { 'base-url': 'http://scan.example/api/v1' }],
  ])('the doctor asks GitHub even if it cannot ask the service (%s)', async (_what, inputs) => {
    const { run, environment } = await runDoctorScenario({ inputs });
    expect(environment.service.requests).toEqual([]);
    expect(rowsOf(run)).toContain('skipped Token: Not checked: fix the inputs first.');
    expect(rowsOf(run)).toContain('ok Required check: `main` requires the job `scangate`.');
  });

  test.each([
    ['the token is unknown', {}],
    ['the token is unknown and the project is known', { 'project-id': 'prj_7f3a91c2' }],
  ])('the doctor sends the service only one request if %s', async (_what, given) => {
    const inputs = { 'api-token': 'svc_proj_x_notknown1', ...given };
    const { run, environment } = await runDoctorScenario({ inputs });
    expect(environment.service.requests.map(({ point }) => point)).toEqual(['token']);
    expect(problemsOf(rowsOf(run))).toEqual([expect.stringMatching(/^error Token: .*\[Project admin/)]);
  });

  test('the doctor sends the service only one request if the token belongs to another project', async () => {
    const { run, environment } = await runDoctorScenario({ inputs: { 'project-id': 'prj_other' } });
    expect(environment.service.requests.map(({ point }) => point)).toEqual(['token']);
    expect(problemsOf(rowsOf(run))).toEqual([expect.stringMatching(/^error Project: .*\[Workflow maint/)]);
  });
});

describe('permissions of the GitHub token', () => {
  test.each([
    ['contents', { checks: 'read' }, ['error Comparison'], 'Add `contents: read`'],
    ['checks', { contents: 'read' }, ['error Check runs'], 'Add `checks: read`'],
  ] as const)(
    'the doctor names the permission that the GitHub token lacks: %s',
    async (_what, permissions, rows, fix) => {
      const { run } = await runDoctorScenario({ github: { permissions } });
      expect(problemsOf(rowsOf(run)).map((row) => row.split(':')[0])).toEqual(rows);
      expect(problemsOf(rowsOf(run))[0]).toContain(fix);
    },
  );

  test('the doctor names no permissions if GitHub rejects the token', async () => {
    const { run } = await runDoctorScenario({ inputs: { 'github-token': 'ghs_other' } });
    expect(problemsOf(rowsOf(run))).toEqual([
      expect.stringMatching(
        /^error Comparison: .*rejected the token.*\[Workflow maintainer: Check `github-token`/,
      ),
    ]);
  });
});

test('in a public repository, the doctor shows neither limits nor messages of the service', async () => {
  const { run } = await runDoctorScenario({
    visibility: 'public',
    service: {
      tokens: [{ spendLimit: 98_765, repositoryAllowlist: ['repo_octo-repo', 'repo_2', 'repo_3'] }],
      intercept: ({ point }) =>
        point === 'presets'
          ? { status: 400, body: { error: { code: 'bad_request', message: 'It says something.' } } }
          : undefined,
    },
  });
  const all = JSON.stringify([run.log, run.summary, run.outputs]);
  expect(all).not.toMatch(/98.?765|It says something|one of 3/);
  expect(all).toContain('bad&#95;request');
  expect(rowsOf(run)).toContain('ok Allowlist: The token may see this repository.');
});

test('the debug log of the doctor shows a request and its status', async () => {
  const { run } = await runDoctorScenario({ run: { debug: true } });
  expect(run.log).toContain('GET /projects/{id}/scan-presets: 200');
});
