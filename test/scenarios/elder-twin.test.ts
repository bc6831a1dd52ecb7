import { expect } from 'vitest';
import {
  forbidden,
  launches,
  lost,
  marksOnlyIf,
  onlyIf,
  since,
  unavailable,
  unsent,
  until,
  works,
} from './effects.ts';
import type { Course, OtherJobs } from './other-jobs.ts';
import type { End } from './run-rows.ts';
import { testScans } from './scan-rows.ts';
import type { Act, Effect, Timeline } from './timeline.ts';

const LONG = { runsForMs: 90_000 };
const FAILING = { runsForMs: 20_000, endsAs: 'FAILED' } as const;
const CANCELLED = { runsForMs: 20_000, endsAs: 'CANCELLED' } as const;

/** While the action launches its first scan, the other job launches a scan and creates its check run. */
const twin = (course: Course): Timeline => ({ 'scans.launch 1': works('twin', course) });
/**
 * The other job launches and marks its scan before the run of the action. GitHub lists the check run of that job only
 * after the launch of the action, and not before `fromMs`.
 */
const lateTwin = (fromMs: number) => [
  launches('twin', LONG),
  marksOnlyIf((jobs) => jobs.count('scans.launch') > 0 && jobs.now() >= fromMs, 'twin'),
];
const once = (scanId: string, effect: Effect): Act => onlyIf((jobs) => !jobs.has(scanId), effect);
/** A third job launches and marks a scan when the action reads the scan `twin` after 15 seconds. */
const third: Timeline = {
  'scans.read/twin': since(15_000, once('third', works('third', {}, { mark: { runAttempt: 2 } }))),
};
/**
 * The service answers no cancel request. After such a request, the action cannot read its own scan: it gets 503 until
 * the first minute of the run is over.
 */
const unansweredCancel = (cancel: Effect): Timeline => ({
  'scans.cancel': cancel,
  'scans.read/own-1': onlyIf((jobs) => jobs.cancelled().length > 0, until(60_000, unavailable)),
});
const edited = { event: { action: 'edited' } };

const SCANS = { scans: {} };
testScans('elder-twin', SCANS, {
  'a job that launched second cancels its own scan, and follows the first scan': { at: twin(LONG) },
  'a job that launched second follows the first scan even if the answer to its cancel request is lost': {
    at: { ...twin(LONG), ...unansweredCancel(lost) },
  },
  'a job that launched second follows the first scan if its own scan fails before it is cancelled': {
    scans: { runsForMs: 30_000, endsAs: 'FAILED' },
    at: { ...twin(LONG), ...unansweredCancel(unsent) },
  },
  'a job that launched second uses its own scan if that scan completes before it can be cancelled': {
    scans: { runsForMs: 30_000 },
    at: { ...twin(LONG), ...unansweredCancel(unsent) },
  },
  'a job that launched second leaves its own scan to the post step if all requests for that scan fail': {
    at: { ...twin(LONG), 'scans.read/own-1': unsent, 'scans.cancel': unsent },
    inputs: { 'timeout-minutes': '10' },
  },
  'a job cancels its own scan if its second read of the marks shows that another job launched first': {
    earlier: lateTwin(2_000),
  },
  'a job cancels its second scan, and follows the scan of a third job': {
    earlier: [marksOnlyIf((jobs) => jobs.has('third'), 'third')],
    at: { ...twin(CANCELLED), 'scans.read/own-2': launches('third', { runsForMs: 300_000 }) },
  },
  'a job keeps its third scan after the two scans that it followed were cancelled': {
    at: {
      ...twin(CANCELLED),
      // After each new scan of the action, the other job also launches a new scan, and moves its mark to that scan.
      ...Object.fromEntries([2, 3].map((number) => [`scans.read/own-${number} 1`, again(number)])),
    },
  },
  'a job that followed a failed scan switches to the newer scan of a third job': {
    at: { ...twin(FAILING), ...third },
  },
  'a job that followed a failed scan launches a new scan instead of using its own cancelled scan': {
    at: twin(FAILING),
    ...edited,
  },
  'a job that followed a failed scan asks for the marks until GitHub shows them': {
    at: {
      ...twin(FAILING),
      ...third,
      'check.list': onlyIf((jobs) => jobs.has('third'), until(34_000, forbidden)),
    },
  },
  'a job that followed a failed scan launches a new scan if GitHub refuses all further reads of the marks': {
    at: { ...twin(FAILING), 'check.list': since(15_000, forbidden) },
  },
  'a job cancels its second scan and launches a third one if the answer to the second launch is lost': {
    at: { ...twin(FAILING), 'scans.launch 2': lost },
  },
  'a job that followed three failed scans before its launch still gives up its own scan for an older one': {
    earlier: works('failed-1', { runsForMs: 10_000, endsAs: 'FAILED' }),
    at: {
      ...twin(LONG),
      ...Object.fromEntries([1, 2].map((number) => [`scans.read/failed-${number} 1`, failsNext(number)])),
    },
  },
});

function again(number: number): Act {
  return async (jobs, asked) => {
    const runsForMs = number === 2 ? 20_000 : 300_000;
    await launches(`twin-${number}`, { runsForMs, endsAs: 'CANCELLED' })(jobs, asked);
    const [theirs] = jobs.scenario.environment.github.checkRuns;
    if (theirs !== undefined) jobs.moveMark(theirs, `twin-${number}`);
    return undefined;
  };
}

/** Launches the next failing scan. The action shall see its mark only in the last read of the marks before a launch. */
function failsNext(number: number): Act {
  return async (jobs, asked) => {
    const next = `failed-${number + 1}`;
    await launches(next, { runsForMs: 10_000, endsAs: 'FAILED' })(jobs, asked);
    // Before a launch, the action reads the scan list, and then reads the marks for the last time.
    const lists = jobs.count('scans.list');
    return marksOnlyIf((later) => later.count('scans.list') > lists, next)(jobs, asked);
  };
}

const endsInSeconds =
  (seconds: number): End =>
  (_result, jobs: OtherJobs) =>
    expect(jobs.now()).toBeLessThan(seconds * 1_000);
testScans('elder-twin', SCANS, {
  'a job that cannot create a check run keeps its own scan': {
    at: { 'scans.launch 1': works('twin', LONG), 'check.create': forbidden },
  },
  'a job keeps its own scan if the scan completes before the second read of the marks': {
    scans: { runsForMs: 2_000 },
    earlier: lateTwin(1_000),
    ends: endsInSeconds(5),
  },
});
