import { describe, expect, test } from 'vitest';
import type { ScanSubject } from '../../../src/domain/scan-subject.ts';
import type { DiffBase } from '../../../src/domain/target.ts';
import { type LaunchableChange, planLaunch } from '../../../src/gate/launch-plan.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { sampleReport } from '../report/sample-report.ts';

const HEAD = 'ab'.repeat(20);
const BASE = 'cd'.repeat(20);
const found: DiffBase = { baseSha: BASE, headSha: HEAD, how: 'compare' };

describe('the launch', () => {
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
      scans: undefined,
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
    sendsMore: false,
  };
  /** SHA-256 of "Look at the login." */
  const LOGIN_HASH = 'd36367cc56e99c6caaac7f0015f7ed79ffe72a1e6a2ff3d5c31bfe9aa2c7ffe1';
  const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const body = { repositoryId: 'r', presetRef: 'diff', creditBudget: 30, baseCommit: BASE, commit: HEAD };

  const keyFields = {
    repositoryId: 'r',
    pullRequest: target.pullRequest?.number,
    baseSha: BASE,
    headSha: target.headSha,
    presetRef: 'diff',
    creditBudget: 30,
    launchParameters: {},
  };
  const planned = (launchParameters: Readonly<Record<string, unknown>>) =>
    planLaunch(change, readLaunchParameters(launchParameters));

  test('asks for this change, in this repository, by this preset, for these credits', () => {
    expect(planned({})).toEqual({ body, creditBudget: 30, keyFields, subject });
  });

  test('sends the composed guidance, is recognized by its hash, and has the hash of the file in its key', () => {
    const fromFile = { fileHash: 'of the file', text: 'Look at the login.' };
    expect(planLaunch(change, readLaunchParameters({}), fromFile)).toEqual({
      body: { ...body, guidance: 'Look at the login.' },
      creditBudget: 30,
      keyFields: { ...keyFields, guidance: 'of the file' },
      subject: { ...subject, guidance: LOGIN_HASH },
    });
  });

  test('of a merge group has a key of no pull request', () => {
    const ofGroup = { ...change, target: { ...target, pullRequest: undefined } };
    expect(planLaunch(ofGroup, readLaunchParameters({})).keyFields).toEqual({
      ...keyFields,
      pullRequest: undefined,
    });
  });

  test('says what `launch-parameters` add, replace and remove', () => {
    const launchParameters = { branch: 'topic', creditBudget: 50, commit: null, headSha: HEAD };
    const { commit: _, ...kept } = body;
    expect(planned(launchParameters)).toEqual({
      body: { ...kept, creditBudget: 50, branch: 'topic', headSha: HEAD },
      creditBudget: 50,
      keyFields: { ...keyFields, launchParameters },
      // A scan shows no branch.
      subject: { ...subject, creditBudget: 50, sendsMore: true },
    });
  });

  test('recognizes its scan where `launch-parameters` only rename a field', () => {
    const launchParameters = { creditBudget: 50, commit: null, headSha: HEAD };
    expect(planned(launchParameters).subject).toEqual({ ...subject, creditBudget: 50 });
  });

  test.each([
    { repositoryId: 'another' },
    { presetRef: 'another' },
    { baseCommit: BASE.toUpperCase() },
    { commit: HEAD.toUpperCase() },
  ])('sends more than a scan shows where %j replaces what was chosen', (launchParameters) => {
    expect(planned(launchParameters).subject).toMatchObject({ sendsMore: true });
  });

  test.each<[string, Readonly<Record<string, unknown>>, Partial<ScanSubject>]>([
    ['its audit areas', { auditAreaKeys: ['login', 'pay'] }, { areas: ['login', 'pay'] }],
    ['the hash of its guidance', { guidance: 'Look at the login.' }, { guidance: LOGIN_HASH }],
    // It takes the place of the guidance that the repository has.
    ['the hash of an empty guidance', { guidance: '' }, { guidance: EMPTY_HASH }],
    ['no budget where it has none', { creditBudget: null }, { creditBudget: undefined }],
    ['its repository and preset as they were chosen', { repositoryId: 'r', presetRef: 'diff' }, {}],
    ['base and head also where the service names them otherwise', { commit: null, baseCommit: null }, {}],
  ])('is recognized by %s', (_what, launchParameters, changes) => {
    expect(planned(launchParameters).subject).toEqual({ ...subject, ...changes });
  });
});
