import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import nock from 'nock';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { StepCheckRun } from '../../../src/deliver/check-run.ts';
import { deliver } from '../../../src/deliver/deliver.ts';
import { writeJobSummary } from '../../../src/deliver/place.ts';
import { err, ok } from '../../../src/domain/result.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { readEnvironment } from '../../../src/github/environment.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import type { WholeReport } from '../../../src/report/report.ts';
import { readInputs } from '../../../src/runner/inputs.ts';
import { createRunnerLog, createWarnings } from '../../../src/runner/log.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { printed, runnerFile } from '../../support/runner-files.ts';
import { client, github } from '../github/client.ts';
import { HEAD, sampleFinding, sampleReport, sampleWhole } from '../report/sample-report.ts';

const IDENTITY = { name: 'Security scan', headSha: HEAD, externalId: 'v1:scan:key:mac' };
const isStarted = (externalId: string) => externalId === IDENTITY.externalId;
const BEGUN: StepCheckRun = {
  identity: IDENTITY,
  started: ok({ id: 77, url: 'https://github.com/begun' }),
  isStarted,
  mayCreate: true,
};
const REFUSED = { message: 'Resource not accessible by integration' };
const RUN = '/repos/acme/shop/check-runs/77';

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

/**
 * Creates the dependencies of a delivery. By default, it writes no comment, so most tests need no answers about
 * comments.
 */
function createDeps(given: Record<string, string> = {}) {
  const workspace = mkdtempSync(path.join(tmpdir(), 'scangate-deliver-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const environment = readEnvironment({
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: '/event.json',
    GITHUB_RUN_ID: '9',
  });
  if (!environment.ok) throw new Error(environment.error.cause);
  const all: Record<string, string> = { comment: 'never', ...given };
  const { inputs } = readInputs(workspace, { getInput: (name) => all[name] ?? '', setSecret: () => {} });
  const log = createRunnerLog();
  return {
    github: client(),
    signal: NEVER_ABORTED,
    environment: environment.value,
    inputs: inputs.delivery,
    seal: createSeal(inputs.connection.apiToken, '1296269'),
    workspace,
    log,
    warnings: createWarnings(log),
    writeSummary: writeJobSummary,
  };
}

/** The members of a report that are different in a merge queue. */
const IN_QUEUE: Partial<WholeReport> = {
  target: {
    event: 'merge_group',
    repository: { owner: 'acme', name: 'shop', isPublic: false },
    headSha: HEAD,
    base: { kind: 'branch', name: 'main', tip: undefined },
    secretsWithheld: false,
    pullRequest: undefined,
  },
};

test('the delivery writes the log, the job summary, the check run and both files', async () => {
  const [lines, summary] = [printed(), runnerFile('GITHUB_STEP_SUMMARY')];
  github().patch(RUN).reply(200, { id: 77, html_url: 'https://github.com/done' });
  const here = createDeps({ 'report-file': 'out/report.json', 'sarif-file': 'out/scan.sarif' });
  const delivered = await deliver(here, sampleReport([sampleFinding()]), BEGUN);
  const reportFile = path.join(here.workspace, 'out', 'report.json');
  const sarifFile = path.join(here.workspace, 'out', 'scan.sarif');
  expect(delivered).toEqual({
    checkRunUrl: 'https://github.com/done',
    commentUrl: undefined,
    sarifFile,
    reportFile,
    checkRunInProgress: undefined,
  });
  expect(JSON.parse(readFileSync(reportFile, 'utf8'))).toMatchObject({
    outcome: 'blocked',
    links: { checkRun: 'https://github.com/done' },
  });
  expect(JSON.parse(readFileSync(sarifFile, 'utf8'))).toMatchObject({
    version: '2.1.0',
    runs: [{ results: [{ properties: { blocks: true } }] }],
  });
  expect(summary()).toContain('Blocked: 1 finding');
  expect(lines()).toEqual([
    '::group::Findings (1, worst first)',
    expect.stringMatching(/^High: /),
    '::endgroup::',
    expect.stringMatching(/^Blocked: 1 finding at or above high/),
    '::group::Where the report is',
    'Check run: https://github.com/done',
    `SARIF file: ${sarifFile}`,
    `JSON report: ${reportFile}`,
    '::endgroup::',
    expect.stringMatching(/^::error::Blocked: 1 finding at or above high/),
  ]);
});

test('the delivery logs the number of findings that the log does not list', async () => {
  const lines = printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  github().patch(RUN).reply(200, { id: 77, html_url: 'https://github.com/done' });
  const findings = [
    sampleFinding(),
    sampleFinding({ word: 'LOW' }),
    sampleFinding({ resolution: 'WONT_FIX' }),
  ];
  const publication = {
    publicId: 'p',
    url: 'https://scan.example/public/scans/p',
    gated: true,
    accessPassword: 'secret',
  };
  await deliver(createDeps(), sampleReport(findings, { publication }), BEGUN);
  expect(lines()).toContain(
    'Not listed here: 1 finding below medium and 1 finding closed by triage. See the list in the job summary.',
  );
  expect(lines()).toContain('Published page: https://scan.example/public/scans/p');
  expect(lines().join()).not.toContain('secret');
});

test('for each output that it cannot write, the delivery warns in the log and in the job summary', async () => {
  const [lines, summary] = [printed(), runnerFile('GITHUB_STEP_SUMMARY')];
  github().patch(RUN).reply(401, { message: 'Bad credentials' });
  const here = createDeps({ 'report-file': 'report.json', 'sarif-file': 'scan.sarif' });
  rmSync(here.workspace, { recursive: true });
  const delivered = await deliver(here, sampleReport([sampleFinding()]), BEGUN);
  expect(delivered).toEqual({
    checkRunUrl: 'https://github.com/begun',
    commentUrl: undefined,
    reportFile: undefined,
    checkRunInProgress: 77,
  });
  const warnings = lines().filter((line) => line.startsWith('::warning::'));
  expect(warnings).toEqual([
    expect.stringContaining('Could not update the check run'),
    expect.stringContaining('Could not write the SARIF file'),
    expect.stringContaining('Could not write the JSON report'),
  ]);
  // The last line is the error. The log has the verdict before the first output can fail.
  expect(lines().at(-1)).toMatch(/^::error::Blocked: 1 finding/);
  expect(lines().findIndex((line) => line.startsWith('Blocked: 1 finding'))).toBeLessThan(
    lines().findIndex((line) => line.startsWith('::warning::')),
  );
  expect(warnings.join('')).not.toMatch(/\.\.(?:\s|$)/);
  expect(summary()).toContain('Could not update the check run');
  expect(summary()).toContain('Could not write the JSON report');
});

test('the delivery warns if it cannot write the job summary', async () => {
  const lines = printed();
  vi.stubEnv('GITHUB_STEP_SUMMARY', '/nowhere/summary');
  github().patch(RUN).reply(200, { id: 77 });
  await deliver(createDeps(), sampleReport([]), BEGUN);
  vi.unstubAllEnvs();
  expect(lines().filter((line) => line.startsWith('::warning::'))).toEqual([
    expect.stringContaining('Could not write the job summary'),
  ]);
});

test('if GitHub has refused the check run, the delivery logs the annotations', async () => {
  const lines = printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  const error: GitHubError = {
    kind: 'forbidden',
    operation: 'create the check run',
    status: 403,
    message: REFUSED.message,
    permission: 'checks: write',
    ambiguous: false,
  };
  const delivered = await deliver(createDeps(), sampleReport([sampleFinding()]), {
    identity: IDENTITY,
    started: err(error),
    isStarted,
    mayCreate: true,
  });
  expect(delivered).toMatchObject({ checkRunUrl: undefined, checkRunInProgress: undefined });
  expect(lines().filter((line) => line.includes('checks: write'))).toHaveLength(1);
  expect(lines()).toContainEqual(
    expect.stringMatching(/^::error title=.*,file=src\/users\/search\.ts,line=41,endLine=44::/),
  );
});

test('the delivery creates a completed check run if none is in progress', async () => {
  printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  let body: unknown;
  github()
    .post('/repos/acme/shop/check-runs', (sent) => {
      body = sent;
      return true;
    })
    .reply(201, { id: 78, html_url: 'https://github.com/new' });
  const delivered = await deliver(createDeps(), sampleReport([]), {
    identity: IDENTITY,
    started: undefined,
    isStarted,
    mayCreate: true,
  });
  expect(delivered.checkRunUrl).toBe('https://github.com/new');
  expect(body).toMatchObject({ status: 'completed', conclusion: 'success', head_sha: HEAD });
});

test('with `annotations: off`, the delivery does not mention annotations', async () => {
  const lines = printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  let body: unknown;
  github()
    .patch(RUN, (sent) => {
      body = sent;
      return true;
    })
    .reply(200, { id: 77 });
  await deliver(createDeps({ annotations: 'off' }), sampleReport([sampleFinding()]), BEGUN);
  expect(body).not.toHaveProperty('output.annotations');
  expect(lines().filter((line) => /file=|not annotated/.test(line))).toEqual([]);
});

test('the delivery writes no comment for an event without a pull request', async () => {
  printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  github().patch(RUN).reply(200, { id: 77 });
  const delivered = await deliver(createDeps({ comment: 'always' }), sampleWhole([], IN_QUEUE), BEGUN);
  expect(delivered.commentUrl).toBeUndefined();
});

/** The pull request as GitHub shows it. */
const STATE: PullRequestState = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: new Date(),
  headSha: HEAD,
  headTree: undefined,
  baseName: 'main',
  baseTip: undefined,
  comments: [],
};

test('if the pull request has another head, the log does not say that another run wrote the comment', async () => {
  const lines = printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  github().patch(RUN).reply(200, { id: 77 });
  const read = async () => ok({ ...STATE, headSha: 'f'.repeat(40) });
  await deliver(createDeps({ comment: 'always' }), sampleReport([]), BEGUN, undefined, read);
  expect(lines().filter((line) => /comment/.test(line))).toEqual([
    'Did not write the comment: the pull request has another head now.',
  ]);
});

test('the log says that the next step of an allowed reason is optional', async () => {
  const lines = printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  const failure = {
    reason: 'paths',
    cause: 'The change touches only files that need no scan.',
    nextStep: 'Change the patterns.',
  } as const;
  await deliver(createDeps(), sampleWhole({ kind: 'not-scanned', failure }), undefined);
  expect(lines()).toEqual([
    'Not scanned (allowed): only files that need no scan. The change touches only files that need no scan. To get a scan: Change the patterns.',
  ]);
});

test('for a run without a commit, the delivery writes the JSON report and the job summary', async () => {
  printed();
  const summary = runnerFile('GITHUB_STEP_SUMMARY');
  const failure = {
    reason: 'unsupported-event',
    cause: 'The event is push.',
    nextStep: 'Use another.',
  } as const;
  const report = sampleWhole({ kind: 'not-scanned', failure }, { target: undefined, diffBase: undefined });
  const here = createDeps({ 'report-file': 'report.json', 'sarif-file': 'scan.sarif' });
  const reportFile = path.join(here.workspace, 'report.json');
  expect(await deliver(here, report, undefined)).toEqual({
    checkRunUrl: undefined,
    commentUrl: undefined,
    sarifFile: undefined,
    reportFile,
    checkRunInProgress: undefined,
  });
  expect(JSON.parse(readFileSync(reportFile, 'utf8'))).toMatchObject({ reason: 'unsupported-event' });
  expect(readdirSync(here.workspace)).toEqual(['report.json']);
  expect(summary()).toContain('The event is push.');
});

const LOST: GitHubError = {
  kind: 'unreachable',
  operation: 'create the check run',
  status: 502,
  message: '',
  permission: 'checks: write',
  ambiguous: true,
};
const listed = (...runs: readonly object[]) =>
  github()
    .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
    .query({ check_name: 'Security scan', filter: 'all', per_page: 100, page: 1 })
    .reply(200, {
      check_runs: runs.map((run) => ({ name: IDENTITY.name, head_sha: HEAD, ...run })),
    });

test('if GitHub did not answer the creation of the check run, the delivery finds the check run by its mark', async () => {
  printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  listed(
    { id: 80, external_id: 'v1:other', status: 'in_progress' },
    { id: 79, external_id: IDENTITY.externalId, status: 'completed' },
    { id: 77, external_id: IDENTITY.externalId, status: 'in_progress' },
  );
  github()
    .patch(RUN, ({ conclusion }) => conclusion === 'success')
    .reply(200, { id: 77, html_url: 'https://github.com/done' });
  const delivered = await deliver(createDeps(), sampleReport([]), {
    identity: IDENTITY,
    started: err(LOST),
    isStarted,
    mayCreate: true,
  });
  expect(delivered).toMatchObject({
    checkRunUrl: 'https://github.com/done',
    checkRunInProgress: undefined,
  });
});

test('if the creation of the check run was lost, the delivery creates the check run again', async () => {
  printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  listed({ id: 79, external_id: IDENTITY.externalId, status: 'completed' });
  github().post('/repos/acme/shop/check-runs').reply(201, { id: 78 });
  const delivered = await deliver(createDeps(), sampleReport([]), {
    identity: IDENTITY,
    started: err(LOST),
    isStarted,
    mayCreate: true,
  });
  expect(delivered).toMatchObject({ checkRunInProgress: undefined });
});

test('if GitHub refuses to list the check runs after a lost creation, the delivery creates the check run again', async () => {
  printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  github()
    .get(/check-runs/)
    .reply(403, REFUSED);
  github().post('/repos/acme/shop/check-runs').reply(201, { id: 78 });
  const delivered = await deliver(createDeps(), sampleReport([]), {
    identity: IDENTITY,
    started: err(LOST),
    isStarted,
    mayCreate: true,
  });
  expect(delivered).toMatchObject({ checkRunInProgress: 'not known' });
});

test('if GitHub refuses to change the check run, the delivery leaves it for `post` and warns', async () => {
  const [lines, summary] = [printed(), runnerFile('GITHUB_STEP_SUMMARY')];
  github().patch(RUN).reply(422, { message: 'Invalid' });
  github().post('/repos/acme/shop/check-runs').reply(201, { id: 78, html_url: 'https://github.com/second' });
  const delivered = await deliver(createDeps(), sampleReport([]), BEGUN);
  expect(delivered).toMatchObject({ checkRunUrl: 'https://github.com/second', checkRunInProgress: 77 });
  const warning =
    'Could not update the check run: GitHub returned 422 (Invalid). The result is in a second check run. The post step tries to complete the first one. If that one stays in progress, re-run this job.';
  expect(lines().filter((line) => line.startsWith('::warning::'))).toEqual([`::warning::${warning}`]);
  expect(summary()).toContain('The result is in a second check run.');
});

/** Lets GitHub create a check run. Returns a function that counts the creations. */
function countCreations(): () => number {
  let creations = 0;
  const create = () => {
    creations += 1;
    return { id: 78 };
  };
  github().post('/repos/acme/shop/check-runs').optionally().reply(201, create);
  return () => creations;
}

test('on a closed pull request, the delivery creates no check run if GitHub refuses to change the one in progress', async () => {
  printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  github().patch(RUN).reply(403, REFUSED);
  const creations = countCreations();
  const delivered = await deliver(createDeps(), sampleReport([]), { ...BEGUN, mayCreate: false });
  expect(delivered).toMatchObject({ checkRunInProgress: 77 });
  expect(creations()).toBe(0);
});

test.each([
  [
    'GitHub refuses to list the check runs',
    'not known',
    () =>
      github()
        .get(/check-runs/)
        .reply(403, REFUSED),
  ],
  ['GitHub lists no check run', undefined, () => listed()],
] as const)(
  'on a closed pull request, the delivery creates no check run in place of a lost one if %s (`checkRunInProgress`: %s)',
  async (_why, left, answer) => {
    printed();
    runnerFile('GITHUB_STEP_SUMMARY');
    answer();
    const creations = countCreations();
    const delivered = await deliver(createDeps(), sampleReport([]), {
      ...BEGUN,
      started: err(LOST),
      mayCreate: false,
    });
    expect(delivered).toMatchObject({ checkRunUrl: undefined, checkRunInProgress: left });
    expect(creations()).toBe(0);
  },
);

test('if GitHub did not answer the creation, a stopped delivery reports that the check run may be in progress', async () => {
  printed();
  runnerFile('GITHUB_STEP_SUMMARY');
  const error: GitHubError = {
    kind: 'stopped',
    operation: 'create the check run',
    status: undefined,
    message: '',
    permission: 'checks: write',
    ambiguous: true,
  };
  const delivered = await deliver({ ...createDeps(), signal: AbortSignal.abort() }, sampleReport([]), {
    identity: IDENTITY,
    started: err(error),
    isStarted,
    mayCreate: true,
  });
  expect(delivered).toMatchObject({ checkRunUrl: undefined, checkRunInProgress: 'not known' });
});
