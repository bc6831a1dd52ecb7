import { describe, expect, test } from 'vitest';
import type { DiffBase } from '../src/domain/target.ts';
import { planBase } from '../src/launch-plan.ts';

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
      error: { reason: 'configuration', cause: expect.stringContaining('sets `commit`') },
    });
  },
);

test.each(['main', OTHER.slice(0, 12), `${OTHER}0`, '', 7, { sha: OTHER }])(
  'the base %j is no full commit id',
  (baseCommit) => {
    expect(plan({ baseCommit })).toMatchObject({
      error: { reason: 'configuration', cause: expect.stringContaining('sets `baseCommit`') },
    });
  },
);
