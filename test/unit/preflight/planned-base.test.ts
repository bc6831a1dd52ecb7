import { expect, test } from 'vitest';
import { planBase } from '../../../src/preflight/planned-base.ts';
import { readLaunchParameters } from '../../../src/scan-api/wire-writes.ts';

const HEAD = 'ab'.repeat(20);
const BASE = 'cd'.repeat(20);
const OTHER = 'ef'.repeat(20);
const UPPER = OTHER.toUpperCase();

const PARAMETERS: readonly Readonly<Record<string, unknown>>[] = [
  // No base.
  {},
  { branch: 'main' },
  { commit: null, headSha: HEAD },
  { commit: null, target: { revisions: [HEAD.toUpperCase()] } },
  { commit: HEAD },
  { commit: HEAD.toUpperCase() },
  { baseCommit: null },
  { baseCommit: null, branch: 'main', depth: 7, tags: ['v1', null] },
  // A base.
  ...[OTHER, UPPER, HEAD, 'ef'.repeat(32)].map((baseCommit) => ({ baseCommit })),
  // A base under another name.
  { baseCommit: null, base: OTHER },
  { baseCommit: null, diff: { from: UPPER, to: HEAD } },
  { baseCommit: null, commit: null, base: OTHER, head: HEAD },
  { baseCommit: null, base: OTHER, from: OTHER },
  { baseCommit: null, base: OTHER, from: BASE },
  // No head, another head, and what is no full commit id.
  { commit: null },
  { commit: null, headSha: 'anything' },
  { commit: null, headSha: HEAD.slice(0, 12) },
  { commit: null, [HEAD]: true },
  ...[OTHER, UPPER, 'main', HEAD.slice(0, 12), '', 7, [HEAD], { sha: HEAD }].map((commit) => ({ commit })),
  ...['main', OTHER.slice(0, 12), `${OTHER}0`, '', 7, { sha: OTHER }].map((baseCommit) => ({ baseCommit })),
];

test('the base is the one in `launch-parameters`, or else the input `base-commit`', async () => {
  const named = (text: string) =>
    text
      .replaceAll(HEAD, 'HEAD')
      .replaceAll(HEAD.toUpperCase(), 'HEAD in capitals')
      .replaceAll(BASE, 'INPUT')
      .replaceAll(OTHER, 'OTHER')
      .replaceAll(UPPER, 'OTHER in capitals');
  const plan = (parameters: Readonly<Record<string, unknown>>, input?: string) => {
    const planned = planBase(HEAD, input, readLaunchParameters(parameters));
    if (planned.ok) return planned.value ?? 'computed';
    const { reason, cause, nextStep } = planned.error;
    return `${reason}: ${cause} ${nextStep}`;
  };
  const byResult = new Map<string, string[]>();
  for (const parameters of PARAMETERS) {
    const [without, given] = [plan(parameters), plan(parameters, BASE)];
    const result = without === given ? without : `${without}, or ${given}`;
    byResult.set(result, [...(byResult.get(result) ?? []), JSON.stringify(parameters)]);
  }
  const lines = [...byResult].map(([result, all]) => `${result}\n  ${all.join('\n  ')}`);
  await expect(named(`${lines.join('\n')}\n`)).toMatchFileSnapshot('golden/planned-base.txt');
});
