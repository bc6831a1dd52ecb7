import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { type CleanUpWorld, cleanUp } from '../src/clean-up.ts';
import type { LaunchIntent } from '../src/domain/launch-intent.ts';
import { ok } from '../src/domain/result.ts';
import type { ListedScan, Scan, ScanList } from '../src/domain/scan.ts';
import { Stop } from '../src/domain/stop.ts';
import type { Log } from '../src/log.ts';
import { markOf } from '../src/scan/scan-mark.ts';
import type { PolledScan } from '../src/scan-api/client.ts';
import type { SavedRun } from '../src/state.ts';
import { FakeClock } from './fake-clock.ts';
import { client, github } from './github/client.ts';
import { answers, aScan, BASE, HEAD, refused, unreachable } from './scan/stand-in-api.ts';

const RUNNING: SavedRun = { projectId: 'p', headSha: HEAD, scanId: 's' };
const whole = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD };
const LAUNCHING: LaunchIntent = {
  projectId: 'p',
  headSha: HEAD,
  noted: ['old'],
  wanted: { ...whole, creditBudget: 20 },
};
const terminal = refused(400, 'bad_request', { operation: 'cancel the scan' });

function listOf(...ids: string[]) {
  const { progress: _, ...nothing } = aScan('RUNNING');
  const scans: ListedScan[] = ids.map((id) => ({ ...nothing, ...whole, id }));
  return ok<ScanList>({ scans, complete: true });
}

const TOKEN = 'api-token-of-the-test';

type Cancelled = Parameters<typeof answers<void>>[number];
type Read = Parameters<typeof answers<Scan>>[number];
type Listed = Parameters<typeof answers<ScanList>>[number];

async function clean(
  run: SavedRun,
  service: { cancels?: Cancelled[]; reads?: Read[]; list?: Listed } | undefined,
  gitHub?: CleanUpWorld['github'],
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
  const world: CleanUpWorld = {
    clock,
    log,
    service: service && {
      api: { cancel, readScan },
      search: { api: { scans, scan: answers<PolledScan>() }, signal: limit.signal },
    },
    github: gitHub,
    checkRun: { name: 'Security scan' },
    apiToken: TOKEN,
  };
  const exitCode = await cleanUp(world, run);
  return { exitCode, said: said.join('\n'), cancelled: cancel.calls.map(([, id]) => id), ms: clock.now() };
}

describe('a scan whose id was saved', () => {
  test('is cancelled', async () => {
    expect(await clean(RUNNING, { cancels: [ok(undefined)] })).toMatchObject({
      exitCode: 0,
      cancelled: ['s'],
      said: expect.stringContaining('reservation is released'),
    });
  });

  test.each(['COMPLETED', 'FAILED', 'CANCELLED'])('that has ended as %s is no fault', async (status) => {
    expect(await clean(RUNNING, { cancels: [terminal], reads: [ok(aScan(status))] })).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining(`already ended as ${status}`),
    });
  });

  test('that could not be cancelled is an error that names it', async () => {
    const lost = unreachable('unknown', 'reset');
    expect(await clean(RUNNING, { cancels: [lost], reads: [lost] })).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(
        /^error: Scan `s` could not be cancelled and may go on for credits: cancel it in the service\./,
      ),
    });
  });

  test('that is over is not asked for', async () => {
    expect(await clean({ ...RUNNING, scanEnded: true }, {})).toMatchObject({ exitCode: 0, cancelled: [] });
    expect(await clean({ ...RUNNING, scanEnded: true }, undefined)).toMatchObject({ exitCode: 0, said: '' });
  });

  test('is named where the inputs that lead to it are missing', async () => {
    expect(await clean(RUNNING, undefined)).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(
        /^error: `api-token` or `base-url`.*Scan s may still be running: cancel it/,
      ),
    });
  });
});

describe('a launch in the middle of which the job was killed', () => {
  test('is found as the one new scan, and cancelled', async () => {
    expect(await clean(LAUNCHING, { list: listOf('new', 'old'), cancels: [ok(undefined)] })).toMatchObject({
      exitCode: 0,
      cancelled: ['new'],
    });
  });

  test('that left no scan within a minute is no fault', async () => {
    expect(await clean(LAUNCHING, { list: listOf('old') })).toMatchObject({
      exitCode: 0,
      cancelled: [],
      ms: 60_000,
      said: expect.stringContaining('Most likely nothing was launched'),
    });
  });

  test.each([
    ['several may be it', listOf('a', 'b', 'old'), LAUNCHING, /Several new scans.*`a`, `b`/],
    ['the list cannot be read', refused(403, 'forbidden'), LAUNCHING, /could not be read/],
    ['nothing was noted', listOf('a'), { ...LAUNCHING, noted: undefined }, /before the launch.*: `a`\./],
  ])('cancels nothing when %s, and says what is at risk', async (_what, list, run, why) => {
    const { exitCode, cancelled, said } = await clean(run, { list });
    expect({ exitCode, cancelled }).toEqual({ exitCode: 1, cancelled: [] });
    expect(said).toMatch(why);
    expect(said).toMatch(/error: A scan may have been launched\..*20 credits are at risk/);
  });

  test('says what may have been left running where the inputs are missing', async () => {
    expect(await clean(LAUNCHING, undefined)).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(
        /`api-token` or `base-url`.*may have been launched.*project `p` .*20 credits/,
      ),
    });
  });
});

describe('a check run whose id was saved', () => {
  const judged: SavedRun = {
    ...RUNNING,
    scanEnded: true,
    checkRunId: 7,
    verdict: { conclusion: 'success', title: 'Passed' },
  };
  const list = () =>
    github()
      .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
      .query({ check_name: 'Security scan', filter: 'all', per_page: 100 });

  afterEach(() => {
    expect(nock.pendingMocks()).toEqual([]);
    nock.cleanAll();
  });

  test.each([
    ['with a verdict', judged],
    ['without one', { ...RUNNING, scanEnded: true, checkRunId: 7 }],
  ])('and that is completed is left as it is, %s', async (_what, run) => {
    list().reply(200, { check_runs: [{ id: 7, status: 'completed' }] });
    expect(await clean(run, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });

  test.each([
    ['in progress', () => list().reply(200, { check_runs: [{ id: 7, status: 'in_progress' }] })],
    ['not in the list', () => list().reply(200, { check_runs: [{ id: 8, status: 'completed' }] })],
    ['in a list that cannot be read', () => list().reply(403, { message: 'no' })],
  ])('and that is %s gets the verdict', async (_what, answer) => {
    answer();
    github()
      .patch(
        '/repos/acme/shop/check-runs/7',
        ({ conclusion, output }) => conclusion === 'success' && output.title === 'Passed',
      )
      .reply(200, { id: 7 });
    expect(await clean(judged, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });
});

describe('a check run whose id was lost with the answer', () => {
  const KEY = 'f'.repeat(64);
  const ours = { id: 7, external_id: markOf('s', KEY, TOKEN), status: 'in_progress' };
  const ended = { ...RUNNING, scanEnded: true };
  const list = (...runs: readonly object[]) =>
    github()
      .get(`/repos/acme/shop/commits/${HEAD}/check-runs`)
      .query({ check_name: 'Security scan', filter: 'all', per_page: 100 })
      .reply(200, { check_runs: runs });

  afterEach(() => {
    expect(nock.pendingMocks()).toEqual([]);
    nock.cleanAll();
  });

  test('is found by its mark, and completed', async () => {
    list({ ...ours, id: 6, status: 'completed' }, ours);
    github()
      .patch('/repos/acme/shop/check-runs/7', ({ conclusion }) => conclusion === 'cancelled')
      .reply(200, { id: 7 });
    expect(await clean(ended, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });

  test.each([
    ['of another scan', { ...ours, external_id: markOf('other', KEY, TOKEN) }],
    ['with a mark that somebody invented', { ...ours, external_id: `v1:s:${KEY}:${KEY}` }],
    ['of another tool', { ...ours, external_id: 's' }],
    ['that is completed', { ...ours, status: 'completed' }],
  ])('is not the one %s: that is left alone, and none is created', async (_what, run) => {
    list(run);
    expect(await clean(ended, undefined, client())).toMatchObject({ exitCode: 0, said: '' });
  });

  test('is told of where the list cannot be read', async () => {
    github()
      .get(/check-runs/)
      .reply(403, { message: 'Resource not accessible by integration' });
    expect(await clean(ended, undefined, client())).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining('A check run may still be in progress.'),
    });
  });
});
