import { expect, test } from 'vitest';
import { mergedSince } from '../../../src/change/diff-base.ts';
import { findMergeBase } from '../../../src/change/merge-base.ts';
import { err } from '../../../src/domain/result.ts';
import type { ScanTarget } from '../../../src/domain/target.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { answered } from '../github/client.ts';
import { samplePush, sampleTarget } from '../report/sample-report.ts';

const NEW_BRANCH = samplePush({ branch: 'topic', before: undefined });
const GROUP: ScanTarget = {
  ...sampleTarget(),
  base: { kind: 'merge-group', sha: 'a'.repeat(40), branch: 'main', pullRequest: 5 },
};

test.each<[what: string, target: ScanTarget, runAttempt: number, cause: string | undefined]>([
  ['the push of a new branch', NEW_BRANCH, 2, 'The default branch contains the pushed commit now'],
  ['the push of a new branch, at first', NEW_BRANCH, 1, undefined],
  ['a push', samplePush(), 2, undefined],
  ['a merge group', GROUP, 2, 'The base branch contains the head of the merge group now'],
  ['a merge group, at first', GROUP, 1, undefined],
  ['a pull request', sampleTarget(), 2, undefined],
])('an empty change proves nothing only in a re-run for a new branch or a merge group: %s', (...row) => {
  const [, target, runAttempt, cause] = row;
  expect(mergedSince(target, runAttempt)?.cause.split(',')[0]).toBe(cause);
});

test('a signal that ends git also ends the search for the merge base', async () => {
  const { github } = answered();
  const environment = { serverUrl: 'http://127.0.0.1:9', owner: 'acme', repo: 'shop', runnerTemp: undefined };
  const deps = {
    github,
    githubToken: 'x',
    environment,
    clock: new FakeClock({ auto: false }),
    warn: () => {},
  };
  const base = { kind: 'branch', name: 'main' } as const;
  const found = await findMergeBase({ ...deps, signal: AbortSignal.abort() }, base, sampleTarget());
  expect(found).toEqual(err({ kind: 'stopped' }));
});
