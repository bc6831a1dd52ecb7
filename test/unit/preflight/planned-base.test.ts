import { describe, expect, test } from 'vitest';
import { planBase } from '../../../src/preflight/planned-base.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';

const HEAD = 'ab'.repeat(20);
const BASE = 'cd'.repeat(20);
const OTHER = 'ef'.repeat(20);

const plan = (launchParameters: Readonly<Record<string, unknown>>, baseSha?: string) =>
  planBase(HEAD, baseSha, readLaunchParameters(launchParameters));

describe('launch parameters without a base', () => {
  test.each([
    {},
    { branch: 'main' },
    { commit: null, headSha: HEAD },
    { commit: null, target: { revisions: [HEAD.toUpperCase()] } },
    { commit: HEAD },
    { commit: HEAD.toUpperCase() },
    { baseCommit: null },
    { baseCommit: null, branch: 'main', depth: 7, tags: ['v1', null] },
  ])('if `launch-parameters` contains no base, the input `base-commit` decides: %j', (parameters) => {
    expect(plan(parameters)).toEqual({ ok: true, value: undefined });
    expect(plan(parameters, BASE)).toEqual({ ok: true, value: BASE });
  });
});

test.each([OTHER, OTHER.toUpperCase(), HEAD, 'ef'.repeat(32)])(
  'the base in `launch-parameters` overrides the input `base-commit`: %s',
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
])('a commit id in `launch-parameters` is the base under any name: %j', (parameters) => {
  expect(plan(parameters)).toEqual({ ok: true, value: OTHER });
  expect(plan(parameters, BASE)).toEqual({ ok: true, value: OTHER });
});

test('different commit ids in `launch-parameters` are an error', () => {
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
])('it is an error if `launch-parameters` removes the head: %j', (parameters) => {
  expect(plan(parameters)).toMatchObject({
    error: {
      reason: 'configuration',
      cause: expect.stringContaining('removes `commit`'),
      nextStep: expect.stringContaining('Add the field that the service uses for the head'),
    },
  });
});

test.each([OTHER, OTHER.toUpperCase(), 'main', HEAD.slice(0, 12), '', 7, [HEAD], { sha: HEAD }])(
  'the commit %j in `launch-parameters` is an error, because it is not the head',
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
  'the base %j in `launch-parameters` is an error, because it is not a full commit id',
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
