import { expect, test } from 'vitest';
import { subjectOf } from '../../src/reuse/parts.ts';
import type { ScanParts } from '../../src/scan/scan-mark.ts';

const [BASE, HEAD] = ['a'.repeat(40), 'b'.repeat(40)];
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
