import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { mergeGroupEvent, pushEvent, scheduleEvent, workflowDispatchEvent } from '../../sandbox/events.ts';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import { isObject, type JsonObject, objectAt } from '../../sandbox/json.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { openRepository } from '../scenarios/repository.ts';
import { openEnvironment, type TestEnvironment } from '../support/driver/environment.ts';
import { everythingWritten } from '../support/driver/secrecy.ts';
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
const SECRET = /zqx[a-z]+zqx|31337|CWE-4242|cwe-4242/gi;

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

interface OutcomeGiven {
  /** Members that every finding gets. */
  readonly members?: JsonObject;
  /** True if the service publishes the page without the password that the run asks for. */
  readonly isOpen?: boolean;
  /** The kind of request that the service answers with an error that quotes a finding. */
  readonly refused?: string;
  /** The kind of request that the service answers with a redirect whose address quotes a finding. */
  readonly redirected?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The expected outputs. */
  readonly expected: JsonObject;
}

/** The ways in which a run with findings can end. */
const OUTCOMES: Readonly<Record<string, OutcomeGiven>> = {
  blocked: { expected: { outcome: 'blocked' } },
  passed: { inputs: { 'fail-on': 'none' }, expected: { outcome: 'passed' } },
  'blocked by unknown values': {
    members: UNKNOWN_VALUES,
    inputs: { 'fail-on-evidence': 'poc' },
    expected: { outcome: 'blocked' },
  },
  'passed, exempt by path': { inputs: { 'paths-exempt': 'src/**' }, expected: { outcome: 'passed' } },
  'closed by triage': {
    members: { resolutionStatus: 'MITIGATED' },
    expected: { outcome: 'passed' },
  },
  'published without a password': { isOpen: true, expected: { outcome: 'blocked' } },
  'the details cannot be read': {
    refused: 'findings.read',
    expected: { outcome: 'blocked' },
  },
  'the details are redirected to another address': {
    redirected: 'findings.read',
    expected: { outcome: 'blocked' },
  },
  'the list is redirected to another address': {
    redirected: 'findings.list',
    expected: { outcome: 'not-scanned', reason: 'service-error' },
  },
  'the list cannot be read': {
    refused: 'findings.list',
    expected: { outcome: 'not-scanned', reason: 'service-error' },
  },
};

interface RunGiven {
  readonly event: EventName;
  readonly visibility: Visibility;
  /** A key of `OUTCOMES`. Default: blocked. */
  readonly outcome?: string;
  readonly mayWriteChecks?: boolean;
  /**
   * The number of runs. The first run launches the scan, and each later run reuses it. Only the last run is checked.
   * Default: 1.
   */
  readonly runs?: number;
  readonly inputs?: Readonly<Record<string, string>>;
}

function interceptOf({ members = {}, refused, redirected, isOpen = false }: OutcomeGiven) {
  return ({ point }: { readonly point: string }): Interception | undefined => {
    if (point === refused) {
      return {
        status: 500,
        body: { error: { code: 'internal', message: Object.values(TEXTS).join(' ') } },
      };
    }
    if (point === redirected) {
      return {
        status: 302,
        headers: { location: `https://${TEXTS.title}.example/${TEXTS.filePath}` },
        body: {},
      };
    }
    if (point === 'scans.publish' && isOpen) {
      return { status: 200, body: { publicId: PAGE, accessPassword: null } };
    }
    return point === 'findings.list' || point === 'findings.read'
      ? { rewrite: (answer) => rewritten(answer, members) }
      : undefined;
  };
}

/** The payload without the members that show who can read the repository. */
function hideVisibility(payload: JsonObject): JsonObject {
  const shown = objectAt(payload, 'repository');
  const { visibility: _, private: __, ...rest } = shown;
  return { ...payload, repository: rest };
}

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
      pushEvent({
        ...described,
        ref: 'refs/heads/stable',
        before: repository.id('start'),
        after: headSha,
      }),
    schedule: () => scheduleEvent(described),
    workflow_dispatch: () => workflowDispatchEvent({ ...described, ref: 'refs/heads/main' }),
  };
  const payload = payloads[event]();
  return visibility === 'unknown' ? hideVisibility(payload) : payload;
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
async function runOnce({
  event,
  visibility,
  outcome = 'blocked',
  mayWriteChecks = true,
  runs = 1,
  inputs,
}: RunGiven): Promise<Shown> {
  const given = OUTCOMES[outcome];
  if (given === undefined) throw new Error(`there is no outcome ${outcome}`);
  const workspace = await mkdtemp(path.join(tmpdir(), 'scangate-unfixed-'));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const environment = await openEnvironment({
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    visibility: visibility === 'public' ? 'public' : 'private',
    github: {
      permissions: {
        contents: 'read',
        'pull-requests': 'write',
        checks: mayWriteChecks ? 'write' : 'none',
      },
    },
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY }, intercept: interceptOf(given) },
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
        ...given.inputs,
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

const CASES = EVENTS.flatMap((event) =>
  VISIBILITIES.map((visibility) => ({
    event,
    visibility,
    withheld: !OF_CHANGES.has(event) && visibility !== 'private',
  })),
);

describe.each(CASES.filter(({ withheld }) => withheld))(
  'on $event in a repository that is $visibility',
  ({ event, visibility }) => {
    test.each(Object.entries(OUTCOMES))(
      `a run on ${event} (repository: ${visibility}) shows no text of a finding (%s)`,
      async (outcome, { expected }) => {
        const { run, places } = await runOnce({ event, visibility, outcome });
        expect(run.outputs, run.log).toMatchObject(expected);
        expect(textsIn(places)).toEqual({});
        expect(run.annotations.filter(({ file }) => file !== undefined)).toEqual([]);
      },
    );

    test(`a run on ${event} (repository: ${visibility}) that may not write a check run shows no text of a finding`, async () => {
      const { run, places } = await runOnce({ event, visibility, mayWriteChecks: false });
      expect(textsIn(places)).toEqual({});
      expect(run.annotations.filter(({ file }) => file !== undefined)).toEqual([]);
    });

    test(`a run on ${event} (repository: ${visibility}) shows no text of a finding if it reuses a scan`, async () => {
      const { run, places } = await runOnce({
        event,
        visibility,
        outcome: 'blocked by unknown values',
        runs: 2,
      });
      expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'true' });
      expect(textsIn(places)).toEqual({});
    });

    test(`a run on ${event} (repository: ${visibility}) shows the outcome, the labels of findings and the id of the scan`, async () => {
      const { run, environment, places, files } = await runOnce({ event, visibility });
      const labels = files.get('scan.json')?.match(/ZK-\w+/g) ?? [];
      expect(labels.length).toBeGreaterThan(3);
      const [checkRun] = environment.github.checkRuns;
      const check = JSON.stringify(checkRun?.output);
      const scan = run.outputs['scan-id'] ?? '';
      for (const text of [run.summary, check]) {
        expect(text).toContain('only the labels of the findings');
        expect(text).toContain('Critical');
        expect(text.replaceAll('&#95;', '_')).toContain(scan);
      }
      expect(run.summary).toContain('Blocked: ');
      expect(labels.filter((label) => !run.summary.includes(label))).toEqual([]);
      expect(labels.some((label) => check.includes(label))).toBe(true);
      expect(labels.some((label) => run.log.includes(label))).toBe(true);
      expect(run.log).toContain(`To read the findings, open scan \`${scan}\``);
      expect(run.outputs).toMatchObject({ 'highest-severity': 'CRITICAL' });
      expect(places.get('outputs')).toContain('severity-counts');
      expect(checkRun?.annotations).toEqual([]);
      expect(places.get('requests to GitHub')).toContain('The result appears here when it completes.');
    });

    test(`a run on ${event} (repository: ${visibility}) ends with the reason \`configuration\` if \`publish-password\` is false`, async () => {
      const { run, environment } = await runOnce({
        event,
        visibility,
        inputs: { 'publish-password': 'false' },
      });
      expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
      expect(run.log).toContain(`On \`${event}\`, \`publish\` needs \`publish-password: true\``);
      expect(environment.service.scans()).toEqual([]);
    });

    test(`a run on ${event} (repository: ${visibility}) does not link to a page that the service published without a password`, async () => {
      const { run, places } = await runOnce({ event, visibility, outcome: 'published without a password' });
      expect(run.log).toContain('without the password that Scangate asked for');
      expect([...places.keys()].filter((place) => places.get(place)?.includes(PAGE))).toEqual([]);
      expect(run.outputs['public-url']).toBe('');
    });

    test(`a run on ${event} (repository: ${visibility}) shows the texts of findings in the JSON report`, async () => {
      const { files } = await runOnce({ event, visibility });
      const { 'scan.json': json = [], 'scan.sarif': sarif } = textsIn(files);
      expect(json).toEqual(expect.arrayContaining([TEXTS.title, 'zqxpathzqx', 'zqxfixzqx']));
      if (event === 'push') expect(sarif).toBeUndefined();
      else expect(sarif).toEqual(expect.arrayContaining([TEXTS.title, 'zqxpathzqx', 'zqxfixzqx']));
    });
  },
);

describe.each(CASES.filter(({ withheld }) => !withheld))(
  'on $event in a repository that is $visibility',
  ({ event, visibility }) => {
    test(`a run on ${event} (repository: ${visibility}) may publish without a password`, async () => {
      const { run } = await runOnce({ event, visibility, inputs: { 'publish-password': 'false' } });
      expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked', 'public-password': '' });
      expect(run.outputs['public-url']).not.toBe('');
    });

    test(`a run on ${event} (repository: ${visibility}) lists the findings`, async () => {
      const { run, places } = await runOnce({ event, visibility });
      expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked' });
      const shown = textsIn(places);
      for (const place of ['log', 'summary', 'requests to GitHub']) {
        expect(shown[place], place).toEqual(expect.arrayContaining(['zqxtitlezqx', 'zqxpathzqx']));
      }
      expect(run.summary).not.toContain('only the labels of the findings');
      expect(places.get('requests to GitHub')).toContain('The findings appear here when it completes.');
    });
  },
);
