import { describe, expect, test } from 'vitest';
import type { DiffBase } from '../src/domain/target.ts';
import { type LaunchableChange, planBase, planLaunch } from '../src/launch-plan.ts';
import { sampleReport } from './report/sample-report.ts';

const HEAD = 'ab'.repeat(20);
const BASE = 'cd'.repeat(20);
const OTHER = 'ef'.repeat(20);
const found: DiffBase = { baseCommit: BASE, headCommit: HEAD, how: 'compare' };

const plan = (launchParameters: Readonly<Record<string, unknown>>) => planBase(found, launchParameters);

describe('the base that was found stays', () => {
  test.each([
    {},
    { branch: 'main' },
    { commit: null, headSha: 'anything' },
    { commit: HEAD },
    { commit: HEAD.toUpperCase() },
    { baseCommit: null },
    { baseCommit: BASE },
    { baseCommit: BASE.toUpperCase() },
  ])('%j', (parameters) => {
    expect(plan(parameters)).toEqual({ ok: true, value: found });
  });
});

test.each([OTHER, OTHER.toUpperCase(), HEAD, 'ef'.repeat(32)])(
  'another base is the one that is sent: %s',
  (baseCommit) => {
    const planned = { ...found, baseCommit: baseCommit.toLowerCase(), how: 'input' };
    expect(plan({ baseCommit })).toEqual({ ok: true, value: planned });
  },
);

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
  const body = { repositoryId: 'r', presetRef: 'diff', creditBudget: 30, baseCommit: BASE, commit: HEAD };

  test('asks for this change, in this repository, by this preset, for these credits', () => {
    expect(planLaunch(change, { launchParameters: {} })).toEqual({ body, sent: body });
  });

  test('says what `launch-parameters` add, replace and remove', () => {
    const launchParameters = { branch: 'topic', creditBudget: 50, commit: null, headSha: HEAD };
    const { commit: _, ...kept } = body;
    expect(planLaunch(change, { launchParameters })).toEqual({
      body: { ...kept, creditBudget: 50, branch: 'topic', headSha: HEAD },
      sent: { ...body, creditBudget: 50, commit: undefined },
    });
  });
});
