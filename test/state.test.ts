import { expect, test, vi } from 'vitest';
import type { PendingLaunch } from '../src/domain/pending-launch.ts';
import { environmentPairs } from '../src/sandbox/runner/environment-file.ts';
import { createRunState, type SavedRun } from '../src/state.ts';
import { runnerFile } from './runner-files.ts';

const { save: saveRun, clear: clearRun, saved: savedRun } = createRunState();

/** What `post` gets of what was saved: the last value of each name, as the runner hands it over. */
function handOver(file: string): void {
  for (const [name, value] of environmentPairs(file)) vi.stubEnv(`STATE_${name}`, value);
}

const RUN: SavedRun = { projectId: 'prj:1', scanId: 'scn\n1', headSha: 'a'.repeat(40) };
const PENDING = {
  projectId: 'prj:1',
  headSha: 'a'.repeat(40),
  knownScanIds: ['scn\n0', 'scn 1'],
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

test('nothing was saved: nothing is left', () => {
  runnerFile('GITHUB_STATE');
  expect(savedRun()).toBeUndefined();
});

test('what was saved last is what is left', () => {
  const file = runnerFile('GITHUB_STATE');
  saveRun(RUN);
  saveRun({ ...RUN, checkRunId: 7 });
  handOver(file());
  expect(savedRun()).toEqual({ ...RUN, checkRunId: 7 });
});

test('a verdict that is still to be written is kept', () => {
  const file = runnerFile('GITHUB_STATE');
  const run: SavedRun = {
    ...RUN,
    scanEnded: true,
    checkRunId: 7,
    verdict: { conclusion: 'failure', title: 'Blocked' },
  };
  saveRun(run);
  handOver(file());
  expect(savedRun()).toEqual(run);
});

test('a launch that was about to be sent is kept, and its id takes its place', () => {
  const file = runnerFile('GITHUB_STATE');
  saveRun(PENDING);
  handOver(file());
  expect(savedRun()).toEqual(PENDING);
  saveRun(RUN);
  handOver(file());
  expect(savedRun()).toEqual(RUN);
});

test.each<[string, PendingLaunch]>([
  ['no known scans', { ...PENDING, knownScanIds: undefined }],
  ['no subject', { ...PENDING, subject: undefined }],
  ['an empty project', { ...PENDING, knownScanIds: [] }],
  ['no budget', { ...PENDING, subject: { ...PENDING.subject, creditBudget: undefined } }],
  [
    'neither areas nor guidance',
    { ...PENDING, subject: { ...PENDING.subject, areas: [], guidance: undefined } },
  ],
])('a pending launch with %s reads back', (_what, pending) => {
  const file = runnerFile('GITHUB_STATE');
  saveRun(pending);
  handOver(file());
  expect(savedRun()).toEqual(pending);
});

test('a pending launch that is too long for an environment variable loses its details, never its existence', () => {
  const file = runnerFile('GITHUB_STATE');
  const knownScanIds = Array.from({ length: 100 }, (_, index) => String(index).padEnd(256, 'x'));
  const whole: SavedRun = { ...PENDING, knownScanIds };
  saveRun({ ...whole, subject: { ...PENDING.subject, presetRef: 'y'.repeat(10_000) } });
  handOver(file());
  expect(savedRun()).toEqual({ projectId: 'prj:1', headSha: 'a'.repeat(40) });
  // A hundred of the longest ids still fit.
  saveRun(whole);
  handOver(file());
  expect(savedRun()).toEqual(whole);
});

test('what was saved and cleared is not left', () => {
  const file = runnerFile('GITHUB_STATE');
  saveRun(RUN);
  clearRun();
  handOver(file());
  expect(savedRun()).toBeUndefined();
});

test.each([
  '{',
  'null',
  '[]',
  '"x"',
  '{}',
  '{"projectId":"p"}',
  '{"projectId":"p","scanId":7,"headSha":"a"}',
  '{"projectId":"p","headSha":"a","knownScanIds":[7]}',
  '{"projectId":"p","headSha":"a","subject":{}}',
])('a state that is none of ours is told from nothing at all: %s', (text) => {
  vi.stubEnv('STATE_running-scan', text);
  expect(savedRun()).toBe('unreadable');
  vi.unstubAllEnvs();
});
