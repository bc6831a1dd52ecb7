import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { judgeHistory, noCounts } from './histories/judge.ts';
import type { Act, History, Lag, Trouble } from './histories/plan.ts';
import { simulateHistory } from './histories/simulate-history.ts';
import { openSetting, type Setting, type SimulatedHistory } from './histories/simulated-history.ts';

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(await mkdtemp(path.join(tmpdir(), 'scangate-judge-')));
});
afterAll(() => Promise.all([setting.fixture.close(), rm(setting.folder, { recursive: true })]));

const CALM: Trouble = { faults: [], end: { kind: 'by itself' } };

/** Simulates and judges a history in which these acts follow the first run. */
async function judge(opened: Trouble, openedLag: Lag, acts: readonly Act[], changes: Partial<History> = {}) {
  const history: History = {
    seed: 0,
    pageSize: 1,
    phasesPerPoll: 1,
    retryAfterSeconds: 1,
    terse: false,
    hides: 'nothing',
    blind: false,
    githubLagMs: 0,
    allows: false,
    paths: false,
    timeoutMinutes: 1,
    latency: 20,
    opened: { head: 'clean 1', base: 'main', trouble: opened, lag: openedLag },
    acts,
    last: 'same head',
    ...changes,
  };
  const simulated = await simulateHistory(setting, history);
  const counts = noCounts();
  return { simulated, broken: judgeHistory(simulated, [], counts), counts };
}

function cancelledBy({ exchanges }: SimulatedHistory, run: number) {
  return exchanges.filter(({ process, point }) => process.run === run && point === 'scans.cancel');
}

/** The times, in milliseconds, at which a run without faults first lists the scans and sends its launch. */
async function timesOfCalmRun() {
  const { simulated } = await judge(CALM, 'all over', []);
  const first = (point: string) =>
    simulated.exchanges.find(({ process, ...one }) => process.run === 0 && one.point === point);
  const [listedAt, launchedAt] = [first('scans.list')?.arrivedAt, first('scans.launch')?.sentAt];
  if (listedAt === undefined || launchedAt === undefined) throw new Error('the run launched no scan');
  expect(listedAt + 2).toBeLessThan(launchedAt);
  return { listedAt, launchedAt };
}

test.each([
  ['cancels', 'newer', 1, 1],
  ['does not cancel', 'older', -1, 0],
])(
  "a run with a lost launch %s a stranger's scan that is %s than the run's list of scans",
  async (_does, _age, afterListMs, cancels) => {
    const { listedAt, launchedAt } = await timesOfCalmRun();
    const stranger: Act = { kind: 'stranger', scope: 'same', when: 'now', lag: 'all over' };
    // The run sends the launch, but the launch never arrives.
    const killed: Trouble = {
      faults: [{ point: 'service:scans.launch', name: 'refused', skip: 0, times: 1 }],
      end: { kind: 'killed', at: launchedAt + 1 },
    };
    const { simulated, broken, counts } = await judge(killed, listedAt + afterListMs, [stranger]);
    expect(cancelledBy(simulated, 0)).toHaveLength(cancels);
    expect(broken).toEqual([]);
    expect(counts.exceptions['launched like ours'] ?? 0).toBe(cancels);
  },
);

test.each([
  ["is accepted if the scan is newer than the run's list of scans", 1, true],
  ["is rejected if the scan is older than the run's list of scans", -1, false],
])("a launch answer with the id of a stranger's scan %s", async (_, afterListMs, believed) => {
  const { listedAt } = await timesOfCalmRun();
  const stranger: Act = { kind: 'stranger', scope: 'areas', when: 'now', lag: 'all over' };
  const older: Trouble = {
    faults: [{ point: 'service:scans.launch', name: 'older id', skip: 0, times: 1 }],
    end: { kind: 'by itself' },
  };
  const { simulated, broken } = await judge(older, listedAt + afterListMs, [stranger]);
  const [strangersId] = simulated.strangers.keys();
  expect(simulated.jobs[0]?.outputs?.['scan-id'] === strangersId).toBe(believed);
  expect(broken).toEqual([]);
});

test('a run cancels the scan of its lost launch only after its timeout, and the last run uses the newest scan', async () => {
  const lost: Trouble = {
    faults: [
      { point: 'service:scans.launch', name: 'stalled headers after', skip: 0, times: 1 },
      { point: 'service:scans.list', name: 'stalled headers', skip: 1, times: 1 },
    ],
    end: { kind: 'by itself' },
  };
  const other: Act = { kind: 'parallel', pull: 0, trouble: CALM, lag: 'all over' };
  const { simulated, broken, counts } = await judge(lost, 20_000, [other]);
  expect(counts.launchesCancelled).toBe(1);
  expect(simulated.launches).toHaveLength(2);
  expect(simulated.last.outputs?.['scan-id']).toBe(simulated.launches[1]?.scanId);
  expect(broken).toEqual([]);
});

/** The scan is launched, and its check run is written, before the machine is lost. */
const LOST: Trouble = { faults: [], end: { kind: 'lost', at: 100 } };

test('a re-run on a closed pull request cancels the scan of the first attempt', async () => {
  const { simulated, broken } = await judge(LOST, 200, [
    { kind: 'close', pull: 0, runs: false, trouble: CALM, lag: 0 },
    { kind: 're-run', of: 0, trouble: CALM, lag: 'all over' },
  ]);
  expect(cancelledBy(simulated, 1)).toHaveLength(1);
  expect(broken).toEqual([]);
});

test.each([
  ['after a pause if the service refused the connection', { kind: 'by itself' }, false],
  ['at once if the re-run is then stopped', { kind: 'cancelled', at: 200 }, true],
] as const)('a re-run on a closed pull request asks for its project again %s', async (_, end, atOnce) => {
  const refused: Trouble = { faults: [{ point: 'service:token', name: 'refused', skip: 0, times: 1 }], end };
  const { simulated, broken } = await judge(LOST, 200, [
    { kind: 'close', pull: 0, runs: false, trouble: CALM, lag: 0 },
    { kind: 're-run', of: 0, trouble: refused, lag: 'all over' },
  ]);
  const [first, second, ...others] = simulated.exchanges.filter(
    ({ process, point }) => process.run === 1 && point === 'token',
  );
  expect(others).toEqual([]);
  expect((second?.sentAt ?? 0) - (first?.endedAt ?? 0) < 1_000).toBe(atOnce);
  expect(cancelledBy(simulated, 1)).toHaveLength(1);
  expect(broken).toEqual([]);
});

test.each([
  ['was cancelled early', { kind: 'cancelled', at: 0 }],
  ['ended by itself', { kind: 'by itself' }],
] as const)(
  'after a push back to the first head, the judge accepts the cost if the last run %s',
  async (_, end) => {
    const { simulated, broken } = await judge(CALM, 10_000, [
      { kind: 'push', head: 'low 1', cancelsOlder: false, trouble: CALM, lag: 'all over' },
      { kind: 'push', head: 'back', cancelsOlder: false, trouble: { faults: [], end }, lag: 'all over' },
    ]);
    expect(simulated.launches).toHaveLength(2);
    expect(broken).toEqual([]);
  },
);
