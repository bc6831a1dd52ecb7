import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import type { PendingLaunch } from '../../../src/domain/pending-launch.ts';
import { ok } from '../../../src/domain/result.ts';
import type { ListedScan, Scan, ScanList } from '../../../src/domain/scan.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { Stop } from '../../../src/domain/stop.ts';
import { type CleanUpDeps, cleanUp } from '../../../src/gate/clean-up.ts';
import type { Log } from '../../../src/runner/log.ts';
import type { LeftBehind } from '../../../src/runner/state.ts';
import { encodeMark, type ScanMark } from '../../../src/scan/scan-mark.ts';
import { hashOfText } from '../../../src/scan-api/wire-writes.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github } from '../github/client.ts';
import { answers, aScan, BASE, HEAD, polled, refused, unreachable } from '../scan/fake-api.ts';
import { pendingLaunch, whole } from '../scan/sample-subject.ts';

const RUNNING: LeftBehind = { scan: { projectId: 'p', scanId: 's' }, unreadable: false };
const terminal = refused(400, 'bad_request', { operation: 'cancel the scan' });

function listOf(...ids: string[]) {
  const { progress: _, ...nothing } = aScan('RUNNING');
  const scans: ListedScan[] = ids.map((id) => ({ ...nothing, ...whole, id }));
  return ok<ScanList>({ scans, complete: true });
}

const TOKEN = 'api-token-of-the-test';
const RUN_ID = 42;
const RUN_URL = `https://github.com/acme/shop/actions/runs/${RUN_ID}`;

/** A mark of a scan of this head. By default the run that left the scan behind made it. */
function markOf(scanId: string, changes: Partial<ScanMark> = {}, token = TOKEN): string {
  const fields = {
    pullRequest: 5,
    headSha: HEAD,
    baseSha: BASE,
    key: 'K'.repeat(22),
    launchedAt: 1_790_000_000,
  };
  return encodeMark(
    { ...fields, runId: RUN_ID, runAttempt: 1, ...changes, scanId },
    createSeal(token, '1296269'),
  );
}

type Cancelled = Parameters<typeof answers<void>>[number];
type Read = Parameters<typeof answers<Scan>>[number];
type Listed = Parameters<typeof answers<ScanList>>[number];

async function clean(
  left: LeftBehind | PendingLaunch,
  service:
    | {
        cancels?: Cancelled[];
        reads?: Read[];
        list?: Listed;
        /** What the details of every scan show. */
        shown?: Partial<Scan>;
        /** The guidance that is stored for the repository. */
        stored?: string;
      }
    | undefined,
  gitHub?: CleanUpDeps['github'],
) {
  const clock = new FakeClock();
  const limit = new AbortController();
  void clock.sleep(60_000).then(() => limit.abort(new Stop('timeout')));
  const said: string[] = [];
  const say = (level: string) => (text: string) => void said.push(`${level}: ${text}`);
  const log: Log = {
    info: say('info'),
    warning: say('warning'),
    error: say('error'),
    group: () => {},
    annotate: () => true,
    mask: () => {},
  };
  const cancel = answers<void>(...(service?.cancels ?? []));
  const readScan = answers<Scan>(...(service?.reads ?? []));
  const list = service?.list;
  const scans = async () => {
    if (list === undefined) throw new Error('nothing was to be listed');
    return list;
  };
  const scan = async (_project: string, id: string) =>
    polled(aScan('QUEUED', { ...whole, ...service?.shown, id }));
  const guidance = async () => ok(service?.stored ?? null);
  const deps: CleanUpDeps = {
    clock,
    random: () => 0,
    log,
    api: service && { cancel, readScan, scans, scan, guidance },
    deadlines: { all: NEVER_ABORTED, search: limit.signal, leftMs: () => 75_000 - clock.now() },
    github: gitHub,
    checkRun: { name: 'Security scan', detailsUrl: RUN_URL },
    runId: RUN_ID,
    seal: createSeal(TOKEN, '1296269'),
  };
  const exitCode = await cleanUp(deps, 'unreadable' in left ? left : { scan: left, unreadable: false });
  return { exitCode, said: said.join('\n'), cancelled: cancel.calls.map(([, id]) => id), ms: clock.now() };
}

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

describe('cleanUp: the id of the scan was saved', () => {
  test('cancels the scan', async () => {
    expect(await clean(RUNNING, { cancels: [ok(undefined)] })).toMatchObject({
      exitCode: 0,
      cancelled: ['s'],
      said: expect.stringContaining('The service releases its reserved credits'),
    });
  });

  test('cancels the one scan that the service knows among the ids of the launch answer', async () => {
    const left: LeftBehind = {
      scan: { projectId: 'p', scanId: 'launch', otherIds: ['s', 'more'] },
      unreadable: false,
    };
    expect(
      await clean(left, {
        cancels: [ok(undefined)],
        reads: [refused(404, 'not_found'), ok(aScan('QUEUED'))],
      }),
    ).toMatchObject({ exitCode: 0, cancelled: ['s'] });
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'])(
    'succeeds if the scan has already ended as %s',
    async (status) => {
      expect(await clean(RUNNING, { cancels: [terminal], reads: [ok(aScan(status))] })).toMatchObject({
        exitCode: 0,
        said: expect.stringContaining(`already ended as ${status}`),
      });
    },
  );

  test('searches the list if the service does not know the scan, even if our own mark names it', async () => {
    const left: LeftBehind = {
      scan: { projectId: 'p', scanId: 's', launch: pendingLaunch },
      unreadable: false,
    };
    const unknown = refused(404, 'not_found', { operation: 'cancel the scan' });
    const service = { cancels: [unknown, ok(undefined)], reads: [unknown], list: listOf('new', 'old') };
    const marks = [markOf('s')];
    expect(await clean(left, service, marked(marks, marks))).toMatchObject({
      exitCode: 0,
      cancelled: ['s', 'new'],
    });
  });

  test("fails with the scan's id if the service neither knows nor lists the scan", async () => {
    const left: LeftBehind = {
      scan: { projectId: 'p', scanId: 's', launch: pendingLaunch },
      unreadable: false,
    };
    const unknown = refused(404, 'not_found', { operation: 'cancel the scan' });
    const service = { cancels: [unknown, unknown], reads: [unknown, unknown], list: listOf('old') };
    expect(await clean(left, service, client())).toMatchObject({
      exitCode: 1,
      cancelled: ['s', 's'],
      said: expect.stringContaining('error: Could not cancel scan `s`.'),
    });
  });

  test("fails with the scan's id if the scan could not be cancelled", async () => {
    const lost = unreachable('unknown', 'reset');
    expect(await clean(RUNNING, { cancels: [lost], reads: [lost] })).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(
        /^error: Could not cancel scan `s`\. It may still be running and using credits: cancel it in the service\./,
      ),
    });
  });

  test('cancels the scan and completes the check run', async () => {
    github()
      .get(/check-runs/)
      .reply(200, { check_runs: [] });
    github().patch('/repos/acme/shop/check-runs/7').reply(200, { id: 7 });
    const both = { ...RUNNING, checkRun: { headSha: HEAD, id: 7 } };
    expect(await clean(both, { cancels: [ok(undefined)] }, client())).toMatchObject({
      exitCode: 0,
      cancelled: ['s'],
    });
  });

  test("fails with the scan's id if the inputs for the service are missing", async () => {
    expect(await clean(RUNNING, undefined)).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(
        /^error: `api-token` or `base-url`.*Scan `s` may still be running\. Cancel it/,
      ),
    });
  });
});

/** The external ids of the head's check runs, one list per request. */
function marked(...looks: readonly (readonly string[])[]) {
  for (const marks of looks) {
    const runs = marks.map((mark, index) => ({
      id: index + 1,
      name: 'x',
      head_sha: HEAD,
      external_id: mark,
    }));
    github()
      .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
      .query({ filter: 'all', per_page: 100, page: 1 })
      .reply(200, { check_runs: runs });
  }
  return client();
}

describe('cleanUp: the job was killed during a launch', () => {
  test('cancels the one new scan whose details match in two reads', async () => {
    const service = { list: listOf('new', 'old'), cancels: [ok(undefined)] };
    expect(await clean(pendingLaunch, service, marked([], [markOf('old')]))).toMatchObject({
      exitCode: 0,
      cancelled: ['new'],
      ms: 5_000,
    });
  });

  test.each<[string, Partial<Scan>, string?]>([
    ['its budget', { creditBudget: undefined }],
    ['its audit areas', { areas: undefined }],
    ['its guidance', { guidance: undefined }],
    ['repository and preset', { repositoryId: undefined, presetRef: undefined }],
    ['the origin of its guidance', { guidance: { from: 'unknown', hash: hashOfText('Mind.') } }, 'Mind.'],
  ])('cancels the new scan even if the service hides %s', async (_what, shown, stored) => {
    const service = {
      list: listOf('new', 'old'),
      shown,
      ...(stored && { stored }),
      cancels: [ok(undefined)],
    };
    expect(await clean(pendingLaunch, service, marked([], []))).toMatchObject({
      exitCode: 0,
      cancelled: ['new'],
    });
  });

  test.each<[string, Partial<Scan>]>([
    ['a smaller budget', { creditBudget: 10 }],
    [
      'a smaller budget only in its progress',
      { creditBudget: undefined, progress: { ...aScan('QUEUED').progress, reservedCredits: 10 } },
    ],
    ['an audit area', { areas: ['login'] }],
    ['guidance from its own launch', { guidance: { from: 'launch' } }],
    ['another preset', { presetRef: 'full' }],
    ['another repository', { repositoryId: 'q' }],
  ])('does not cancel a scan that shows %s', async (_what, shown) => {
    const service = { list: listOf('new', 'old'), shown };
    expect(await clean(pendingLaunch, service, client())).toMatchObject({ exitCode: 0, cancelled: [] });
  });

  test('does not cancel a scan whose guidance is not the stored one', async () => {
    const shown: Partial<Scan> = { guidance: { from: 'unknown', hash: hashOfText('Report nothing.') } };
    const service = { list: listOf('new', 'old'), shown, stored: 'Mind.' };
    expect(await clean(pendingLaunch, service, client())).toMatchObject({
      exitCode: 1,
      cancelled: [],
      said: expect.stringContaining('could not match it to this run (`new`)'),
    });
  });

  test('succeeds if no scan appears within a minute', async () => {
    expect(await clean(pendingLaunch, { list: listOf('old') }, client())).toMatchObject({
      exitCode: 0,
      cancelled: [],
      ms: 60_000,
      said: expect.stringContaining('Most likely no scan was launched'),
    });
  });

  test.each<[string, Partial<Scan>]>([
    ['abbreviated ids', { headSha: HEAD.slice(0, 12) }],
    ['no commit', { headSha: undefined }],
    ['no base', { baseSha: undefined }],
  ])(
    'does not cancel a scan that shows %s, because another job can have launched it',
    async (_what, shown) => {
      const service = { list: listOf('new', 'old'), shown };
      const { exitCode, cancelled, said } = await clean(pendingLaunch, service, client());
      expect({ exitCode, cancelled }).toEqual({ exitCode: 1, cancelled: [] });
      expect(said).toMatch(/could not match it to this run \(`new`\).*up to 20 credits/);
    },
  );

  test('does not cancel a scan that another job marked between the two reads', async () => {
    const theirs = markOf('new', { runId: 43 });
    github()
      .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
      .query({ filter: 'all', per_page: 100, page: 1 })
      .reply(200, { check_runs: [] });
    github()
      .persist()
      .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
      .query({ filter: 'all', per_page: 100, page: 1 })
      .reply(200, { check_runs: [{ id: 8, name: 'x', head_sha: HEAD, external_id: theirs }] });
    const { exitCode, cancelled, said } = await clean(
      pendingLaunch,
      { list: listOf('new', 'old') },
      client(),
    );
    expect({ exitCode, cancelled }).toEqual({ exitCode: 1, cancelled: [] });
    expect(said).toContain('another run launched it (`new`)');
  });

  test.each([
    ['cannot be read', client],
    ['cannot be read without a client', () => undefined],
  ])('cancels nothing if the marks %s', async (_what, gitHub) => {
    github()
      .persist()
      .get(/check-runs/)
      .reply(403, { message: 'no' });
    const { exitCode, cancelled, said } = await clean(
      pendingLaunch,
      { list: listOf('new', 'old') },
      gitHub(),
    );
    nock.cleanAll();
    expect({ exitCode, cancelled }).toEqual({ exitCode: 1, cancelled: [] });
    expect(said).toContain('could not read the check runs that name its run (`new`)');
  });

  test.each([
    ['several new scans match', listOf('a', 'b', 'old'), pendingLaunch, /several new scans.*`a`, `b`/],
    ['the list cannot be read', refused(403, 'forbidden'), pendingLaunch, /could not read/],
    [
      'the scans from before the launch are not known',
      listOf('a'),
      { ...pendingLaunch, knownScanIds: undefined },
      /before the launch.*\(`a`\)\./,
    ],
  ])('cancels nothing if %s, and says how many credits are at risk', async (_what, list, run, why) => {
    github()
      .persist()
      .get(/check-runs/)
      .reply(200, { check_runs: [] });
    const { exitCode, cancelled, said } = await clean(run, { list }, client());
    nock.cleanAll();
    expect({ exitCode, cancelled }).toEqual({ exitCode: 1, cancelled: [] });
    expect(said).toMatch(why);
    expect(said).toMatch(
      /error: A scan may have been launched\..*If it is running, cancel it: it can use up to 20 credits\./,
    );
  });

  test('says that a scan may be running if the inputs for the service are missing', async () => {
    expect(await clean(pendingLaunch, undefined)).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(
        /`api-token` or `base-url`.*may have been launched.*project `p` .*20 credits/,
      ),
    });
  });
});

describe('cleanUp: the id of the check run was saved', () => {
  const judged: LeftBehind = {
    checkRun: { headSha: HEAD, id: 7, verdict: { conclusion: 'success', title: 'Passed' } },
    unreadable: false,
  };
  const list = () =>
    github()
      .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
      .query({ check_name: 'Security scan', filter: 'all', per_page: 100, page: 1 });
  const listed = (id: number, status: string) => ({
    check_runs: [{ id, status, name: 'Security scan', head_sha: HEAD }],
  });

  test.each([
    ['with a verdict', judged],
    ['without a verdict', { checkRun: { headSha: HEAD, id: 7 }, unreadable: false }],
  ])('leaves a completed check run as it is, %s', async (_what, run) => {
    list().reply(200, listed(7, 'completed'));
    expect(await clean(run, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });

  test.each([
    ['in progress', () => list().reply(200, listed(7, 'in_progress'))],
    ['not in the list', () => list().reply(200, listed(8, 'completed'))],
    ['in a list that cannot be read', () => list().reply(403, { message: 'no' })],
  ])('writes the verdict, and keeps the mark, if the check run is %s', async (_what, answer) => {
    answer();
    github()
      .patch(
        '/repos/acme/shop/check-runs/7',
        ({ conclusion, output, ...more }) =>
          conclusion === 'success' && output.title === 'Passed' && !('external_id' in more),
      )
      .reply(200, { id: 7 });
    expect(await clean(judged, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });
});

describe('cleanUp: the id of the check run was lost with the answer', () => {
  const ours = {
    id: 7,
    name: 'Security scan',
    head_sha: HEAD,
    external_id: markOf('s'),
    status: 'in_progress',
  };
  const ended: LeftBehind = { checkRun: { headSha: HEAD, scanId: 's' }, unreadable: false };
  const list = (...runs: readonly object[]) =>
    github()
      .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
      .query({ check_name: 'Security scan', filter: 'all', per_page: 100, page: 1 })
      .reply(200, { check_runs: runs });

  test('finds the check run by its mark, and completes it with a link to the run', async () => {
    // This job follows the scan instead of its own, and moved its mark to it.
    const follower = { ...ours, id: 9, external_id: markOf('s', { runId: 43 }) };
    list(follower, { ...ours, id: 8, status: 'completed' }, ours);
    github()
      .patch(
        '/repos/acme/shop/check-runs/7',
        ({ conclusion, output, ...more }) =>
          conclusion === 'cancelled' &&
          output.summary.endsWith(` [Re-run this job](${RUN_URL}).`) &&
          !('external_id' in more),
      )
      .reply(200, { id: 7 });
    expect(await clean(ended, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });

  test.each([
    ['of another scan', { ...ours, external_id: markOf('other') }],
    ['of another run that follows this scan', { ...ours, external_id: markOf('s', { runId: 43 }) }],
    ['with a forged mark', { ...ours, external_id: markOf('s', {}, 'another token') }],
    ['of another tool', { ...ours, external_id: 's' }],
    ['that is completed', { ...ours, status: 'completed' }],
  ])('neither changes a check run %s nor creates one', async (_what, run) => {
    list(run);
    expect(await clean(ended, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });

  test('warns if the list of check runs cannot be read', async () => {
    github()
      .get(/check-runs/)
      .reply(403, { message: 'Resource not accessible by integration' });
    expect(await clean(ended, undefined, client())).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining('A check run may still be in progress.'),
    });
  });
});
