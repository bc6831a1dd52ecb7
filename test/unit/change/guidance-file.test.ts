import { describe, expect, test } from 'vitest';
import { guidanceCommit, withStoredGuidance } from '../../../src/change/guidance-file.ts';
import type { DiffBase, TargetBase } from '../../../src/domain/target.ts';
import { SHA } from '../github/samples.ts';

describe('guidanceCommit', () => {
  const computed: DiffBase = { baseSha: 'computed', headSha: SHA.head, how: 'compare' };
  const given: DiffBase = { ...computed, baseSha: 'given', how: 'input' };
  const branch: TargetBase = { kind: 'branch', name: 'main', tip: 'tip' };
  const group: TargetBase = { kind: 'merge-group', sha: 'below', branch: 'main' };
  const pushed: TargetBase = { kind: 'push', branch: 'main', before: 'before', defaultBranch: 'main' };
  test.each([
    ['the tip', 'a branch', branch, computed, 'tip'],
    ['the tip', 'a branch and a given base', branch, given, 'tip'],
    ['no commit', 'a branch with an unknown tip', { ...branch, tip: undefined }, computed, undefined],
    ['the merge base', 'a merge group', group, computed, 'computed'],
    // The result is never the commit that the group is built on, because that commit may belong to the measured change.
    ['the given base', 'a merge group and a given base', group, given, 'given'],
    ['no commit', 'a merge group without a merge base', group, undefined, undefined],
    ['the merge base', 'a push', pushed, computed, 'computed'],
    ['the given base', 'a push and a given base', pushed, given, 'given'],
    ['no commit', 'a push without a merge base', pushed, undefined, undefined],
    ['the head', 'a full scan', { kind: 'none' }, undefined, SHA.head],
  ] satisfies [string, string, TargetBase, DiffBase | undefined, string | undefined][])(
    'guidanceCommit returns %s for %s',
    (_commit, _what, base, diffBase, commit) => {
      expect(guidanceCommit({ base, headSha: SHA.head }, diffBase)).toBe(commit);
    },
  );
});

test('withStoredGuidance rejects two guidance texts that are too long together', () => {
  const composed = withStoredGuidance({ path: 'a.md', text: 'x'.repeat(60_000) }, 'y'.repeat(39_999));
  expect(composed).toMatchObject({
    ok: false,
    error: {
      reason: 'configuration',
      cause: 'The guidance file `a.md` with the stored guidance is longer than 100000 characters.',
    },
  });
  const shorter = withStoredGuidance({ path: 'a.md', text: 'x'.repeat(60_000) }, 'y'.repeat(39_998));
  expect(shorter.ok && shorter.value).toHaveLength(100_000);
});
