import { describe, expect, test } from 'vitest';
import { type Freshness, judgeAnswer, type KnownPullRequest } from '../../../src/change/freshness.ts';
import { err, ok } from '../../../src/domain/result.ts';
import type { GitHubError } from '../../../src/github/github-error.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';

const HEAD = 'a'.repeat(40);
const BEFORE = 'b'.repeat(40);
const OTHER = 'c'.repeat(40);
const at = (time: string) => new Date(`2026-01-15T${time}Z`);
const EVENT = at('12:00:00');

const FIRST: KnownPullRequest = {
  headSha: HEAD,
  baseName: 'main',
  isOpen: true,
  updatedAt: EVENT,
  previousHead: BEFORE,
  firstAttempt: true,
  asOf: EVENT,
};
const RERUN = { ...FIRST, firstAttempt: false, asOf: undefined };
/** A re-run that has read the pull request at its start. */
const RERUN_READ = { ...RERUN, previousHead: undefined, asOf: at('12:30:00') };
const STATE: PullRequestState = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: EVENT,
  headSha: HEAD,
  headTree: undefined,
  baseName: 'main',
  baseTip: undefined,
  comments: [],
};
const OLDER = at('11:59:59');
const NEWER = at('12:00:01');

type Kind = Freshness['kind'];
/** What is shown, and what it is worth: with reads left, and as the last read. */
type Row = readonly [what: string, shown: Partial<PullRequestState>, first: Kind, last: Kind];

function judge(
  known: KnownPullRequest,
  shown: Partial<PullRequestState>,
  isLast: boolean,
  now = at('13:00:00'),
) {
  return judgeAnswer(known, ok({ ...STATE, ...shown }), { now, isLast }).kind;
}

describe('the first attempt', () => {
  test.each<Row>([
    ['the same', {}, 'current', 'current'],
    ['the same, of a later time', { updatedAt: NEWER }, 'current', 'current'],
    ['the same, of an earlier time', { updatedAt: OLDER }, 'current', 'current'],
    ['another base branch, of a later time', { baseName: 'dev', updatedAt: NEWER }, 'current', 'current'],
    ['another base branch, of the same time', { baseName: 'dev' }, 'current', 'current'],
    [
      'another base branch, of an earlier time',
      { baseName: 'dev', updatedAt: OLDER },
      'read-again',
      'known-serves',
    ],
    ['a closed one, of a later time', { isOpen: false, updatedAt: NEWER }, 'current', 'current'],
    ['a closed one, of an earlier time', { isOpen: false, updatedAt: OLDER }, 'read-again', 'known-serves'],
    ['the head before the push', { headSha: BEFORE, updatedAt: OLDER }, 'read-again', 'known-serves'],
    [
      'the head before the push, of a later time',
      { headSha: BEFORE, updatedAt: NEWER },
      'read-again',
      'known-serves',
    ],
    ['another head, of an earlier time', { headSha: OTHER, updatedAt: OLDER }, 'read-again', 'known-serves'],
    ['another head, of the same time', { headSha: OTHER }, 'superseded', 'superseded'],
    ['another head, of a later time', { headSha: OTHER, updatedAt: NEWER }, 'superseded', 'superseded'],
  ])('that sees %s', (_, shown, first, last) => {
    expect(judge(FIRST, shown, false)).toBe(first);
    expect(judge(FIRST, shown, true)).toBe(last);
  });

  test('without a time in the payload believes no other head to be older', () => {
    const known = { ...FIRST, updatedAt: undefined, asOf: undefined };
    expect(judge(known, { headSha: OTHER, updatedAt: OLDER }, false)).toBe('superseded');
    expect(judge(known, { headSha: BEFORE }, false)).toBe('read-again');
    expect(judge(known, { baseName: 'dev', updatedAt: OLDER }, false)).toBe('current');
  });
});

describe('a re-run', () => {
  test.each<Row>([
    ['the same', { updatedAt: NEWER }, 'current', 'current'],
    ['another base branch, of a later time', { baseName: 'dev', updatedAt: NEWER }, 'current', 'current'],
    [
      'another base branch, of an earlier time',
      { baseName: 'dev', updatedAt: OLDER },
      'read-again',
      'unreadable',
    ],
    ['the head before the push', { headSha: BEFORE, updatedAt: OLDER }, 'superseded', 'superseded'],
    ['another head, of an earlier time', { headSha: OTHER, updatedAt: OLDER }, 'superseded', 'superseded'],
    ['another head, of a later time', { headSha: OTHER, updatedAt: NEWER }, 'superseded', 'superseded'],
  ])('that sees %s', (_, shown, first, last) => {
    expect(judge(RERUN, shown, false)).toBe(first);
    expect(judge(RERUN, shown, true)).toBe(last);
  });

  test('lets its own read serve for a quarter of an hour where GitHub shows an older state later', () => {
    const shown = { baseName: 'dev', updatedAt: OLDER };
    expect(judge(RERUN_READ, shown, true, at('12:44:59'))).toBe('known-serves');
    expect(judge(RERUN_READ, shown, true, at('12:45:00'))).toBe('unreadable');
  });
});

describe('a pull request that cannot be read', () => {
  const KINDS = [
    'forbidden',
    'not-found',
    'unauthorized',
    'rate-limited',
    'refused',
    'nonsense',
    'unreachable',
  ] as const;
  const error = (kind: GitHubError['kind']): GitHubError => ({
    kind,
    operation: 'read the pull request',
    permission: 'pull-requests: read',
    status: undefined,
    message: '',
    mayHaveHappened: false,
  });

  test.each(KINDS)('leaves a young event to serve, an old one not: %s', (kind) => {
    const judged = (known: KnownPullRequest, now: Date) =>
      judgeAnswer(known, err(error(kind)), { now, isLast: false });
    expect(judged(FIRST, at('12:14:59'))).toEqual({ kind: 'known-serves', error: error(kind) });
    expect(judged(FIRST, at('12:15:00'))).toEqual({ kind: 'unreadable', error: error(kind) });
    expect(judged({ ...FIRST, asOf: undefined }, at('12:00:01'))).toMatchObject({ kind: 'unreadable' });
    expect(judged(RERUN, at('12:00:01'))).toMatchObject({ kind: 'unreadable' });
  });
});
