import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FaultName } from './histories/faults.ts';
import { judgeHistory, noCounts } from './histories/judge.ts';
import {
  type Act,
  CALM,
  type Ending,
  type FaultPoint,
  type History,
  type Lag,
  PLAIN_HISTORY,
  type Trouble,
} from './histories/plan.ts';
import { simulateHistory } from './histories/simulate-history.ts';
import { openSetting, type Setting, type SimulatedHistory } from './histories/simulated-history.ts';

let setting: Setting;
beforeAll(async () => {
  setting = await openSetting(await mkdtemp(path.join(tmpdir(), 'scangate-judge-')));
});
afterAll(() => Promise.all([setting.fixture.close(), rm(setting.folder, { recursive: true })]));

/** One request of the run has the fault, after `skip` requests without it. */
function faulty(point: FaultPoint, name: FaultName, end: Ending = CALM.end, skip = 0): Trouble {
  return { faults: [{ point, name, skip, times: 1 }], end };
}

/** Simulates and judges a history in which these acts follow the first run. */
async function judge(trouble: Trouble, lag: Lag, acts: readonly Act[]) {
  const opened = { head: 'clean 1', base: 'main', trouble, lag } as const;
  const small = { pageSize: 1, timeoutMinutes: 1, latency: 20 };
  const history: History = { ...PLAIN_HISTORY, ...small, opened, acts };
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
    const killed = faulty('service:scans.launch', 'refused', { kind: 'killed', at: launchedAt + 1 });
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
  const older = faulty('service:scans.launch', 'older id');
  const { simulated, broken } = await judge(older, listedAt + afterListMs, [stranger]);
  const [strangersId] = simulated.strangers.keys();
  expect(simulated.jobs[0]?.outputs?.['scan-id'] === strangersId).toBe(believed);
  expect(broken).toEqual([]);
});

test('a run cancels the scan of its lost launch only after its timeout, and the last run uses the newest scan', async () => {
  const lost: Trouble = {
    faults: [
      ...faulty('service:scans.launch', 'stalled headers after').faults,
      ...faulty('service:scans.list', 'stalled headers', CALM.end, 1).faults,
    ],
    end: CALM.end,
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
  const refused = faulty('service:token', 'refused', end);
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
