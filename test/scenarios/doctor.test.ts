import { expect, test } from 'vitest';
import { type DoctorOptions, rowsOf, runDoctorScenario, runGateIn } from './doctor.ts';
import { declareBlocks, expectBlock } from './golden.ts';

interface Row {
  readonly name: string;
  readonly options?: DoctorOptions;
  /** The golden text has all rows of the table. Default: only the errors and the warnings. */
  readonly all?: true;
}
const QUICK = { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } };
const UNKNOWN = { 'api-token': 'svc_proj_x_notknown1' };

const ROWS: readonly Row[] = [
  { name: 'the doctor reports a healthy setup as ready', all: true },
  {
    name: 'the doctor reports an API token that no header can hold, and does not use it',
    options: { inputs: { 'api-token': 'svc_proj_k1_abc…' } },
  },
  {
    name: 'the doctor reports a GitHub token that no header can hold, and does not use it',
    options: { inputs: { 'github-token': 'ghs_abc\ndef' } },
  },
  {
    name: 'the doctor reports a guidance file that does not exist',
    options: { inputs: { 'guidance-file': 'guidance.md' } },
  },
  {
    name: 'the doctor checks that a completed scan has the members that the gate needs',
    options: { service: QUICK, before: runGateIn },
    all: true,
  },
  {
    name: 'the doctor warns if the service hides members of scans or findings',
    options: {
      service: {
        ...QUICK,
        hideFields: {
          scanItem: ['commit'],
          scanDetail: ['commit'],
          findingItem: ['filePath', 'title'],
          token: ['scopes'],
        },
      },
      before: runGateIn,
    },
  },
  {
    name: 'the doctor reports all problems together',
    options: {
      inputs: { 'fail-on': 'hihg', 'credit-budget': '5', publish: 'always', preset: 'diff-review' },
      service: { tokens: [{ scopes: ['read'], spendLimit: 3, repositoryAllowlist: ['repo_other'] }] },
      github: {
        requiredChecks: { main: { byProtection: ['Security scan'] } },
        mergeQueues: { main: { rules: ['ALLGREEN'], mergingStrategy: 'ALLGREEN' } },
      },
    },
  },
  {
    name: 'the doctor asks GitHub even if it cannot ask the service',
    options: { inputs: { 'base-url': 'http://scan.example/api/v1' } },
    all: true,
  },
  {
    name: 'the doctor sends the service only one request if the token is unknown',
    options: { inputs: UNKNOWN },
  },
  {
    name: 'the doctor sends the service only one request if the token is unknown and the project is known',
    options: { inputs: { ...UNKNOWN, 'project-id': 'prj_7f3a91c2' } },
  },
  {
    name: 'the doctor sends the service only one request if the token belongs to another project',
    options: { inputs: { 'project-id': 'prj_other' } },
  },
  {
    name: 'the doctor names the permission that the GitHub token lacks: contents',
    options: { github: { permissions: { checks: 'read' } } },
  },
  {
    name: 'the doctor names the permission that the GitHub token lacks: checks',
    options: { github: { permissions: { contents: 'read' } } },
  },
  {
    name: 'the doctor names no permissions if GitHub rejects the token',
    options: { inputs: { 'github-token': 'ghs_other' } },
  },
];

declareBlocks('doctor', ROWS);
test.each(ROWS)('$name', async ({ name, options, all }) => {
  const { run, environment } = await runDoctorScenario(options);
  const rows = rowsOf(run);
  // The log has the same table, and the verdict.
  const fine = rows.filter((row) => /^(?:ok|skipped) /.test(row));
  expect(run.log.match(/^[✓–] /gm) ?? [], run.log).toHaveLength(fine.length);
  const verdict = /^(?:##\[error\])?((?:Ready|Not ready).*)$/m.exec(run.log)?.[1] ?? '';
  const { service, github } = environment;
  const asked = [...new Set(service.requests.map(({ point }) => point))];
  const text = [
    ...rows.filter((row) => all === true || /^(?:error|warning) /.test(row)),
    verdict,
    options?.before !== undefined ? '' : `asks the service: ${asked.toSorted().join(', ') || 'nothing'}`,
    github.requests.length === 0 ? 'asks GitHub nothing' : '',
  ];
  expectBlock(
    'doctor',
    name,
    text
      .filter(Boolean)
      .join('\n')
      .replaceAll(service.origin, 'http://SERVICE')
      .replaceAll(/`[0-9a-f]{7}`/g, '`COMMIT`'),
  );
  expect(JSON.stringify([run.log, run.summary])).not.toMatch(/eval|src.run\.js|ZK-/);
});

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
    run: { debug: true },
  });
  const all = JSON.stringify([run.log, run.summary, run.outputs]);
  expect(all).not.toMatch(/98.?765|It says something|one of 3/);
  expect(all).toContain('bad&#95;request');
  expect(rowsOf(run)).toContain('ok Allowlist: The token may see this repository.');
  expect(run.log).toContain('GET /projects/{id}/scan-presets: 400');
});
