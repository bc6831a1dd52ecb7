import { expect, test } from 'vitest';
import {
  type Judgement,
  judgeAnswer,
  type KnownPullRequest,
  readPastLag,
} from '../../../src/change/freshness.ts';
import { pullRequestUnreadable } from '../../../src/change/superseded.ts';
import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { gitHubError, pullRequestState } from '../github/samples.ts';

const at = (time: string) => new Date(`2026-01-15T${time}Z`);
const EVENT = at('12:00:00');
const HEAD = 'a'.repeat(40);
const FIRST: KnownPullRequest = {
  headSha: HEAD,
  baseName: 'main',
  isOpen: true,
  updatedAt: EVENT,
  previousHead: 'b'.repeat(40),
  firstAttempt: true,
  asOf: EVENT,
};
const RERUN = { ...FIRST, firstAttempt: false, asOf: undefined };
/** What a run knows about the pull request. */
const KNOWN: Readonly<Record<string, KnownPullRequest>> = {
  'first attempt': FIRST,
  'first attempt, no time in the payload': { ...FIRST, updatedAt: undefined, asOf: undefined },
  're-run': RERUN,
  're-run that has read it at 12:30': { ...RERUN, previousHead: undefined, asOf: at('12:30:00') },
};
/** What differs in the state that GitHub shows. */
const CHANGES: Readonly<Record<string, Partial<PullRequestState>>> = {
  'the same state': {},
  'another base branch': { baseName: 'dev' },
  'a closed pull request': { isOpen: false },
  'the head before the push': { headSha: 'b'.repeat(40) },
  'another head': { headSha: 'c'.repeat(40) },
  'no base branch': { baseTip: { kind: 'gone' } },
  'no base branch, of another name': { baseTip: { kind: 'gone' }, baseName: 'dev' },
  'no base branch, and closed': { baseTip: { kind: 'gone' }, isOpen: false },
  'no base branch, and another head': { baseTip: { kind: 'gone' }, headSha: 'c'.repeat(40) },
};
const TIMES = { earlier: at('11:59:59'), same: EVENT, later: at('12:00:01') };

/** `or lag`: GitHub may answer differently in a few seconds. */
const shown = ({ kind, mayLag }: Judgement) => (mayLag ? `${kind} (or lag)` : kind);

/** Shows values that have names. Neighbours with the same value share it. */
function inOrder(values: readonly (readonly [name: string, value: string])[], separator = '; '): string {
  const [[, first] = ['', ''], ...others] = values;
  const changed = others.filter(([, value], index) => value !== values[index]?.[1]);
  return [first, ...changed.map(([name, value]) => `${name}: ${value}`)].join(separator);
}

/** Judges an answer until and after the moments when what a run knows is 15 minutes old. */
function judged(known: KnownPullRequest, answer: Result<PullRequestState, GitHubError>): string {
  const moments = ['12:14:59', '12:15:00', '12:44:59', '12:45:00'];
  return inOrder(
    moments.map((moment) => [`from ${moment}`, shown(judgeAnswer(known, answer, at(moment)))] as const),
  );
}

test('an answer of GitHub is judged by its time, and by what the run knows', async () => {
  const lines = Object.entries(CHANGES).flatMap(([what, change]) => [
    `${what}:`,
    ...Object.entries(KNOWN).map(([run, known]) => {
      const ofTimes = Object.entries(TIMES).map(
        ([time, updatedAt]) => [time, judged(known, ok(pullRequestState({ ...change, updatedAt })))] as const,
      );
      return `  ${run}: ${inOrder(ofTimes, ' | ')}`;
    }),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/freshness.txt');
});

test('a pull request that cannot be read is judged by the error, and by what the run knows', async () => {
  const kinds = ['rate-limited', 'refused', 'invalid', 'unreachable', 'stopped'] as const;
  const lines = [...kinds, 'forbidden', 'unauthorized', 'not-found'] as const;
  const pages = lines.map((kind) => {
    const error = gitHubError(kind);
    return [
      `${kind}:`,
      ...Object.entries(KNOWN).map(([run, known]) => {
        expect(judgeAnswer(known, err(error), EVENT)).toMatchObject({ error });
        return `  ${run}: ${judged(known, err(error))}`;
      }),
    ].join('\n');
  });
  await expect(`${pages.join('\n')}\n`).toMatchFileSnapshot('golden/unreadable.txt');
});

test.each([
  [1, []],
  [3, [2_000, 4_000]],
  [9, [2_000, 4_000, 8_000]],
])('readPastLag reads until answer %i is up to date, at most four times', async (upToDate, sleeps) => {
  const clock = new FakeClock();
  let reads = 0;
  const read = async () => ++reads;
  const last = await readPastLag({ clock, signal: NEVER_ABORTED }, read, (answer) => answer < upToDate);
  expect([last, clock.sleeps]).toEqual([sleeps.length + 1, sleeps]);
});

test('an older state of the pull request is named as the reason why it is unreadable', () => {
  const cause =
    'Could not confirm the head and base branch of the pull request. GitHub still shows an older state of the pull request.';
  const unreadable = { reason: 'service-error', cause, nextStep: 'Re-run this job later.' };
  expect(pullRequestUnreadable(undefined)).toEqual(unreadable);
});
