import { expect, test } from 'vitest';
import type { PendingLaunch } from '../../../src/domain/scan.ts';
import { createRunState, type OpenCheckRun, type RunState } from '../../../src/runner/state.ts';
import { STATE_NAMES } from '../../../src/runner/state-names.ts';

/** Returns what `post` reads after these actions. Before them, the runner has these texts. */
function savedBy(act: (state: RunState) => void, texts: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(texts));
  const state = createRunState({
    saveState: (name, value) => void values.set(name, value),
    getState: (name) => values.get(name) ?? '',
  });
  act(state);
  return state.saved();
}

const HEAD = 'a'.repeat(40);
const SCAN = { projectId: 'prj:1', scanId: 'scn\n1' };
const CHECK_RUN: OpenCheckRun = { headSha: HEAD, scanId: 'scn\n1' };
const SUBJECT = {
  repositoryId: 'r',
  presetRef: 'diff',
  baseSha: 'b'.repeat(40),
  headSha: HEAD,
  creditBudget: 20,
  areas: ['login', 'pay'],
  guidance: 'd'.repeat(64),
};
const BEFORE = { ids: ['scn\n0', 'scn 1'], complete: false, readAt: 1_768_478_400_000 };
const PENDING: PendingLaunch = { projectId: 'prj:1', headSha: HEAD, before: BEFORE, subject: SUBJECT };
const SHORT = { projectId: 'prj:1', headSha: HEAD };
const LONG_SUBJECT = { ...SUBJECT, presetRef: 'y'.repeat(10_000) };
/** A hundred ids of the greatest length. */
const FULL = {
  ...PENDING,
  before: { ...BEFORE, ids: Array.from({ length: 100 }, (_, index) => String(index).padEnd(256, 'x')) },
};

test('the saved state has the last saved values, until they are cleared separately', () => {
  expect(savedBy(() => {})).toBeUndefined();
  const checkRun: OpenCheckRun = {
    ...CHECK_RUN,
    id: 7,
    verdict: { conclusion: 'failure', title: 'Blocked' },
  };
  const after = (clear: (state: RunState) => void) =>
    savedBy((state) => {
      state.saveScan(PENDING);
      state.saveScan(SCAN);
      state.saveCheckRun(CHECK_RUN);
      state.saveCheckRun(checkRun);
      clear(state);
    });
  expect(after(() => {})).toEqual({ scan: SCAN, checkRun, unreadable: false });
  expect(after(({ clearScan }) => clearScan())).toEqual({ checkRun, unreadable: false });
  expect(after(({ clearCheckRun }) => clearCheckRun())).toEqual({ scan: SCAN, unreadable: false });
});

test.each<[string, PendingLaunch]>([
  ['all members', PENDING],
  ['unknown earlier scans', { ...PENDING, before: undefined }],
  ['no subject', { ...PENDING, subject: undefined }],
  ['no earlier scans in the project', { ...PENDING, before: { ids: [], complete: true } }],
  ['no base', { ...PENDING, subject: { ...SUBJECT, baseSha: undefined } }],
  ['a pull request', { ...PENDING, pullRequest: 5 }],
  ['no budget', { ...PENDING, subject: { ...SUBJECT, creditBudget: undefined } }],
  ['neither areas nor guidance', { ...PENDING, subject: { ...SUBJECT, areas: [], guidance: undefined } }],
  ['a hundred long ids', FULL],
])('a pending launch with %s is read from the saved state', (_what, pending) => {
  expect(savedBy(({ saveScan }) => saveScan(pending))?.scan).toEqual(pending);
  const scan = { ...SCAN, launch: pending };
  if (pending !== FULL) expect(savedBy(({ saveScan }) => saveScan(scan))?.scan).toEqual(scan);
});

test('a launch that is too long for an environment variable is saved without its details', () => {
  const long = { ...FULL, subject: LONG_SUBJECT };
  expect(savedBy(({ saveScan }) => saveScan(long))?.scan).toEqual(SHORT);
  const scan = { ...SCAN, launch: long };
  expect(savedBy(({ saveScan }) => saveScan(scan))?.scan).toEqual({ ...SCAN, launch: SHORT });
});

test.each([
  ...['{', 'null', '[]', '"x"', '{}', '{"projectId":"p"}', '{"projectId":"p","scanId":7}'],
  '{"projectId":"p","headSha":"a","before":{"ids":[7],"complete":true}}',
  '{"projectId":"p","headSha":"a","scanId":7}',
  '{"projectId":"p","headSha":"a","subject":{}}',
])('the saved state `%s` is reported as unreadable', (text) => {
  const texts = { [STATE_NAMES.scan]: text, [STATE_NAMES.checkRun]: text };
  expect(savedBy(() => {}, texts)).toEqual({ unreadable: true });
  const saved = savedBy(({ saveCheckRun }) => saveCheckRun(CHECK_RUN), texts);
  expect(saved).toEqual({ checkRun: CHECK_RUN, unreadable: true });
});
