import { expect, test, vi } from 'vitest';
import { environmentPairs } from '../../../sandbox/runner/environment-file.ts';
import type { PendingLaunch } from '../../../src/domain/scan.ts';
import { createRunState, type OpenCheckRun } from '../../../src/runner/state.ts';
import { runnerFile } from '../../support/runner-files.ts';

const { saveScan, clearScan, saveCheckRun, clearCheckRun, saved } = createRunState();

/** Passes the saved state to the post step, as the runner does. The last value of a name counts. */
function handOver(file: string): void {
  for (const [name, value] of environmentPairs(file)) vi.stubEnv(`STATE_${name}`, value);
}

const SCAN = { projectId: 'prj:1', scanId: 'scn\n1' };
const CHECK_RUN: OpenCheckRun = { headSha: 'a'.repeat(40), scanId: 'scn\n1' };
const PENDING = {
  projectId: 'prj:1',
  headSha: 'a'.repeat(40),
  before: { ids: ['scn\n0', 'scn 1'], complete: false, readAt: 1_768_478_400_000 },
  subject: {
    repositoryId: 'r',
    presetRef: 'diff',
    baseSha: 'b'.repeat(40),
    headSha: 'a'.repeat(40),
    creditBudget: 20,
    areas: ['login', 'pay'],
    guidance: 'd'.repeat(64),
  },
} as const satisfies PendingLaunch;

test('the saved state is empty if nothing was saved', () => {
  runnerFile('GITHUB_STATE');
  expect(saved()).toBeUndefined();
});

test('the saved state has the last saved values', () => {
  const file = runnerFile('GITHUB_STATE');
  saveScan({ ...SCAN, scanId: 'another' });
  saveScan(SCAN);
  saveCheckRun(CHECK_RUN);
  saveCheckRun({ ...CHECK_RUN, id: 7 });
  handOver(file());
  expect(saved()).toEqual({ scan: SCAN, checkRun: { ...CHECK_RUN, id: 7 }, unreadable: false });
});

test('the saved state keeps the launch of a scan, and only its head if the text of the launch is too long', () => {
  const file = runnerFile('GITHUB_STATE');
  const scan = { ...SCAN, launch: PENDING };
  saveScan(scan);
  handOver(file());
  expect(saved()).toEqual({ scan, unreadable: false });
  const subject = { ...PENDING.subject, presetRef: 'y'.repeat(40_000) };
  saveScan({ ...scan, launch: { ...PENDING, subject } });
  handOver(file());
  const { projectId, headSha } = PENDING;
  expect(saved()).toEqual({ scan: { ...SCAN, launch: { projectId, headSha } }, unreadable: false });
});

test('the saved scan and the saved check run can be cleared separately', () => {
  const file = runnerFile('GITHUB_STATE');
  saveScan(SCAN);
  saveCheckRun(CHECK_RUN);
  clearScan();
  handOver(file());
  expect(saved()).toEqual({ checkRun: CHECK_RUN, unreadable: false });
  saveScan(SCAN);
  clearCheckRun();
  handOver(file());
  expect(saved()).toEqual({ scan: SCAN, unreadable: false });
});

test('the saved state keeps a verdict that is not yet written to the check run', () => {
  const file = runnerFile('GITHUB_STATE');
  const checkRun: OpenCheckRun = {
    ...CHECK_RUN,
    id: 7,
    verdict: { conclusion: 'failure', title: 'Blocked' },
  };
  saveCheckRun(checkRun);
  handOver(file());
  expect(saved()).toEqual({ checkRun, unreadable: false });
});

test('the saved state keeps a pending launch until the scan is saved', () => {
  const file = runnerFile('GITHUB_STATE');
  saveScan(PENDING);
  handOver(file());
  expect(saved()?.scan).toEqual(PENDING);
  saveScan(SCAN);
  handOver(file());
  expect(saved()?.scan).toEqual(SCAN);
});

test.each<[string, PendingLaunch]>([
  ['unknown earlier scans', { ...PENDING, before: undefined }],
  ['no subject', { ...PENDING, subject: undefined }],
  ['no earlier scans in the project', { ...PENDING, before: { ids: [], complete: true } }],
  ['no base', { ...PENDING, subject: { ...PENDING.subject, baseSha: undefined } }],
  ['a pull request', { ...PENDING, pullRequest: 5 }],
  ['no budget', { ...PENDING, subject: { ...PENDING.subject, creditBudget: undefined } }],
  [
    'neither areas nor guidance',
    { ...PENDING, subject: { ...PENDING.subject, areas: [], guidance: undefined } },
  ],
])('a pending launch with %s is read from the saved state', (_what, pending) => {
  const file = runnerFile('GITHUB_STATE');
  saveScan(pending);
  handOver(file());
  expect(saved()?.scan).toEqual(pending);
});

test('a pending launch that is too long for an environment variable is saved without its details', () => {
  const file = runnerFile('GITHUB_STATE');
  const ids = Array.from({ length: 100 }, (_, index) => String(index).padEnd(256, 'x'));
  const whole: PendingLaunch = { ...PENDING, before: { ...PENDING.before, ids } };
  saveScan({ ...whole, subject: { ...PENDING.subject, presetRef: 'y'.repeat(10_000) } });
  handOver(file());
  expect(saved()?.scan).toEqual({ projectId: 'prj:1', headSha: 'a'.repeat(40) });
  // The saved state can hold a hundred ids of the greatest length.
  saveScan(whole);
  handOver(file());
  expect(saved()?.scan).toEqual(whole);
});

test('the saved state forgets values that were cleared', () => {
  const file = runnerFile('GITHUB_STATE');
  saveScan(SCAN);
  clearScan();
  handOver(file());
  expect(saved()).toBeUndefined();
});

test.each([
  '{',
  'null',
  '[]',
  '"x"',
  '{}',
  '{"projectId":"p"}',
  '{"projectId":"p","scanId":7}',
  '{"projectId":"p","headSha":"a","before":{"ids":[7],"complete":true}}',
  '{"projectId":"p","headSha":"a","scanId":7}',
  '{"projectId":"p","headSha":"a","subject":{}}',
])('the saved state `%s` is reported as unreadable', (text) => {
  vi.stubEnv('STATE_running-scan', text);
  vi.stubEnv('STATE_open-check-run', text);
  expect(saved()).toEqual({ unreadable: true });
  vi.stubEnv('STATE_open-check-run', JSON.stringify(CHECK_RUN));
  expect(saved()).toEqual({ checkRun: CHECK_RUN, unreadable: true });
  vi.unstubAllEnvs();
});
