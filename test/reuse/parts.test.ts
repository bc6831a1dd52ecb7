import { expect, test } from 'vitest';
import { scanParts, subjectOf } from '../../src/reuse/parts.ts';
import type { ScanParts } from '../../src/scan/scan-mark.ts';
import { sampleReport } from '../report/sample-report.ts';

const [BASE, HEAD, OTHER] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
const PARTS: ScanParts = {
  repositoryId: 'r',
  pullRequest: 5,
  headCommit: HEAD,
  baseCommit: BASE,
  presetRef: 'diff',
  creditBudget: 20,
  auditAreas: [],
  guidance: undefined,
  launchParameters: {},
};
const SUBJECT = { repositoryId: 'r', presetRef: 'diff', baseCommit: BASE, commit: HEAD };

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['none', {}],
  ['a budget and a preset', { creditBudget: 50, presetRef: 'diff' }],
  [
    'the fields that a scan shows',
    { repositoryId: 'q', presetRef: 'full', baseCommit: OTHER, commit: OTHER },
  ],
  ['other names for what is known', { commit: null, headRef: HEAD, diffBase: BASE, repository: 'r' }],
])('a scan is recognized by its four parts with launch parameters that are %s', (_what, launchParameters) => {
  expect(subjectOf({ ...PARTS, launchParameters })).toEqual(SUBJECT);
});

test.each<[string, Partial<ScanParts>]>([
  ['audit areas', { auditAreas: ['login'] }],
  ['guidance', { guidance: 'Look at the login.' }],
  ['a launch parameter', { launchParameters: { auditAreaKeys: ['login'] } }],
  ['a launch parameter of another commit', { launchParameters: { headRef: 'c'.repeat(40) } }],
])('a scan is not recognized by what cannot be seen: %s', (_what, more) => {
  expect(subjectOf({ ...PARTS, ...more })).toBeUndefined();
});

test('the parts of a scan are those of the launch: change, repository, preset, credits and parameters', () => {
  const { target } = sampleReport([]);
  if (target === undefined) throw new Error('the sample report has no target');
  const preflight = {
    repository: { id: 'r', owner: 'acme', name: 'shop', url: '', status: 'ACTIVE', readiness: 'ready' },
    preset: { ref: 'diff', name: 'Diff', minCredits: 20 },
    creditBudget: 20,
  };
  const diffBase = { baseCommit: BASE, headCommit: HEAD, how: 'compare' } as const;
  const launchParameters = { branch: 'topic' };
  const wanted = { ...PARTS, pullRequest: 128, launchParameters };
  expect(scanParts(target, diffBase, preflight, { launchParameters })).toEqual(wanted);
  expect(scanParts({ ...target, pullRequest: undefined }, diffBase, preflight, { launchParameters })).toEqual(
    { ...wanted, pullRequest: undefined },
  );
});
