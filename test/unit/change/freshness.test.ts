import { describe, expect, test } from 'vitest';
import { type Judgement, judgeAnswer, type KnownPullRequest } from '../../../src/change/freshness.ts';
import { err, ok } from '../../../src/domain/result.ts';
import type { GitHubError } from '../../../src/github/errors.ts';
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
/** A re-run that read the pull request at its start. */
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

type Kind = Judgement['kind'];
type Worth = Kind | `${Kind}, or lag`;
/** What GitHub shows, and the expected judgement. `or lag`: GitHub may answer differently in a few seconds. */
type Row = readonly [what: string, shown: Partial<PullRequestState>, worth: Worth];

/** Puts the values of each row into the order in which the titles name them. */
const titled = (rows: readonly Row[]) => rows.map(([what, shown, worth]) => [what, worth, shown] as const);

function judge(known: KnownPullRequest, shown: Partial<PullRequestState>, now = at('13:00:00')): Worth {
  return worthOf(judgeAnswer(known, ok({ ...STATE, ...shown }), now));
}

function worthOf({ kind, mayLag }: Judgement): Worth {
  return mayLag ? `${kind}, or lag` : kind;
}

describe('judgeAnswer on the first attempt', () => {
  test.each(
    titled([
      ['the same state', {}, 'current'],
      ['the same state, with a later time', { updatedAt: NEWER }, 'current'],
      ['the same state, with an earlier time', { updatedAt: OLDER }, 'current'],
      ['another base branch, with a later time', { baseName: 'dev', updatedAt: NEWER }, 'current'],
      ['another base branch, with the same time', { baseName: 'dev' }, 'current'],
      [
        'another base branch, with an earlier time',
        { baseName: 'dev', updatedAt: OLDER },
        'known-serves, or lag',
      ],
      ['a closed pull request, with a later time', { isOpen: false, updatedAt: NEWER }, 'current'],
      [
        'a closed pull request, with an earlier time',
        { isOpen: false, updatedAt: OLDER },
        'known-serves, or lag',
      ],
      ['the head before the push', { headSha: BEFORE, updatedAt: OLDER }, 'known-serves, or lag'],
      ['the head before the push, with a later time', { headSha: BEFORE, updatedAt: NEWER }, 'superseded'],
      ['the head before the push, with the same time', { headSha: BEFORE }, 'known-serves, or lag'],
      ['another head, with an earlier time', { headSha: OTHER, updatedAt: OLDER }, 'known-serves, or lag'],
      ['another head, with the same time', { headSha: OTHER }, 'superseded'],
      ['another head, with a later time', { headSha: OTHER, updatedAt: NEWER }, 'superseded'],
    ]),
  )('on the first attempt, if GitHub shows %s, the judgement is `%s`', (_, worth, shown) => {
    expect(judge(FIRST, shown)).toBe(worth);
  });

  test('on the first attempt, judgeAnswer ignores the time of the answer if the payload has no time', () => {
    const known = { ...FIRST, updatedAt: undefined, asOf: undefined };
    expect(judge(known, { headSha: OTHER, updatedAt: OLDER })).toBe('superseded');
    expect(judge(known, { headSha: BEFORE })).toBe('known-serves, or lag');
    expect(judge(known, { baseName: 'dev', updatedAt: OLDER })).toBe('current');
  });
});

describe('judgeAnswer on a re-run', () => {
  test.each(
    titled([
      ['the same state', { updatedAt: NEWER }, 'current'],
      ['another base branch, with a later time', { baseName: 'dev', updatedAt: NEWER }, 'current'],
      [
        'another base branch, with an earlier time',
        { baseName: 'dev', updatedAt: OLDER },
        'unreadable, or lag',
      ],
      ['the head before the push', { headSha: BEFORE, updatedAt: OLDER }, 'superseded, or lag'],
      ['another head, with an earlier time', { headSha: OTHER, updatedAt: OLDER }, 'superseded, or lag'],
      ['another head, with the same time', { headSha: OTHER }, 'superseded, or lag'],
      ['another head, with a later time', { headSha: OTHER, updatedAt: NEWER }, 'superseded, or lag'],
    ]),
  )('on a re-run, if GitHub shows %s, the judgement is `%s`', (_, worth, shown) => {
    expect(judge(RERUN, shown)).toBe(worth);
  });

  test.each(
    titled([
      ['another head, with a later time', { headSha: OTHER, updatedAt: NEWER }, 'superseded'],
      ['another head, with the same time', { headSha: OTHER }, 'superseded'],
    ]),
  )(
    'on a re-run that has read the pull request, if GitHub shows %s, the judgement is `%s`',
    (_, worth, shown) => {
      expect(judge(RERUN_READ, shown)).toBe(worth);
    },
  );

  test.each([
    ['another base branch', { baseName: 'dev' }],
    ['another head', { headSha: OTHER }],
  ])(
    'for 15 minutes, the state from the start of a re-run has priority over an older state with %s',
    (_, change) => {
      const shown = { ...change, updatedAt: OLDER };
      expect(judge(RERUN_READ, shown, at('12:44:59'))).toBe('known-serves, or lag');
      expect(judge(RERUN_READ, shown, at('12:45:00'))).toBe('unreadable, or lag');
    },
  );
});

describe('judgeAnswer: the base branch is missing', () => {
  const baseTip = { kind: 'gone' } as const;

  test.each([
    ['the first attempt', FIRST],
    ['a re-run', RERUN],
    ['a re-run that has read the pull request', RERUN_READ],
  ])('judgeAnswer finds a contradiction if an open pull request has no base branch (%s)', (_, known) => {
    expect(judge(known, { baseTip })).toBe('contradictory, or lag');
    expect(judge(known, { baseTip, baseName: 'dev', updatedAt: NEWER })).toBe('contradictory, or lag');
  });

  test('judgeAnswer accepts a missing base branch if the pull request is closed or has another head', () => {
    expect(judge(FIRST, { baseTip, isOpen: false, updatedAt: NEWER })).toBe('current');
    expect(judge(FIRST, { baseTip, headSha: OTHER, updatedAt: NEWER })).toBe('superseded');
  });
});

describe('judgeAnswer: the pull request cannot be read', () => {
  const error = (kind: GitHubError['kind']): GitHubError => ({
    kind,
    operation: 'read the pull request',
    permission: 'pull-requests: read',
    status: undefined,
    message: '',
    ambiguous: false,
  });
  const judged = (kind: GitHubError['kind'], known: KnownPullRequest, now = at('12:00:01')) =>
    worthOf(judgeAnswer(known, err(error(kind)), now));

  test.each(['rate-limited', 'refused', 'invalid', 'unreachable', 'stopped'] as const)(
    'judgeAnswer uses the event only if the event is recent (error: %s)',
    (kind) => {
      const now = at('12:14:59');
      const judgement = { kind: 'known-serves', error: error(kind), mayLag: false };
      expect(judgeAnswer(FIRST, err(error(kind)), now)).toEqual(judgement);
      expect(judged(kind, FIRST, at('12:15:00'))).toBe('unreadable');
      expect(judged(kind, { ...FIRST, asOf: undefined })).toBe('unreadable');
      expect(judged(kind, RERUN)).toBe('unreadable');
    },
  );

  test.each(['forbidden', 'unauthorized'] as const)(
    'judgeAnswer treats the refusal `%s` as final even if the event is recent',
    (kind) => {
      for (const known of [FIRST, RERUN, RERUN_READ]) {
        const judgement = { kind: 'unreadable', error: error(kind), mayLag: false };
        expect(judgeAnswer(known, err(error(kind)), at('12:00:01'))).toEqual(judgement);
      }
    },
  );

  test('judgeAnswer treats a 404 as final only on a re-run that has not read the pull request', () => {
    expect(judged('not-found', FIRST)).toBe('unreadable, or lag');
    expect(judged('not-found', { ...FIRST, asOf: undefined })).toBe('unreadable, or lag');
    expect(judged('not-found', RERUN_READ)).toBe('unreadable, or lag');
    expect(judged('not-found', RERUN)).toBe('unreadable');
  });
});
