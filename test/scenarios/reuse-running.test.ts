import { expect } from 'vitest';
import { aLostRun, analyzing, close, fail, initializing, push } from './effects.ts';
import type { End, RunRow } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act } from './timeline.ts';

const ONLY_COMMENTS = { permissions: { contents: 'read', 'pull-requests': 'write' } } as const;
/** The scan of the lost machine completes. */
const release: Act = ({ scenario: { environment } }) => {
  const { service } = environment;
  service.control.release(service.scans().at(-1)?.id ?? '');
  return undefined;
};
/** The scan of the request completes if the re-run has launched it. */
const releaseNew: Act = ({ scenario: { environment } }, { scanId }) => {
  const { service } = environment;
  if (service.scans().length > 1 && service.scans()[0]?.id === scanId) service.control.release(scanId);
  return undefined;
};
/** The check run still names the scan, so that later runs can find the scan. */
const keepsMark: End = ({ environment: { github, service } }) =>
  expect(github.checkRuns[0]?.externalId).toContain(`v2:${service.scans().at(-1)?.id}:`);

const AFTER_LOST = { service: { pace: { hold: true } }, earlier: [aLostRun()], attempt: 2 } as const;
const RELEASED = { earlier: [aLostRun(), release] };
const ENDS_EARLY: readonly (readonly [what: string, row: Omit<RunRow, 'name'>])[] = [
  ['the head is superseded', { meanwhile: [push] }],
  ['the pull request is closed', { meanwhile: [close] }],
  ['an input is wrong', { inputs: { 'fail-on': 'hihg' } }],
  ['the preset does not exist', { inputs: { preset: 'gone' } }],
];

testScans('reuse-running', AFTER_LOST, {
  'a re-run follows the scan of a lost machine, and completes the check run': RELEASED,
  ...rowsFor(ENDS_EARLY, ([what, row]) => [
    `a re-run completes the check run of a lost machine even if ${what}`,
    { ...RELEASED, head: 'clean', ...row, ends: keepsMark },
  ]),
  'a re-run launches a scan if no check run contains the id of the scan of a lost machine': {
    github: ONLY_COMMENTS,
    at: { 'scans.read': releaseNew },
  },
  'a re-run launches a scan if the scan of a lost machine fails': {
    at: { 'scans.read 2': fail, 'scans.read': releaseNew },
  },
  'a re-run with `reuse-scan: false` launches a second scan': {
    ...RELEASED,
    github: ONLY_COMMENTS,
    at: { 'scans.read': releaseNew },
    inputs: { 'reuse-scan': 'false' },
  },
});

/** Another job launches, marks and completes a scan while the repository is not ready. */
const paidMeanwhile: Act = async (jobs) => {
  await jobs.launch('theirs', { runsForMs: 0 });
  await jobs.mark('theirs');
  return undefined;
};
testScans('reuse-running', {
  'a run that waits for the repository uses the scan that another run completes meanwhile': {
    scans: {},
    at: { 'scans.launch 1': [paidMeanwhile, initializing], 'repositories 2': analyzing },
  },
});
