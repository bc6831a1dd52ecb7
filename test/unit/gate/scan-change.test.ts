import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { LaunchedScan, Scan } from '../../../src/domain/scan.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { Stop } from '../../../src/domain/stop.ts';
import type { TargetPullRequest } from '../../../src/domain/target.ts';
import type { ChangeDeps } from '../../../src/gate/launch-change.ts';
import { type LaunchableChange, planLaunch } from '../../../src/gate/launch-plan.ts';
import { scanChange } from '../../../src/gate/scan-change.ts';
import { createStepIdentity } from '../../../src/gate/step-identity.ts';
import { createStopwatch } from '../../../src/gate/stopwatch.ts';
import { hiddenLines } from '../../../src/github/comment-marker.ts';
import type { GitHubError } from '../../../src/github/github-error.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { findEarlierMarks } from '../../../src/scan/find-marks.ts';
import { exactKey, type ScanKeyFields } from '../../../src/scan/scan-key.ts';
import { encodeMark, readMark, type ScanMark } from '../../../src/scan/scan-mark.ts';
import type { ApiError } from '../../../src/scan-api/api-error.ts';
import type { ScanApi } from '../../../src/scan-api/scan-api.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { pullRequestAnswer } from '../github/pull-request-answers.ts';
import { POLICY, sampleTarget } from '../report/sample-report.ts';
import { aScan, BASE, HEAD, polled, refused, unreachable } from '../scan/fake-api.ts';
import { whole } from '../scan/sample-subject.ts';

const OLDER = 'e'.repeat(40);
const TOKEN = 'api-token-of-the-test';
const SEAL = createSeal(TOKEN, '1296269');
const CHECK = 'Security scan';
const PAGE = 'https://github.com/acme/shop/runs/';

const KEY_FIELDS: ScanKeyFields = {
  repositoryId: 'r',
  pullRequest: 5,
  headSha: HEAD,
  baseSha: BASE,
  presetRef: 'diff',
  creditBudget: 20,
  launchParameters: {},
};
const KEY = exactKey(KEY_FIELDS);

function markText(changes: Partial<ScanMark> & { scanId: string }): string {
  const fields = {
    pullRequest: 5,
    headSha: HEAD,
    baseSha: BASE,
    key: KEY,
    launchedAt: 1_000,
    runId: 7,
    runAttempt: 1,
  };
  return encodeMark({ ...fields, ...changes }, SEAL);
}

/** A scan that runs until its time, and then has this status. */
interface Running {
  readonly status?: string;
  readonly endsAtMs?: number;
  readonly shown?: Partial<Scan>;
}

interface CheckRunRow {
  readonly id: number;
  readonly name: string;
  readonly head_sha: string;
  external_id: string;
  status: string;
}

const Posted = v.object({
  head_sha: v.string(),
  name: v.string(),
  external_id: v.string(),
  status: v.string(),
});
const Patched = v.object({ check_run_id: v.number(), external_id: v.optional(v.string()) });
const Named = v.object({ commit_sha: v.string() });
const ListRef = v.object({ ref: v.string() });

/** Service and GitHub in memory, in fake time. */
class Outside {
  readonly clock = new FakeClock();
  readonly calls: string[] = [];
  readonly checkRuns: CheckRunRow[] = [];
  readonly scans = new Map<string, Running>();
  /** The head of the pull request on GitHub. */
  headSha = HEAD;
  /** What the next launches answer; by default each is accepted. `lost`: accepted, without an answer. */
  readonly launches: (Result<LaunchedScan, ApiError> | 'lost')[] = [];
  onLaunch: () => void = () => {};
  /** How long a launched scan runs. */
  ownScanMs = 60_000;
  onScanRead: (scanId: string) => void = () => {};
  refuses: (route: string) => boolean = () => false;
  /** How GitHub refuses. */
  refusal: GitHubError['kind'] = 'forbidden';
  /** The state in the comment of an earlier run. */
  commentState: string | undefined;
  /** Neither a cancellation nor what became of the scan is answered. */
  losesCancels = false;
  /** Nothing that is asked of this scan is answered. */
  isGone: (scanId: string) => boolean = () => false;
  /** What a launched scan shows, beside what all show. */
  shownOfOwn: Partial<Scan> = {};
  /** Launches are answered, and no scan is added. */
  launchesNothing = false;
  /** The service shows no such scan, nor lists it. */
  isUnknown: (scanId: string) => boolean = () => false;
  /** The scan list cannot be read until a launch was lost. */
  losesLists = false;

  addCheckRun(externalId: string, more: Partial<CheckRunRow> = {}): number {
    const id = this.checkRuns.length + 1;
    const row = { id, name: CHECK, head_sha: HEAD, external_id: externalId, status: 'completed', ...more };
    this.checkRuns.push(row);
    return row.id;
  }

  count(call: string): number {
    return this.calls.filter((made) => made.startsWith(call)).length;
  }

  #read(id: string): Scan | undefined {
    const scan = this.scans.get(id);
    if (scan === undefined || this.isUnknown(id)) return undefined;
    const { status = 'COMPLETED', endsAtMs = 0 } = scan;
    const shown = { ...whole, ...scan.shown, id };
    return aScan(this.clock.now() >= endsAtMs ? status : 'RUNNING', shown);
  }

  readonly api: ScanApi = {
    token: () => expect.unreachable(),
    repositories: () => expect.unreachable(),
    presets: () => expect.unreachable(),
    guidance: () => expect.unreachable(),
    publish: () => expect.unreachable(),
    finding: () => expect.unreachable(),
    sampleFindings: () => expect.unreachable(),
    findings: async () => ok([]),
    scans: async () => {
      this.calls.push('list');
      if (this.losesLists && this.count('launch') === 1) return unreachable('unknown', 'reset');
      const scans = [...this.scans.keys()].flatMap((id) => this.#read(id) ?? []);
      return ok({ scans: scans.toReversed().map(({ progress: _, ...listed }) => listed), complete: true });
    },
    launch: async () => {
      this.calls.push('launch');
      this.onLaunch();
      const scanId = `own-${this.count('launch')}`;
      const answer = this.launches.shift() ?? ok({ scanId, otherIds: [] });
      if (answer !== 'lost' && !answer.ok) return answer;
      const endsAtMs = this.clock.now() + this.ownScanMs;
      if (!this.launchesNothing) this.scans.set(scanId, { endsAtMs, shown: this.shownOfOwn });
      return answer === 'lost' ? unreachable('unknown', 'reset') : answer;
    },
    scan: async (_project, id) => {
      this.onScanRead(id);
      if (this.isGone(id)) return unreachable('unknown', 'reset');
      const scan = this.#read(id);
      return scan === undefined ? refused(404, 'not_found') : polled(scan, 1_000);
    },
    readScan: async (_project, id) => {
      if (this.isGone(id) || (this.losesCancels && id === 'own-1')) return unreachable('unknown', 'reset');
      const scan = this.#read(id);
      return scan === undefined ? refused(404, 'not_found') : ok(scan);
    },
    cancel: async (_project, id) => {
      this.calls.push(`cancel ${id}`);
      if (this.isGone(id)) return unreachable('unknown', 'reset');
      const scan = this.#read(id);
      if (scan?.status !== 'RUNNING') return refused(400, 'bad_request', { operation: 'cancel the scan' });
      this.scans.set(id, { ...this.scans.get(id), endsAtMs: 0, status: 'CANCELLED' });
      return this.losesCancels ? unreachable('unknown', 'reset') : ok(undefined);
    },
  };

  readonly github: GitHubClient = {
    owner: 'acme',
    repo: 'shop',
    graphqlUrl: 'https://api.github.com/graphql',
    pauseAfterLoss: async () => {},
    ask: async ({ route, parameters, answer, operation, permission }) => {
      this.calls.push(route.replace('/repos/{owner}/{repo}', ''));
      if (this.refuses(route)) {
        const no = { kind: this.refusal, status: 403, message: 'no', ambiguous: false };
        return err<GitHubError>({ ...no, operation, permission });
      }
      return ok({ data: v.parse(answer, this.#answer(route, parameters)), hasNextPage: false });
    },
  };

  #comments() {
    const marker = { checkName: CHECK, headSha: HEAD, runId: 6, runAttempt: 1 };
    const body = `${hiddenLines(marker, this.commentState)}\n## Passed`;
    const author = { __typename: 'Bot', login: 'github-actions' };
    const nodes = this.commentState === undefined ? [] : [{ fullDatabaseId: '1', body, author }];
    return { pageInfo: { hasNextPage: false }, nodes };
  }

  #answer(route: string, parameters: unknown): unknown {
    switch (route) {
      case 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs': {
        const { ref } = v.parse(ListRef, parameters);
        return { check_runs: this.checkRuns.filter((run) => run.head_sha === ref) };
      }
      case 'POST /repos/{owner}/{repo}/check-runs': {
        const { external_id, ...row } = v.parse(Posted, parameters);
        const id = this.addCheckRun(external_id, row);
        return { id, html_url: `${PAGE}${id}` };
      }
      case 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}': {
        const { check_run_id: id, external_id } = v.parse(Patched, parameters);
        const row = this.checkRuns.find((run) => run.id === id);
        if (row !== undefined && external_id !== undefined) row.external_id = external_id;
        return { id, html_url: `${PAGE}${id}` };
      }
      case 'POST https://api.github.com/graphql':
        return pullRequestAnswer({ headRefOid: this.headSha, comments: this.#comments() });
      case 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}': {
        const { commit_sha: sha } = v.parse(Named, parameters);
        // Each commit has files of its own.
        return { sha, tree: { sha } };
      }
      default:
        throw new Error(`no such route: ${route}`);
    }
  }
}

const INPUTS = { policy: POLICY, reuseScan: true, checkName: CHECK, projectId: undefined };

interface Options {
  /** `none`: the event is not about a pull request. */
  readonly pullRequest?: Partial<TargetPullRequest> | 'none';
  readonly inputs?: Partial<ChangeDeps['inputs']>;
  readonly runAttempt?: number;
}

async function scan(outside: Outside, { pullRequest, inputs: given, runAttempt = 1 }: Options = {}) {
  const { clock, api, github } = outside;
  const inputs = { ...INPUTS, ...given };
  const saved: unknown[] = [];
  const said: string[] = [];
  const warnings: string[] = [];
  const log = {
    info: (text: string) => void said.push(text),
    warning: (text: string) => void said.push(text),
    error: (text: string) => void said.push(text),
    group: () => {},
    annotate: () => true,
    mask: () => {},
  };
  const deps: Omit<ChangeDeps, 'environment'> = {
    api,
    github,
    inputs,
    seal: SEAL,
    clock,
    random: () => 0,
    stopwatch: createStopwatch(clock),
    deadlines: {
      work: NEVER_ABORTED,
      launch: NEVER_ABORTED,
      cancelling: NEVER_ABORTED,
      wrapUp: NEVER_ABORTED,
      signalled: NEVER_ABORTED,
      stop: () => {},
      startTimeout: () => {},
      leftMs: () => Number.POSITIVE_INFINITY,
      startSearch: () => {
        const search = new AbortController();
        void clock.sleep(60_000).then(() => search.abort(new Stop('timeout')));
        return search.signal;
      },
    },
    signal: NEVER_ABORTED,
    log,
    warn: (...sentences) => void warnings.push(...sentences),
    state: {
      saveScan: (run) => void saved.push(run),
      clearScan: () => void saved.push('scan cleared'),
      saveCheckRun: (run) => void saved.push(run),
      clearCheckRun: () => void saved.push('check run cleared'),
    },
  };
  const target = {
    ...sampleTarget({ pullRequest: { number: 5, ...(pullRequest === 'none' ? {} : pullRequest) } }),
    ...(pullRequest === 'none' && { pullRequest: undefined }),
    headSha: HEAD,
  };
  const listed = await api.scans('p', { signal: NEVER_ABORTED });
  outside.calls.length = 0;
  const environment = {
    eventName: 'pull_request',
    eventPath: '',
    owner: 'acme',
    repo: 'shop',
    serverUrl: 'https://github.com',
    apiUrl: 'https://api.github.com',
    graphqlUrl: 'https://api.github.com/graphql',
    runId: 7,
    runAttempt,
    runUrl: 'https://github.com/acme/shop/actions/runs/7',
    sha: HEAD,
    ref: '',
    actor: '',
    runnerTemp: undefined,
  };
  const change: LaunchableChange = {
    target,
    diffBase: { baseSha: BASE, headSha: HEAD, how: 'compare' },
    preflight: {
      projectId: 'p',
      repository: { id: 'r', owner: 'acme', name: 'shop', url: '', status: 'ACTIVE', readiness: 'ready' },
      preset: { ref: 'diff', name: 'Diff', minCredits: 20 },
      creditBudget: 20,
      token: undefined,
      scans: listed.ok ? listed.value : undefined,
      warnings: [],
    },
  };
  const planned = {
    ...change,
    plan: planLaunch(change, readLaunchParameters({})),
    earlier: await findEarlierMarks(
      {
        github,
        inputs: { ...inputs, comment: 'on-findings' },
        seal: SEAL,
        runId: 1,
        runAttempt,
        signal: NEVER_ABORTED,
        log,
      },
      target,
    ),
    trees: undefined,
    identity: createStepIdentity(environment, { seal: SEAL, checkName: CHECK }, HEAD, {
      ...KEY_FIELDS,
      key: KEY,
    }),
  };
  const scanned = await scanChange({ ...deps, environment }, { kind: 'scan', change: planned, known: {} });
  return { scanned, saved, said, warnings };
}

/** The scans that the check runs of the head name, in the order of their ids. */
const markedScans = ({ checkRuns }: Outside) =>
  checkRuns.map(({ external_id }) => readMark(external_id, SEAL)?.scanId);

/** The calls that cancel a scan. */
const cancels = ({ calls }: Outside) => calls.filter((call) => call.startsWith('cancel'));

describe('a change that no run has scanned', () => {
  test.each([
    ['a pull request', {}, 'Only a comment can hold the mark.'],
    ['a push', 'none', 'Later runs cannot reuse this scan.'],
  ] as const)(
    'of %s, with an id too long for a mark, says where the mark is',
    async (_what, pullRequest, says) => {
      const outside = new Outside();
      const scanId = 's'.repeat(250);
      outside.launches.push(ok({ scanId, otherIds: [] }));
      outside.onLaunch = () => void outside.scans.set(scanId, { endsAtMs: 60_000 });
      const { scanned, said } = await scan(outside, { pullRequest });
      expect(scanned).toMatchObject({ scanId, outcome: { kind: 'completed' } });
      expect(said.filter((line) => line.includes('too long'))).toEqual([
        `The scan id is too long for a mark in the check run. ${says}`,
      ]);
    },
  );

  test('is launched once, marked on its check run, followed and read', async () => {
    const outside = new Outside();
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({
      scanId: 'own-1',
      scanStatus: 'COMPLETED',
      creditsReserved: 20,
      commitConfirmed: true,
      outcome: { kind: 'completed' },
      checkRun: { ok: true, value: { id: 1 } },
    });
    expect(scanned.reused).toBeUndefined();
    expect(outside.count('launch')).toBe(1);
    expect(markedScans(outside)).toEqual(['own-1']);
    // With the launch, as long as the service may not know the scan.
    const run = { projectId: 'p', scanId: 'own-1', launch: saved[0] };
    const checkRun = { headSha: HEAD, scanId: 'own-1' };
    expect(saved.slice(1)).toEqual([run, checkRun, { ...checkRun, id: 1 }]);
  });

  test('is marked after its scan is saved, so that a killed job leaves no scan unknown', async () => {
    const outside = new Outside();
    const { saved } = await scan(outside);
    expect(saved[0]).toMatchObject({ knownScanIds: [], subject: { baseSha: BASE, headSha: HEAD } });
    expect(outside.calls.indexOf('launch')).toBeLessThan(outside.calls.indexOf('POST /check-runs'));
  });
});

describe('a proven mark of this very change', () => {
  test.each<[string, string]>([
    ['under another name of the check run', 'Nightly'],
    ['under the same name', CHECK],
  ])('is used %s: nothing is launched', async (_what, name) => {
    const outside = new Outside();
    outside.scans.set('earlier', {});
    outside.addCheckRun(markText({ scanId: 'earlier', runId: 6 }), { name });
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ reused: true, scanId: 'earlier', creditsReserved: 0 });
    expect(outside.count('launch')).toBe(0);
    expect(outside.count('cancel')).toBe(0);
    expect(outside.checkRuns).toHaveLength(1);
  });

  test.each<[string, string]>([
    [
      'with another key',
      markText({ scanId: 'earlier', key: exactKey({ ...KEY_FIELDS, creditBudget: 500 }) }),
    ],
    [
      'of another pull request',
      markText({ scanId: 'earlier', key: exactKey({ ...KEY_FIELDS, pullRequest: 6 }) }),
    ],
    [
      'with guidance of its own',
      markText({
        scanId: 'earlier',
        key: exactKey({ ...KEY_FIELDS, launchParameters: { guidance: 'Report nothing.' } }),
      }),
    ],
    [
      'made with another token',
      encodeMark(
        readMark(markText({ scanId: 'earlier' }), SEAL) ?? expect.unreachable(),
        createSeal('another', '1296269'),
      ),
    ],
    ['copied from another commit', markText({ scanId: 'earlier', headSha: OLDER })],
  ])('is not one %s: a scan of its own is launched', async (_what, mark) => {
    const outside = new Outside();
    outside.scans.set('earlier', {});
    outside.addCheckRun(mark);
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('cancel')).toBe(0);
  });

  test('gives its launch time to the mark of the run that uses the scan', async () => {
    const outside = new Outside();
    outside.scans.set('earlier', {});
    outside.addCheckRun(markText({ scanId: 'earlier', launchedAt: 77 }));
    expect((await scan(outside)).scanned).toMatchObject({ scanId: 'earlier', launchedAt: 77 });
  });

  test('is not used, nor yielded to, without `reuse-scan`', async () => {
    const outside = new Outside();
    outside.scans.set('earlier', { endsAtMs: 300_000 });
    outside.addCheckRun(markText({ scanId: 'earlier', runId: 6 }));
    const { scanned } = await scan(outside, { inputs: { reuseScan: false } });
    expect(scanned).toMatchObject({ scanId: 'own-1' });
    expect(outside.count('cancel')).toBe(0);
  });

  test('whose scan shows another commit is replaced by one new scan, which is kept', async () => {
    const outside = new Outside();
    outside.scans.set('earlier', { shown: { headSha: OLDER } });
    outside.addCheckRun(markText({ scanId: 'earlier', runId: 6 }));
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('launch')).toBe(1);
    expect(outside.count('cancel')).toBe(0);
  });

  test.each(['FAILED', 'CANCELLED'])('whose scan is %s is replaced by a new scan', async (status) => {
    const outside = new Outside();
    outside.scans.set('earlier', { status });
    outside.addCheckRun(markText({ scanId: 'earlier', runId: 6 }));
    expect((await scan(outside)).scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
  });
});

describe('of several scans of this very change', () => {
  /** The result of the newest launch, and a copy of the mark of the older one in every place that can be written. */
  function withCopies(newest: Running, newestRow: Partial<CheckRunRow> = {}): Outside {
    const outside = new Outside();
    outside.scans.set('newest', newest);
    outside.scans.set('older', {});
    const older = markText({ scanId: 'older', runId: 5, launchedAt: 1_000 });
    outside.addCheckRun(older);
    outside.addCheckRun(markText({ scanId: 'newest', runId: 6, launchedAt: 2_000 }), newestRow);
    outside.addCheckRun(older);
    outside.addCheckRun(older, { status: 'in_progress' });
    outside.commentState = older;
    return outside;
  }

  test.each([1, 2])('the newest launch counts, whatever is copied (attempt %i)', async (runAttempt) => {
    const { scanned } = await scan(withCopies({}), { runAttempt });
    expect(scanned).toMatchObject({ reused: true, scanId: 'newest', launchedAt: 2_000 });
  });

  test('the newest launch is followed as long as its job runs', async () => {
    const outside = withCopies({ endsAtMs: 60_000 }, { status: 'in_progress' });
    expect((await scan(outside)).scanned).toMatchObject({ reused: true, scanId: 'newest' });
  });

  test.each(['FAILED', 'CANCELLED'])('the next one counts where the newest is %s', async (status) => {
    const outside = withCopies({ status });
    expect((await scan(outside)).scanned).toMatchObject({ reused: true, scanId: 'older' });
    expect(outside.count('launch')).toBe(0);
  });

  test('the next one counts where the newest is gone', async () => {
    const outside = withCopies({});
    outside.scans.delete('newest');
    expect((await scan(outside)).scanned).toMatchObject({ reused: true, scanId: 'older' });
  });

  test('the newest launch counts for a job that yields, whatever the rank of its check run', async () => {
    const outside = withCopies({});
    outside.commentState = undefined;
    // The marks cannot be read before the launch.
    outside.refuses = (route) => route.endsWith('/check-runs') && outside.count('launch') === 0;
    const { scanned } = await scan(outside);
    expect(cancels(outside)).toEqual(['cancel own-1']);
    expect(scanned).toMatchObject({ reused: true, scanId: 'newest', launchedAt: 2_000 });
  });

  test('the newest launch counts for a job that yields by a copy in an older check run', async () => {
    const outside = withCopies({ endsAtMs: 60_000 });
    outside.commentState = undefined;
    outside.refuses = (route) => route.endsWith('/check-runs') && outside.count('launch') === 0;
    const [first] = outside.checkRuns;
    if (first !== undefined) first.external_id = markText({ scanId: 'newest', runId: 6, launchedAt: 2_000 });
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ reused: true, scanId: 'newest' });
  });

  test('a copy of the newest changes nothing', async () => {
    const outside = withCopies({});
    outside.addCheckRun(markText({ scanId: 'newest', runId: 6, launchedAt: 2_000 }));
    expect((await scan(outside)).scanned).toMatchObject({ reused: true, scanId: 'newest' });
  });
});

describe('check runs that cannot be listed', () => {
  function unlisted(refusal: GitHubError['kind'] = 'unreachable'): Outside {
    const outside = new Outside();
    outside.refusal = refusal;
    outside.refuses = (route) => route.startsWith('GET') && route.endsWith('/check-runs');
    return outside;
  }

  test.each<[string, Options]>([
    ['a re-run', { runAttempt: 2 }],
    ['an edited title', { pullRequest: { editedOnly: true, headIsNew: false } }],
    ['a reopened pull request', { pullRequest: { bringsNothing: true, headIsNew: false } }],
    ['a re-run of a push', { pullRequest: 'none', runAttempt: 2 }],
  ])('are a service error for %s: nothing is launched', async (_what, options) => {
    const outside = unlisted();
    const { scanned } = await scan(outside, options);
    expect(scanned).toMatchObject({
      outcome: {
        kind: 'not-scanned',
        failure: { reason: 'service-error', nextStep: expect.stringContaining('push a commit') },
      },
    });
    expect(outside.count('launch')).toBe(0);
  });

  test('do not matter where the comment names the scan', async () => {
    const outside = unlisted();
    outside.scans.set('earlier', {});
    outside.commentState = markText({ scanId: 'earlier', runId: 6 });
    expect((await scan(outside, { runAttempt: 2 })).scanned).toMatchObject({ scanId: 'earlier' });
  });

  test('are a service error where the comment names a scan of another change only', async () => {
    const outside = unlisted();
    outside.commentState = markText({ scanId: 'other', runId: 6, key: randomKey() });
    expect((await scan(outside, { runAttempt: 2 })).scanned).toMatchObject({
      outcome: { failure: { reason: 'service-error' } },
    });
  });

  test('are no error where the comment names a scan that failed: the re-run asks for another one', async () => {
    const outside = unlisted();
    outside.scans.set('earlier', { status: 'FAILED' });
    outside.commentState = markText({ scanId: 'earlier', runId: 6 });
    expect((await scan(outside, { runAttempt: 2 })).scanned).toMatchObject({ scanId: 'own-1' });
  });

  test.each<[string, Outside, Options]>([
    ['for a new head', unlisted(), {}],
    ['for a new base', unlisted(), { pullRequest: { headIsNew: false } }],
    ['without `reuse-scan`', unlisted(), { runAttempt: 2, inputs: { reuseScan: false } }],
    ['where a permission is missing', unlisted('forbidden'), { runAttempt: 2 }],
  ])('are no error %s', async (_what, outside, options) => {
    expect((await scan(outside, options)).scanned).toMatchObject({ scanId: 'own-1' });
    expect(outside.count('launch')).toBe(1);
  });
});

test.each<[string, Partial<Scan>]>([
  ['fewer areas', { areas: ['login'] }],
  ['other guidance', { guidance: { from: 'launch' } }],
  ['a smaller budget', { creditBudget: 1 }],
  ['hidden inputs', { areas: undefined, guidance: undefined, creditBudget: undefined }],
])(
  'a scan of another user with %s is neither used nor cancelled, and the log names it',
  async (_what, shown) => {
    const outside = new Outside();
    outside.scans.set('theirs', { endsAtMs: 300_000, shown });
    outside.scans.set('older', { shown: { headSha: OLDER } });
    const { scanned, said } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('cancel')).toBe(0);
    expect(said.filter((line) => line.includes('so Scangate does not use it'))).toEqual([
      expect.stringContaining('`theirs`'),
    ]);
    const quiet = await scan(outside, { inputs: { reuseScan: false } });
    expect(quiet.said.join('\n')).not.toContain('not used');
  },
);

describe('an edited title or body', () => {
  const EDITED = { pullRequest: { editedOnly: true, headIsNew: false } };

  test.each([
    ['FAILED', 'scan-failed'],
    ['CANCELLED', 'scan-cancelled'],
  ])('after a scan that is %s repeats its reason, and launches nothing', async (status, reason) => {
    const outside = new Outside();
    outside.scans.set('earlier', { status });
    outside.addCheckRun(markText({ scanId: 'earlier', runId: 6 }));
    const { scanned } = await scan(outside, EDITED);
    expect(scanned).toMatchObject({
      reused: true,
      scanId: 'earlier',
      scanStatus: status,
      outcome: { kind: 'not-scanned', failure: { reason } },
    });
    expect(outside.count('launch')).toBe(0);
  });

  test.each<[what: string, older: Running | undefined, launchedAt: number, scanId: string, reason: string]>([
    ['newer', { status: 'CANCELLED' }, 2_000, 'newer', 'scan-failed'],
    ['newer, and the service no longer knows the other one', undefined, 2_000, 'newer', 'scan-failed'],
    ['older', { status: 'CANCELLED' }, 500, 'earlier', 'scan-cancelled'],
  ])(
    'repeats the reason of the newest launch, where a scan that another job marked meanwhile failed too: that one is %s',
    async (_what, older, launchedAt, scanId, reason) => {
      const outside = new Outside();
      if (older !== undefined) outside.scans.set('earlier', older);
      outside.addCheckRun(markText({ scanId: 'earlier', runId: 6, launchedAt: 1_000 }));
      outside.onScanRead = (id) => {
        if (id !== 'earlier' || outside.scans.has('newer')) return;
        outside.scans.set('newer', { status: 'FAILED' });
        outside.addCheckRun(markText({ scanId: 'newer', runId: 8, launchedAt }));
      };
      const { scanned } = await scan(outside, EDITED);
      expect(scanned).toMatchObject({
        reused: true,
        scanId,
        outcome: { failure: { reason, repeated: true } },
      });
      expect(outside.count('launch')).toBe(0);
    },
  );

  test.each(['FAILED', 'CANCELLED'])(
    'after a scan that is %s launches when its job is re-run, as the next step says',
    async (status) => {
      const outside = new Outside();
      outside.scans.set('earlier', { status });
      outside.addCheckRun(markText({ scanId: 'earlier', runId: 6 }));
      const { scanned } = await scan(outside, { ...EDITED, runAttempt: 2 });
      expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    },
  );

  test.each<[string, Running]>([
    ['COMPLETED', {}],
    ['running', { endsAtMs: 30_000 }],
  ])('after a scan that is %s uses it', async (_what, earlier) => {
    const outside = new Outside();
    outside.scans.set('earlier', earlier);
    outside.addCheckRun(markText({ scanId: 'earlier', runId: 6 }));
    const { scanned } = await scan(outside, EDITED);
    expect(scanned).toMatchObject({ reused: true, scanId: 'earlier', outcome: { kind: 'completed' } });
    expect(outside.count('launch')).toBe(0);
  });

  test('launches where no mark names a scan of this change, or the service knows it no more', async () => {
    const outside = new Outside();
    expect((await scan(outside, EDITED)).scanned).toMatchObject({ scanId: 'own-1' });
    const other = new Outside();
    other.addCheckRun(markText({ scanId: 'gone', runId: 6 }));
    expect((await scan(other, EDITED)).scanned).toMatchObject({ scanId: 'own-1' });
  });
});

describe('a run that follows a job which yields to another one', () => {
  /** GitHub shows the check run of the other job, which was created first, only after 2 s. */
  function withYieldingJob(): Outside {
    const outside = new Outside();
    outside.scans.set('yields', { endsAtMs: 10_000, status: 'CANCELLED' });
    outside.scans.set('elder', { endsAtMs: 90_000 });
    outside.addCheckRun(markText({ scanId: 'yields', runId: 6 }), { status: 'in_progress', id: 2 });
    outside.onScanRead = () => {
      if (outside.clock.now() >= 2_000 && outside.checkRuns.length === 1)
        outside.addCheckRun(markText({ scanId: 'elder', runId: 5 }), { status: 'in_progress', id: 1 });
    };
    return outside;
  }

  test.each<[string, Partial<TargetPullRequest>]>([
    ['after a push', {}],
    ['after an edited title', { editedOnly: true, headIsNew: false }],
  ])('follows that one too, %s, and launches nothing', async (_what, pullRequest) => {
    const outside = withYieldingJob();
    const { scanned } = await scan(outside, { pullRequest });
    expect(scanned).toMatchObject({ reused: true, scanId: 'elder', outcome: { kind: 'completed' } });
    expect(outside.count('launch')).toBe(0);
    expect(outside.count('cancel')).toBe(0);
  });
});

describe('the check run that an earlier attempt of this run left in progress', () => {
  test('gives no precedence over a job that launched since: its scan is followed', async () => {
    const outside = new Outside();
    outside.scans.set('earlier', { status: 'CANCELLED' });
    outside.addCheckRun(markText({ scanId: 'earlier' }), { status: 'in_progress' });
    outside.onScanRead = (id) => {
      if (id !== 'earlier' || outside.scans.has('other')) return;
      outside.scans.set('other', { endsAtMs: 90_000 });
      outside.addCheckRun(markText({ scanId: 'other', runId: 9 }), { status: 'in_progress' });
    };
    const { scanned } = await scan(outside, { runAttempt: 2 });
    expect(scanned).toMatchObject({
      reused: true,
      scanId: 'other',
      checkRun: { ok: true, value: { id: 1 } },
    });
    expect(outside.count('launch')).toBe(0);
  });

  test('takes the mark of the new scan: no second one is created', async () => {
    const outside = new Outside();
    outside.scans.set('earlier', { status: 'CANCELLED' });
    outside.addCheckRun(markText({ scanId: 'earlier' }), { status: 'in_progress' });
    const { scanned } = await scan(outside, { runAttempt: 2 });
    expect(scanned).toMatchObject({ scanId: 'own-1', checkRun: { ok: true, value: { id: 1 } } });
    expect(markedScans(outside)).toEqual(['own-1']);
  });

  test('is the one of this step where its scan is used', async () => {
    const outside = new Outside();
    outside.scans.set('earlier', {});
    outside.addCheckRun(markText({ scanId: 'earlier' }), { status: 'in_progress' });
    const { scanned } = await scan(outside, { runAttempt: 2 });
    expect(scanned).toMatchObject({ reused: true, checkRun: { ok: true, value: { id: 1 } } });
  });

  test('is the one of this step where another job of the run left one too, and the base has changed', async () => {
    const outside = new Outside();
    const older = { scanId: 'earlier', baseSha: OLDER, key: exactKey({ ...KEY_FIELDS, baseSha: OLDER }) };
    outside.scans.set('earlier', { status: 'CANCELLED' });
    outside.addCheckRun(markText(older), { status: 'in_progress' });
    outside.addCheckRun(markText({ scanId: 'theirs', key: randomKey() }), { status: 'in_progress' });
    const { scanned } = await scan(outside, { runAttempt: 2 });
    expect(scanned).toMatchObject({ scanId: 'own-1', checkRun: { ok: true, value: { id: 1 } } });
    expect(markedScans(outside)).toEqual(['own-1', 'theirs']);
  });

  test.each<[string, Partial<ScanMark>, Partial<CheckRunRow>]>([
    ['of another run', { runId: 6 }, {}],
    ['of another job of the run, with another key', { key: randomKey() }, {}],
    ['of this attempt', { runAttempt: 2 }, {}],
    ['of a later attempt', { runAttempt: 3 }, {}],
    ['of another name', {}, { name: 'Nightly' }],
    ['that is completed', {}, { status: 'completed' }],
  ])('is not one %s', async (_what, mark, row) => {
    const outside = new Outside();
    outside.scans.set('earlier', { status: 'CANCELLED' });
    outside.addCheckRun(markText({ scanId: 'earlier', ...mark }), { status: 'in_progress', ...row });
    const { scanned } = await scan(outside, { runAttempt: 2 });
    expect(scanned).toMatchObject({ checkRun: { ok: true, value: { id: 2 } } });
    expect(markedScans(outside)).toEqual(['earlier', 'own-1']);
  });
});

describe('a job that started together with another one', () => {
  /** The other job creates its check run while this one launches. */
  function withTwin(twin: Running): Outside {
    const outside = new Outside();
    outside.scans.set('twin', twin);
    outside.onLaunch = () => {
      if (outside.checkRuns.length === 0) outside.addCheckRun(markText({ scanId: 'twin', runId: 6 }));
    };
    return outside;
  }
  /** GitHub shows the check run of the other job, which was created first, so late. */
  function withLateTwin(twin: Running, shownAtMs: number): Outside {
    const outside = new Outside();
    outside.scans.set('twin', twin);
    outside.onScanRead = () => {
      if (outside.clock.now() >= shownAtMs && !markedScans(outside).includes('twin'))
        outside.addCheckRun(markText({ scanId: 'twin', runId: 6 }), { id: 0 });
    };
    return outside;
  }

  test('cancels its own scan and follows the other; until its result is written, its mark says whose scan that was', async () => {
    const outside = withTwin({ endsAtMs: 90_000 });
    const { scanned, saved, said } = await scan(outside);
    expect(scanned).toMatchObject({
      reused: true,
      scanId: 'twin',
      launchedAt: 1_000,
      creditsReserved: 0,
      outcome: { kind: 'completed' },
      checkRun: { ok: true, value: { id: 2 } },
    });
    expect(outside.count('launch')).toBe(1);
    expect(outside.scans.get('own-1')).toMatchObject({ status: 'CANCELLED' });
    expect(markedScans(outside)).toEqual(['twin', 'own-1']);
    expect(saved.slice(-2)).toEqual([{ headSha: HEAD, scanId: 'own-1', id: 2 }, 'scan cleared']);
    expect(said.join('\n')).toContain('Another job launched scan `twin` first');
  });

  test('follows the other where its own scan turns out to be cancelled, though no answer said so', async () => {
    const outside = withTwin({ endsAtMs: 90_000 });
    outside.losesCancels = true;
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ reused: true, scanId: 'twin', outcome: { kind: 'completed' } });
    expect(cancels(outside)).toEqual(['cancel own-1']);
    expect(outside.count('launch')).toBe(1);
  });

  test('does not leave its own scan running where neither a cancellation nor a poll is answered', async () => {
    const outside = withTwin({ endsAtMs: 90_000 });
    outside.isGone = (id) => id === 'own-1';
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', mayStillBeRunning: true });
    expect(scanned.reused).toBeUndefined();
    expect(saved).not.toContain('scan cleared');
  });

  test('sees the other at its second look, and cancels its own scan then', async () => {
    const outside = withLateTwin({ endsAtMs: 90_000 }, 2_000);
    expect((await scan(outside)).scanned).toMatchObject({ reused: true, scanId: 'twin' });
    expect(outside.count('cancel')).toBe(1);
  });

  test('follows in vain: launches again, and yields again to a job that came first', async () => {
    const outside = withTwin({ endsAtMs: 20_000, status: 'CANCELLED' });
    outside.onScanRead = (id) => {
      // GitHub shows a third job that came first.
      if (id !== 'own-2' || outside.scans.has('third')) return;
      outside.scans.set('third', { endsAtMs: 300_000 });
      outside.addCheckRun(markText({ scanId: 'third', runId: 5 }), { id: 0 });
    };
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({
      reused: true,
      scanId: 'third',
      creditsReserved: 0,
      outcome: { kind: 'completed' },
      checkRun: { ok: true, value: { id: 2 } },
    });
    expect(outside.count('launch')).toBe(2);
    expect(cancels(outside)).toEqual(['cancel own-1', 'cancel own-2']);
    expect(markedScans(outside)).toEqual(['twin', 'own-2', 'third']);
  });

  test('follows in vain twice: launches a third time, and never yields again', async () => {
    const outside = withTwin({ endsAtMs: 20_000, status: 'CANCELLED' });
    outside.onScanRead = (id) => {
      // The other job launches again, too, and moves its mark.
      const again = id.replace(/^own-/, 'twin-');
      if (id === 'own-1' || again === id || outside.scans.has(again)) return;
      const lasts = id === 'own-2' ? 20_000 : 300_000;
      outside.scans.set(again, { endsAtMs: outside.clock.now() + lasts, status: 'CANCELLED' });
      const [theirs] = outside.checkRuns;
      if (theirs !== undefined) theirs.external_id = markText({ scanId: again, runId: 6 });
    };
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({
      scanId: 'own-3',
      creditsReserved: 20,
      outcome: { kind: 'completed' },
      checkRun: { ok: true, value: { id: 2 } },
    });
    expect(outside.count('launch')).toBe(3);
    expect(cancels(outside)).toEqual(['cancel own-1', 'cancel own-2']);
    expect(markedScans(outside)).toEqual(['twin-3', 'own-3']);
  });

  test('follows in vain: follows what another job has launched since', async () => {
    const outside = withTwin({ endsAtMs: 20_000, status: 'FAILED' });
    outside.onScanRead = (id) => {
      if (id !== 'twin' || outside.clock.now() < 15_000 || outside.scans.has('third')) return;
      outside.scans.set('third', { endsAtMs: 60_000 });
      outside.addCheckRun(markText({ scanId: 'third', runId: 6, runAttempt: 2 }));
    };
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ reused: true, scanId: 'third', outcome: { kind: 'completed' } });
    expect(outside.count('launch')).toBe(1);
  });

  test('follows in vain: reads the marks again where GitHub does not answer at first', async () => {
    const outside = withTwin({ endsAtMs: 20_000, status: 'FAILED' });
    outside.onScanRead = (id) => {
      if (id !== 'twin' || outside.clock.now() < 15_000 || outside.scans.has('third')) return;
      outside.scans.set('third', { endsAtMs: 60_000 });
      outside.addCheckRun(markText({ scanId: 'third', runId: 6, runAttempt: 2 }));
      const until = outside.clock.now() + 19_000;
      outside.refuses = (route) => route.endsWith('/check-runs') && outside.clock.now() < until;
    };
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ reused: true, scanId: 'third', outcome: { kind: 'completed' } });
    expect(outside.count('launch')).toBe(1);
  });

  test('follows in vain: launches again where the marks stay unreadable', async () => {
    const outside = withTwin({ endsAtMs: 20_000, status: 'FAILED' });
    outside.onScanRead = (id) => {
      if (id === 'twin' && outside.clock.now() >= 15_000)
        outside.refuses = (route) => route.startsWith('GET') && route.endsWith('/check-runs');
    };
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-2', outcome: { kind: 'completed' } });
  });

  test('recovers a second launch that was not answered beside its own first scan', async () => {
    const outside = withTwin({ endsAtMs: 20_000, status: 'FAILED' });
    outside.launches.push(ok({ scanId: 'own-1', otherIds: [] }), 'lost');
    outside.losesLists = true;
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-2', outcome: { kind: 'completed' } });
    expect(outside.count('launch')).toBe(2);
  });

  test('keeps its own scan where it has no check run: without a rank it never yields', async () => {
    const outside = withTwin({ endsAtMs: 90_000 });
    outside.refuses = (route) => route.startsWith('POST /repos');
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', checkRun: { ok: false } });
    expect(outside.count('cancel')).toBe(0);
  });

  test('keeps its own scan where the other created its check run later', async () => {
    const outside = new Outside();
    outside.scans.set('twin', { endsAtMs: 90_000 });
    outside.onScanRead = () => {
      if (outside.checkRuns.length === 1) outside.addCheckRun(markText({ scanId: 'twin', runId: 6 }));
    };
    expect((await scan(outside)).scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('cancel')).toBe(0);
  });

  test('uses its own scan where that is COMPLETED before the second look', async () => {
    const outside = withLateTwin({ endsAtMs: 90_000 }, 1_000);
    outside.ownScanMs = 2_000;
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('cancel')).toBe(0);
    expect(outside.clock.now()).toBeLessThan(5_000);
  });
});

describe('a launch that was not answered', () => {
  test('is recovered, marked and followed, and not sent again', async () => {
    const outside = new Outside();
    outside.launches.push('lost');
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('launch')).toBe(1);
    expect(markedScans(outside)).toEqual(['own-1']);
  });

  test('stays unknown where another job marks the only new scan: that one is neither used nor cancelled', async () => {
    const outside = new Outside();
    outside.launches.push(unreachable('unknown', 'reset'));
    const key = exactKey({ ...KEY_FIELDS, pullRequest: 8 });
    outside.onLaunch = () => {
      outside.scans.set('theirs', { endsAtMs: 300_000 });
      outside.addCheckRun(markText({ scanId: 'theirs', runId: 6, key }));
    };
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({
      outcome: {
        kind: 'not-scanned',
        failure: {
          reason: 'launch-unknown',
          cause: expect.stringContaining('another run launched it (`theirs`)'),
        },
      },
    });
    expect(scanned.scanId).toBeUndefined();
    expect(outside.count('cancel')).toBe(0);
    expect(saved).not.toContainEqual(expect.objectContaining({ scanId: 'theirs' }));
  });
});

describe('a launch that was not answered, on a service that hides what narrows a scan', () => {
  const hidden = { areas: undefined, guidance: undefined, creditBudget: undefined };
  const lost = (shown: Partial<Scan>) => {
    const outside = new Outside();
    outside.launches.push('lost');
    outside.shownOfOwn = shown;
    return outside;
  };

  test.each<[string, Partial<Scan>]>([
    ['areas', { areas: undefined }],
    ['guidance', { guidance: undefined }],
    ['everything but base and commit', { ...hidden, repositoryId: undefined, presetRef: undefined }],
  ])('is cancelled where it hides %s, and its result is not used', async (_what, shown) => {
    const outside = lost(shown);
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({
      mayStillBeRunning: false,
      outcome: {
        kind: 'not-scanned',
        failure: {
          reason: 'launch-unknown',
          cause: expect.stringMatching(/lists one new scan of this change, `own-1`.*Cancelled scan `own-1`/),
          nextStep: 'Re-run this job.',
        },
      },
    });
    // No mark names it: a later run would use its result.
    expect(scanned.scanId).toBeUndefined();
    expect(markedScans(outside)).toEqual([]);
    expect(cancels(outside)).toEqual(['cancel own-1']);
    expect(outside.count('launch')).toBe(1);
    expect(saved.at(-1)).toEqual({ projectId: 'p', scanId: 'own-1' });
  });

  test('is not used where it is COMPLETED already', async () => {
    const outside = lost(hidden);
    outside.ownScanMs = 0;
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({
      mayStillBeRunning: false,
      outcome: { failure: { cause: expect.stringContaining('Scan `own-1` had already ended as COMPLETED') } },
    });
    expect(scanned.scanId).toBeUndefined();
  });

  test('is left to the post step where the cancellation fails', async () => {
    const outside = lost(hidden);
    outside.isGone = (id) => id === 'own-1' && outside.count('cancel') > 0;
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({
      mayStillBeRunning: true,
      outcome: { failure: { cause: expect.stringContaining('Could not cancel scan `own-1`') } },
    });
    expect(saved.at(-1)).toEqual({ projectId: 'p', scanId: 'own-1' });
  });

  test('is used where only budget, preset and repository are hidden', async () => {
    const outside = lost({ creditBudget: undefined, presetRef: undefined, repositoryId: undefined });
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('cancel')).toBe(0);
  });
});

describe('a launch whose answer names a scan that the service does not know', () => {
  const named = (...ids: [string, ...string[]]): Result<LaunchedScan, ApiError> =>
    ok({ scanId: ids[0], otherIds: ids.slice(1) });

  test('is looked for in the scan list, followed, and marked anew', async () => {
    const outside = new Outside();
    outside.launches.push(named('launch_4711'));
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({
      scanId: 'own-1',
      outcome: { kind: 'completed' },
      checkRun: { ok: true, value: { id: 1 } },
    });
    expect(outside.count('launch')).toBe(1);
    expect(markedScans(outside)).toEqual(['own-1']);
  });

  test('is looked for where it names several', async () => {
    const outside = new Outside();
    outside.launches.push(named('launch_4711', 'job_1'));
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(markedScans(outside)).toEqual(['own-1']);
  });

  test('is found beside its own mark where the service knows it late, whatever it hides', async () => {
    const outside = new Outside();
    outside.launches.push(named('own-1'));
    outside.shownOfOwn = { areas: undefined, guidance: undefined };
    outside.isUnknown = (id) => id === 'own-1' && outside.count('list') === 0;
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(outside.count('cancel')).toBe(0);
  });

  test('stays unknown where none is listed: the named one is left to the post step', async () => {
    const outside = new Outside();
    outside.launches.push(named('launch_4711'));
    outside.isUnknown = (id) => id === 'own-1';
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({
      mayStillBeRunning: true,
      outcome: {
        failure: {
          reason: 'launch-unknown',
          cause: expect.stringMatching(
            /^Could not confirm the launch of the scan: the service answered with scan `launch_4711`, which it does not know\. The service lists no new scan/,
          ),
        },
      },
    });
    expect(outside.count('launch')).toBe(1);
    expect(saved.at(-1)).toEqual({ projectId: 'p', scanId: 'launch_4711', otherIds: [] });
  });
});

describe('a launch whose answer names a scan that was listed before', () => {
  const listed = (shown: Partial<Scan> = {}, runsForMs = 90_000) => {
    const outside = new Outside();
    outside.scans.set('theirs', { endsAtMs: runsForMs, shown });
    outside.launches.push(ok({ scanId: 'theirs', otherIds: [] }));
    outside.launchesNothing = true;
    return outside;
  };

  test('follows it where it shows all that was asked for', async () => {
    const outside = listed();
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({
      reused: true,
      scanId: 'theirs',
      creditsReserved: 0,
      outcome: { kind: 'completed' },
    });
    expect(outside.count('cancel')).toBe(0);
    expect(saved).not.toContainEqual(expect.objectContaining({ scanId: 'theirs' }));
    expect(saved).toContain('scan cleared');
  });

  test.each<[string, Partial<Scan>]>([
    ['hides its areas', { areas: undefined }],
    ['hides its guidance', { guidance: undefined }],
    ['has a smaller budget', { creditBudget: 10 }],
    ['hides its base', { baseSha: undefined }],
    ['is of another head', { headSha: OLDER }],
  ])('neither uses nor cancels it where it %s', async (_what, shown) => {
    const outside = listed(shown);
    const { scanned, saved } = await scan(outside);
    expect(scanned).toMatchObject({
      outcome: {
        failure: {
          reason: 'launch-unknown',
          cause: expect.stringContaining(
            'the service answered with scan `theirs`, which it had listed before',
          ),
        },
      },
    });
    expect(scanned.scanId).toBeUndefined();
    expect(outside.count('cancel')).toBe(0);
    expect(saved).not.toContainEqual(expect.objectContaining({ scanId: 'theirs' }));
  });

  test('does not follow it where a mark of another change names it', async () => {
    const outside = listed();
    outside.addCheckRun(markText({ scanId: 'theirs', runId: 6, key: randomKey() }));
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ outcome: { failure: { reason: 'launch-unknown' } } });
    expect(outside.count('cancel')).toBe(0);
  });

  test('launches no more than once again where it was followed in vain', async () => {
    const outside = new Outside();
    outside.scans.set('theirs', { endsAtMs: 20_000, status: 'FAILED' });
    outside.launches.push(ok({ scanId: 'theirs', otherIds: [] }), ok({ scanId: 'theirs', otherIds: [] }));
    outside.launchesNothing = true;
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ outcome: { failure: { reason: 'launch-unknown' } } });
    expect(outside.count('launch')).toBe(2);
    expect(outside.count('cancel')).toBe(0);
  });

  test('takes the new one where it names both', async () => {
    const outside = new Outside();
    outside.scans.set('theirs', { endsAtMs: 90_000 });
    outside.launches.push(ok({ scanId: 'theirs', otherIds: ['own-1'] }));
    const { scanned } = await scan(outside);
    expect(scanned).toMatchObject({ scanId: 'own-1', outcome: { kind: 'completed' } });
    expect(scanned.reused).toBeUndefined();
    expect(markedScans(outside)).toEqual(['own-1']);
  });
});

describe('what still runs for an older head of the pull request', () => {
  const PUSHED = { pullRequest: { previousHead: OLDER } };

  test('is cancelled before the launch, because it may hold the credits', async () => {
    const outside = new Outside();
    outside.scans.set('older', { endsAtMs: 300_000, shown: { headSha: OLDER } });
    outside.addCheckRun(markText({ scanId: 'older', runId: 6, headSha: OLDER, key: randomKey() }), {
      head_sha: OLDER,
    });
    const { scanned, warnings } = await scan(outside, PUSHED);
    expect(scanned).toMatchObject({ scanId: 'own-1' });
    expect(warnings).toEqual([]);
    expect(outside.calls.indexOf('cancel older')).toBeGreaterThanOrEqual(0);
    expect(outside.calls.indexOf('cancel older')).toBeLessThan(outside.calls.indexOf('launch'));
  });

  test.each<[string, Partial<ScanMark>, Partial<CheckRunRow>]>([
    ['of another pull request', { headSha: OLDER, pullRequest: 6 }, { head_sha: OLDER }],
    ['of a merge group', { headSha: OLDER, pullRequest: undefined }, { head_sha: OLDER }],
    ['that was copied to the older head', { headSha: 'd'.repeat(40) }, { head_sha: OLDER }],
  ])('is not what a mark %s names', async (_what, mark, row) => {
    const outside = new Outside();
    outside.scans.set('older', { endsAtMs: 300_000, shown: { headSha: OLDER } });
    outside.addCheckRun(markText({ scanId: 'older', runId: 6, ...mark }), row);
    await scan(outside, PUSHED);
    expect(outside.count('cancel')).toBe(0);
  });

  test('is left alone where the pull request has another head by now', async () => {
    const outside = new Outside();
    outside.headSha = OLDER;
    outside.scans.set('older', { endsAtMs: 300_000, shown: { headSha: OLDER } });
    outside.addCheckRun(markText({ scanId: 'older', runId: 6, headSha: OLDER, key: randomKey() }), {
      head_sha: OLDER,
    });
    await scan(outside, PUSHED);
    expect(outside.count('cancel')).toBe(0);
  });
});

function randomKey(): string {
  return exactKey({ ...KEY_FIELDS, launchParameters: { nonce: randomUUID() } });
}
