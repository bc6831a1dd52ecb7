import { describe, expect, test } from 'vitest';
import { ok } from '../../../src/domain/result.ts';
import type { ScanSubject } from '../../../src/domain/scan.ts';
import type { DiffBase } from '../../../src/domain/target.ts';
import type { LaunchableChange } from '../../../src/gate/gate.ts';
import { planLaunch } from '../../../src/gate/plan.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { sampleReport } from '../report/sample-report.ts';

const HEAD = 'ab'.repeat(20);
const BASE = 'cd'.repeat(20);
const found: DiffBase = { baseSha: BASE, headSha: HEAD, how: 'compare' };

describe('planLaunch', () => {
  const { target } = sampleReport([]);
  if (target === undefined) throw new Error('the sample report has no target');
  const change: LaunchableChange = {
    target,
    diffBase: found,
    preflight: {
      projectId: 'p',
      repository: { id: 'r', owner: 'acme', name: 'shop', url: '', status: 'ACTIVE', readiness: 'ready' },
      preset: { ref: 'diff', name: 'Diff', minCredits: 20 },
      creditBudget: 30,
      token: undefined,
      scans: ok({ scans: [], complete: true }),
      warnings: [],
    },
  };
  const subject: ScanSubject = {
    repositoryId: 'r',
    presetRef: 'diff',
    baseSha: BASE,
    headSha: HEAD,
    creditBudget: 30,
    areas: [],
    guidance: undefined,
  };
  /** SHA-256 of "Look at the login." */
  const LOGIN_HASH = 'd36367cc56e99c6caaac7f0015f7ed79ffe72a1e6a2ff3d5c31bfe9aa2c7ffe1';
  const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const body = { repositoryId: 'r', presetRef: 'diff', creditBudget: 30, baseCommit: BASE, commit: HEAD };

  const keyFields = {
    repositoryId: 'r',
    pullRequest: target.pullRequest?.number,
    baseSha: BASE,
    headSha: HEAD,
    presetRef: 'diff',
    creditBudget: 30,
    launchParameters: {},
  };
  const planned = (launchParameters: Readonly<Record<string, unknown>>) =>
    planLaunch(change, readLaunchParameters(launchParameters));

  test('planLaunch plans a launch with the given change, repository, preset and credit budget', () => {
    expect(planned({})).toEqual({ body, creditBudget: 30, keyFields, subject });
  });

  test('a launch with a guidance file contains the text of the file', () => {
    const source = { path: 'a.md', commitSha: BASE, characters: 18, hash: 'of the file' };
    const fromFile = { source, text: 'Look at the login.' };
    expect(planLaunch(change, readLaunchParameters({}), fromFile)).toEqual({
      body: { ...body, guidance: 'Look at the login.' },
      creditBudget: 30,
      keyFields: { ...keyFields, guidance: 'of the file' },
      subject: { ...subject, guidance: LOGIN_HASH },
    });
  });

  test('for a merge group, the key of a launch contains no pull request', () => {
    const ofGroup = { ...change, target: { ...target, pullRequest: undefined } };
    expect(planLaunch(ofGroup, readLaunchParameters({})).keyFields).toEqual({
      ...keyFields,
      pullRequest: undefined,
    });
  });

  test('the input `launch-parameters` can add, replace and remove fields of a launch', () => {
    const launchParameters = { branch: 'topic', creditBudget: 50, commit: null, headSha: HEAD };
    const { commit: _, ...kept } = body;
    expect(planned(launchParameters)).toEqual({
      body: { ...kept, creditBudget: 50, branch: 'topic', headSha: HEAD },
      creditBudget: 50,
      keyFields: { ...keyFields, launchParameters },
      subject: { ...subject, creditBudget: 50 },
    });
  });

  test.each<[string, Readonly<Record<string, unknown>>, Partial<ScanSubject>]>([
    ['the audit areas', { auditAreaKeys: ['login', 'pay'] }, { areas: ['login', 'pay'] }],
    ['the hash of the guidance', { guidance: 'Look at the login.' }, { guidance: LOGIN_HASH }],
    // An empty text replaces the guidance that the service stores for the repository.
    ['the hash of an empty guidance', { guidance: '' }, { guidance: EMPTY_HASH }],
    ['no budget if the launch has none', { creditBudget: null }, { creditBudget: undefined }],
    ['the repository and the preset from `launch-parameters`', { repositoryId: 'r', presetRef: 'diff' }, {}],
    [
      'base and head if `launch-parameters` renames their fields',
      { commit: null, headSha: HEAD, baseCommit: null, base: BASE },
      {},
    ],
  ])('the subject of a planned launch contains %s', (_what, launchParameters, changes) => {
    expect(planned(launchParameters).subject).toEqual({ ...subject, ...changes });
  });
});
