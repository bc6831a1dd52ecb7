import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mergeGroupEvent, pushEvent, scheduleEvent, workflowDispatchEvent } from '../../sandbox/events.ts';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import type { Grant, Permissions } from '../../sandbox/github/access.ts';
import type { Intercept } from '../../sandbox/github/faults.ts';
import type { GitHubOptions } from '../../sandbox/github/server.ts';
import { isObject, type JsonObject, objectAt } from '../../sandbox/json.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { openRepository } from '../scenarios/repository.ts';
import { openEnvironment, type TestEnvironment } from '../support/driver/environment.ts';
import { everythingWritten } from '../support/driver/secrecy.ts';
import { rounds } from '../support/rounds.ts';
import type { SharedRepository } from '../support/shared-repository.ts';

let repository: SharedRepository;
beforeAll(async () => {
  repository = await openRepository();
});

const VISIBILITIES = ['public', 'private', 'unknown'] as const;
type Visibility = (typeof VISIBILITIES)[number];
const EVENTS = [
  'pull_request',
  'pull_request_target',
  'merge_group',
  'push',
  'schedule',
  'workflow_dispatch',
] as const;
type EventName = (typeof EVENTS)[number];
/**
 * The events that scan a change. In a public repository, the diff of a change is public too, so these runs show its
 * findings.
 */
const OF_CHANGES: ReadonlySet<EventName> = new Set(['pull_request', 'pull_request_target', 'merge_group']);

const LINE = 31_337;
/** The texts of every finding. No other text contains them. */
const TEXTS = {
  title: 'zqxtitlezqx',
  description: 'zqxdescriptionzqx',
  recommendedFix: 'zqxfixzqx',
  proofOfConcept: 'zqxproofzqx',
  filePath: 'src/zqxpathzqx.js',
  url: 'https://127.0.0.1/zqxurlzqx',
} as const;
/** Values that the gate does not know. A warning quotes them. */
const UNKNOWN_VALUES = {
  severity: 'ZQXSEVERITYZQX',
  triageStatus: 'ZQXTRIAGEZQX',
  confirmationEvidence: 'ZQXEVIDENCEZQX',
} as const;
/** The id of a page that the service publishes without a password. */
const PAGE = 'zqypagezqy';
const FIRST_RUN = 9_000_000_100;
const SECRET = /zq[xy][a-z]+zq[xy]|31337|CWE-4242/gi;

/** Inserts `TEXTS` into every finding of an answer of the service. */
function rewritten(answer: Answer, members: JsonObject): Answer {
  const { body } = answer;
  if (!isObject(body)) return answer;
  const says = (finding: unknown) =>
    isObject(finding)
      ? { ...finding, ...TEXTS, cwe: 'CWE-4242', startLine: LINE, endLine: LINE, ...members }
      : finding;
  const items: unknown = body['items'];
  if (Array.isArray(items)) return { ...answer, body: { ...body, items: items.map(says) } };
  return { ...answer, body: { ...body, finding: says(body['finding']) } };
}

interface Ending {
  /** Members that every finding gets. */
  readonly members?: JsonObject;
  /** The service's answers to kinds of requests. */
  readonly answers?: Readonly<Record<string, Interception>>;
  readonly github?: Partial<GitHubOptions>;
  /** The number of runs. The first run launches the scan, and each later run reuses it. Only the last run is checked. */
  readonly runs?: number;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The expected outputs. Default: blocked. */
  readonly expected?: JsonObject;
  /** A text that the log contains. */
  readonly log?: string;
}

const QUOTING: Interception = {
  status: 500,
  body: { error: { code: 'internal', message: Object.values(TEXTS).join(' ') } },
};
const REDIRECTED: Interception = {
  status: 302,
  headers: { location: `https://${TEXTS.title}.example/${TEXTS.filePath}` },
  body: {},
};
const permitting = (checks: Grant, pullRequests: Grant): Permissions => ({
  contents: 'read',
  checks,
  'pull-requests': pullRequests,
});
const UNREAD = { outcome: 'not-scanned', reason: 'service-error' };
const UNKNOWN: Ending = { members: UNKNOWN_VALUES, inputs: { 'fail-on-evidence': 'poc' } };

/** The ways in which a run with findings can end. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  passed: { inputs: { 'fail-on': 'none' }, expected: { outcome: 'passed' } },
  'blocked by unknown values': UNKNOWN,
  'blocked by a scan that it reuses': { ...UNKNOWN, runs: 2, expected: { 'scan-reused': 'true' } },
  'passed, exempt by path': { inputs: { 'paths-exempt': 'src/**' }, expected: { outcome: 'passed' } },
  'closed by triage': { members: { resolutionStatus: 'MITIGATED' }, expected: { outcome: 'passed' } },
  'a check run may not be written': { github: { permissions: permitting('none', 'write') } },
  'published without a password': {
    answers: { 'scans.publish': { status: 200, body: { publicId: PAGE, accessPassword: null } } },
    expected: { outcome: 'blocked', 'public-url': '' },
    log: 'without the password that Scangate asked for',
  },
  'published without its password by an input': {
    inputs: { 'publish-password': 'false' },
    expected: { outcome: 'not-scanned', reason: 'configuration', 'scan-id': '' },
    log: '`publish` needs `publish-password: true`',
  },
  'the details cannot be read': { answers: { 'findings.read': QUOTING } },
  'the details are redirected to another address': { answers: { 'findings.read': REDIRECTED } },
  'the list is redirected to another address': { answers: { 'findings.list': REDIRECTED }, expected: UNREAD },
  'the list cannot be read': { answers: { 'findings.list': QUOTING }, expected: UNREAD },
};

function payloadOf(environment: TestEnvironment, event: EventName, visibility: Visibility): JsonObject {
  const headSha = repository.id('vulnerable');
  const described = {
    repository: environment.repository,
    visibility: visibility === 'public' ? 'public' : 'private',
    serverUrl: environment.github.serverUrl,
  } as const;
  const payloads: Readonly<Record<EventName, () => JsonObject>> = {
    pull_request: () => environment.pullRequestPayload(),
    pull_request_target: () => environment.pullRequestPayload(),
    merge_group: () =>
      mergeGroupEvent({ ...described, headSha, baseSha: repository.id('moved on'), baseRef: 'main' }),
    push: () =>
      pushEvent({ ...described, ref: 'refs/heads/stable', before: repository.id('start'), after: headSha }),
    schedule: () => scheduleEvent(described),
    workflow_dispatch: () => workflowDispatchEvent({ ...described, ref: 'refs/heads/main' }),
  };
  const payload = payloads[event]();
  if (visibility !== 'unknown') return payload;
  // GitHub Enterprise Server or an old event may not send who can read the repository.
  const { visibility: _, private: __, ...rest } = objectAt(payload, 'repository');
  return { ...payload, repository: rest };
}

interface Shown {
  readonly run: ActionRun;
  readonly environment: TestEnvironment;
  /** What the run wrote to places that everyone with read access to the repository can read. */
  readonly places: ReadonlyMap<string, string>;
  /** What the run wrote to its files. */
  readonly files: ReadonlyMap<string, string>;
}

/** Runs the action with step debug logging. The action writes to every output. */
async function runOnce(event: EventName, visibility: Visibility, ending: Ending = {}): Promise<Shown> {
  const { members = {}, answers = {}, github, runs = 1, inputs } = ending;
  const workspace = await mkdtemp(path.join(tmpdir(), 'scangate-public-'));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const environment = await openEnvironment({
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    visibility: visibility === 'public' ? 'public' : 'private',
    github: { permissions: permitting('write', 'write'), ...github },
    service: {
      pace: { phasesPerPoll: Number.POSITIVE_INFINITY },
      intercept: ({ point }) => {
        const isOfFindings = point === 'findings.list' || point === 'findings.read';
        return (
          answers[point] ?? (isOfFindings ? { rewrite: (answer) => rewritten(answer, members) } : undefined)
        );
      },
    },
  });
  onTestFinished(() => environment.close());
  const start = (runId: number) =>
    environment.run({
      workspace,
      runId,
      debug: true,
      sha: repository.id('vulnerable'),
      event: { name: event, payload: payloadOf(environment, event, visibility) },
      inputs: {
        'timeout-minutes': '30',
        'sarif-file': 'scan.sarif',
        'report-file': 'scan.json',
        publish: 'always',
        comment: 'always',
        ...inputs,
      },
    });
  let run = await start(FIRST_RUN);
  for (let more = 1; more < runs; more += 1) run = await start(FIRST_RUN + more);
  const written = new Map(everythingWritten(environment, run, [workspace]));
  const isFile = ([place]: readonly [string, string]) => place === 'scan.json' || place === 'scan.sarif';
  // Requests to the service are not checked. They contain only ids of findings, and the service knows these ids.
  written.delete('requests to the service');
  const all = [...written];
  return {
    run,
    environment,
    files: new Map(all.filter(isFile)),
    places: new Map(all.filter((entry) => !isFile(entry))),
  };
}

/** The texts of findings that can be read, by place. */
function textsIn(places: ReadonlyMap<string, string>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...places].flatMap(([place, text]) => {
      const found = [...new Set(text.match(SECRET))];
      return found.length === 0 ? [] : [[place, found]];
    }),
  );
}

const CASES = EVENTS.flatMap((event) => VISIBILITIES.map((visibility) => ({ event, visibility })));
const isWithheld = ({ event, visibility }: (typeof CASES)[number]) =>
  !OF_CHANGES.has(event) && visibility !== 'private';
/** The quick round tries each ending in one of the cases. */
const WITHHELD = CASES.filter(isWithheld).map((one, index, { length }) => ({
  ...one,
  endings: Object.entries(ENDINGS).filter((_, turn) => rounds(turn % length === index, true)),
}));

describe.each(WITHHELD)('on $event in a repository that is $visibility', ({ event, visibility, endings }) => {
  test.each(endings)(
    `a run on ${event} (repository: ${visibility}) shows no text of a finding (%s)`,
    async (_what, ending) => {
      const { run, environment, places } = await runOnce(event, visibility, ending);
      expect(run.outputs, run.log).toMatchObject(ending.expected ?? { outcome: 'blocked' });
      expect(run.log).toContain(ending.log ?? '');
      expect(environment.service.scans()).toHaveLength(run.outputs['scan-id'] === '' ? 0 : 1);
      expect(textsIn(places)).toEqual({});
      expect(run.annotations.filter(({ file }) => file !== undefined)).toEqual([]);
    },
  );

  test(`a run on ${event} (repository: ${visibility}) shows the outcome, and the texts of findings only in its files`, async () => {
    const { run, environment, places, files } = await runOnce(event, visibility);
    const labels = files.get('scan.json')?.match(/ZK-\w+/g) ?? [];
    expect(labels.length).toBeGreaterThan(3);
    const [checkRun] = environment.github.checkRuns;
    const check = JSON.stringify(checkRun?.output);
    const pages = [run.summary, check, run.log];
    for (const text of pages) expect(text).toContain('only the labels of the findings');
    expect(labels.filter((label) => !run.summary.includes(label))).toEqual([]);
    for (const text of pages) expect(labels.some((label) => text.includes(label))).toBe(true);
    expect(run.outputs).toMatchObject({ outcome: 'blocked', 'highest-severity': 'CRITICAL' });
    expect(checkRun?.annotations).toEqual([]);
    expect(places.get('requests to GitHub')).toContain('The result appears here when it completes.');
    expect(textsIn(places)).toEqual({});
    const texts = expect.arrayContaining([TEXTS.title, 'zqxpathzqx', 'zqxfixzqx']);
    // A push writes no SARIF file: code scanning would close the alerts of the rest.
    expect(textsIn(files)).toEqual({
      'scan.json': texts,
      ...(event === 'push' ? {} : { 'scan.sarif': texts }),
    });
  });
});

test.each(CASES.filter((one) => !isWithheld(one)))(
  'a run on $event (repository: $visibility) lists the findings, and may publish without a password',
  async ({ event, visibility }) => {
    const { run, places } = await runOnce(event, visibility, { inputs: { 'publish-password': 'false' } });
    expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked', 'public-password': '' });
    expect(run.outputs['public-url']).not.toBe('');
    const shown = textsIn(places);
    for (const place of ['log', 'summary', 'requests to GitHub'])
      expect(shown[place], place).toEqual(expect.arrayContaining(['zqxtitlezqx', 'zqxpathzqx']));
    expect(run.summary).not.toContain('only the labels of the findings');
    expect(places.get('requests to GitHub')).toContain('The findings appear here when it completes.');
  },
);

/** The places and the files where a text can be read. */
const showing = (text: string, { places, files }: Shown) =>
  [...places, ...files].flatMap(([place, all]) => (all.includes(text) ? [place] : [])).sort();

const withoutGraphql: Intercept = ({ point }) =>
  point === 'graphql'
    ? { status: 403, body: { message: 'Resource not accessible by integration' } }
    : undefined;
const NOW_PUBLIC = { visibility: 'public' } as const;

test.each<[what: string, visibility: Visibility, github?: Partial<GitHubOptions>]>([
  ['a public repository', 'public'],
  ['a public repository, without permissions', 'public', { permissions: permitting('none', 'none') }],
  ['a repository that became public after the event', 'private', NOW_PUBLIC],
  [
    'a repository that became public after the event, read by REST',
    'private',
    { ...NOW_PUBLIC, intercept: withoutGraphql },
  ],
  ['a repository that became private after the event', 'public', { visibility: 'private' }],
  ['a repository of unknown visibility', 'unknown'],
])('a run in %s writes no proof of concept to any output', async (_what, visibility, github = {}) => {
  const shown = await runOnce('pull_request', visibility, { github });
  expect(shown.run.outputs).toMatchObject({ outcome: 'blocked', 'findings-blocking': '2' });
  expect(shown.files.size).toBe(2);
  expect(showing(TEXTS.proofOfConcept, shown)).toEqual([]);
});

test('a run in a private repository writes a proof of concept to GitHub, the job summary and the files', async () => {
  const shown = await runOnce('pull_request', 'private');
  const places = ['requests to GitHub', 'scan.json', 'scan.sarif', 'summary'];
  expect(showing(TEXTS.proofOfConcept, shown)).toEqual(places);
});

const REFUSALS = ['repositories', 'scans.launch', 'findings.list'].flatMap((point) => [
  { point, status: 500, code: 'internal' },
  { point, status: 403, code: 'forbidden' },
]);

test.each(REFUSALS)(
  "a run in a public repository hides the service's error message if the request `$point` gets the status $status",
  async ({ point, status, code }) => {
    const message = 'zqxmessageoftheservicezqx';
    const placesIn = async (visibility: Visibility, github: Partial<GitHubOptions> = {}) => {
      const answers = { [point]: { status, body: { error: { code, message } } } };
      const shown = await runOnce('pull_request', visibility, { answers, github });
      expect(shown.run.outputs).toMatchObject({ outcome: 'not-scanned' });
      expect(shown.run.log).toContain(`\`${code}\``);
      expect(shown.run.summary).toContain(code);
      return showing(message, shown);
    };
    expect(await placesIn('private')).toContain('log');
    expect(await placesIn('public')).toEqual([]);
    // The repository became public after the event.
    expect(await placesIn('private', NOW_PUBLIC)).toEqual([]);
  },
);
