import { describe, expect, test } from 'vitest';
import type { ScanSubject } from '../../../src/domain/scan-subject.ts';
import type { DiffBase } from '../../../src/domain/target.ts';
import { type LaunchableChange, planBase, planLaunch } from '../../../src/gate/launch-plan.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';
import { sampleReport } from '../report/sample-report.ts';

const HEAD = 'ab'.repeat(20);
const BASE = 'cd'.repeat(20);
const OTHER = 'ef'.repeat(20);
const found: DiffBase = { baseSha: BASE, headSha: HEAD, how: 'compare' };

const plan = (launchParameters: Readonly<Record<string, unknown>>, baseSha?: string) =>
  planBase(HEAD, baseSha, readLaunchParameters(launchParameters));

describe('the workflow gives no base of its own', () => {
  test.each([
    {},
    { branch: 'main' },
    { commit: null, headSha: HEAD },
    { commit: null, target: { revisions: [HEAD.toUpperCase()] } },
    { commit: HEAD },
    { commit: HEAD.toUpperCase() },
    { baseCommit: null },
    { baseCommit: null, branch: 'main', depth: 7, tags: ['v1', null] },
  ])('by %j', (parameters) => {
    expect(plan(parameters)).toEqual({ ok: true, value: undefined });
    expect(plan(parameters, BASE)).toEqual({ ok: true, value: BASE });
  });
});

test.each([OTHER, OTHER.toUpperCase(), HEAD, 'ef'.repeat(32)])(
  'the base in `launch-parameters` goes before the input: %s',
  (baseCommit) => {
    const planned = { ok: true, value: baseCommit.toLowerCase() };
    expect(plan({ baseCommit })).toEqual(planned);
    expect(plan({ baseCommit }, BASE)).toEqual(planned);
  },
);

test.each([
  { baseCommit: null, base: OTHER },
  { baseCommit: null, diff: { from: OTHER.toUpperCase(), to: HEAD } },
  { baseCommit: null, commit: null, base: OTHER, head: HEAD },
])('a commit id under another name than `baseCommit` is the base: %j', (parameters) => {
  expect(plan(parameters)).toEqual({ ok: true, value: OTHER });
  expect(plan(parameters, BASE)).toEqual({ ok: true, value: OTHER });
});

test('of several commit ids none is taken for the base', () => {
  expect(plan({ baseCommit: null, base: OTHER, from: BASE })).toMatchObject({
    error: {
      reason: 'configuration',
      cause: expect.stringContaining('removes `baseCommit`'),
      nextStep: expect.stringContaining('Keep one commit SHA'),
    },
  });
  expect(plan({ baseCommit: null, base: OTHER, from: OTHER })).toEqual({ ok: true, value: OTHER });
});

test.each([
  { commit: null },
  { commit: null, headSha: 'anything' },
  { commit: null, headSha: HEAD.slice(0, 12) },
  { commit: null, [HEAD]: true },
])('%j sends the head nowhere', (parameters) => {
  expect(plan(parameters)).toMatchObject({
    error: {
      reason: 'configuration',
      cause: expect.stringContaining('removes `commit`'),
      nextStep: expect.stringContaining('Add the field that the service uses for the head'),
    },
  });
});

test.each([OTHER, OTHER.toUpperCase(), 'main', HEAD.slice(0, 12), '', 7, [HEAD], { sha: HEAD }])(
  'the commit %j is no scan of this head',
  (commit) => {
    expect(plan({ commit })).toMatchObject({
      error: {
        reason: 'configuration',
        cause: expect.stringContaining('sets `commit`'),
        nextStep: expect.stringContaining('Remove `commit` from `launch-parameters`'),
      },
    });
  },
);

test.each(['main', OTHER.slice(0, 12), `${OTHER}0`, '', 7, { sha: OTHER }])(
  'the base %j is no full commit id',
  (baseCommit) => {
    expect(plan({ baseCommit })).toMatchObject({
      error: {
        reason: 'configuration',
        cause: expect.stringContaining('sets `baseCommit`'),
        nextStep: expect.stringContaining('remove `baseCommit` from `launch-parameters`'),
      },
    });
  },
);

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
      notices: [],
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
      // A scan shows no branch: it cannot be recognized.
      subject: undefined,
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
  ])('is not recognized where %j replaces what was chosen', (launchParameters) => {
    expect(planned(launchParameters).subject).toBeUndefined();
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
