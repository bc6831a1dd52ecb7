import { describe, expect, test } from 'vitest';
import { encodeFreeRerun, joinState } from '../../../src/domain/comment-state.ts';
import { encodeHistory, nextHistory } from '../../../src/domain/history.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { hiddenLines, type PostedComment } from '../../../src/github/comment-marker.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { askedInVain, readGateComment, readReported } from '../../../src/triage/gate-comment.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, SHA } from '../github/client.ts';
import { sampleFinding, sampleReport } from '../report/sample-report.ts';

const TOKEN = 'the API token';
const SUBJECT = { pullRequest: 5, headSha: SHA.head, checkName: 'Security scan' };
const OWNER = { repository: 'acme/shop', pullRequest: 5, checkName: 'Security scan' };
const { findings } = sampleReport([sampleFinding({ word: 'CRITICAL' })]).verdict;

interface Said {
  readonly id: number;
  readonly runId?: number;
  readonly runAttempt?: number;
  readonly head?: string;
  readonly author?: string;
  readonly apiToken?: string;
  readonly free?:
    | undefined
    | { readonly runId: number; readonly runAttempt: number; readonly mayRepeat?: boolean };
}

function posted({ id, runId = 42, runAttempt = 1, head = SHA.head, free, ...by }: Said): PostedComment {
  const { author = 'github-actions[bot]', apiToken = TOKEN } = by;
  const seal = createSeal(apiToken, '1296269');
  const state = joinState({
    mark: undefined,
    history: encodeHistory(nextHistory(undefined, head, findings), OWNER, seal),
    publication: undefined,
    freeRerun: free && encodeFreeRerun({ mayRepeat: false, ...free }, OWNER, seal),
  });
  const marker = { checkName: 'Security scan', headSha: head, runId, runAttempt };
  const body = `${hiddenLines(marker, state)}\n## Blocked`;
  return { id, url: undefined, body, author: { login: author, type: 'Bot' } };
}

function stateOf(comments: readonly Said[]): PullRequestState {
  return {
    viewer: 'github-actions[bot]',
    isOpen: true,
    updatedAt: new Date(0),
    headSha: SHA.head,
    headTree: undefined,
    baseName: 'main',
    baseTip: undefined,
    comments: comments.map(posted),
  };
}

const DEPS = { github: client(), seal: createSeal(TOKEN, '1296269'), signal: NEVER_ABORTED };
const read = (...comments: readonly Said[]) => readGateComment(DEPS, SUBJECT, stateOf(comments));

describe('readGateComment', () => {
  test('readGateComment returns the newest comment that has a proven history of this head', async () => {
    const found = await read(
      { id: 1, runId: 42 },
      { id: 2, runId: 43, runAttempt: 2 },
      { id: 3, runId: 43 },
      { id: 4, runId: 44, head: SHA.other },
      { id: 5, runId: 45, apiToken: 'another token' },
      { id: 6, runId: 46, author: 'gate-app[bot]' },
    );
    expect(found).toMatchObject({ ok: true, value: { comment: { id: 2 }, freeRerun: undefined } });
    expect(found.ok && found.value.history.findings.map(({ blocks }) => blocks)).toEqual([true]);
  });

  test.each<[what: string, comments: readonly Said[], reason: string]>([
    ['there is no comment', [], 'not-known'],
    ['the comment is about another head', [{ id: 1, head: SHA.other }], 'not-known'],
    ['the comment was signed with another token', [{ id: 1, apiToken: 'another token' }], 'not-known'],
    ['another app wrote the comment', [{ id: 1, author: 'gate-app[bot]' }], 'other-author'],
    [
      'another app copied a comment about another head',
      [{ id: 1, author: 'gate-app[bot]', head: SHA.other }],
      'not-known',
    ],
  ])('readGateComment returns a refusal if %s', async (_what, comments, reason) => {
    expect(await read(...comments)).toMatchObject({ ok: false, error: { reason } });
  });
});

const isInVain = async (free: Said['free']) => {
  const found = await read({ id: 1, free });
  return found.ok && askedInVain(found.value, { runId: 42, runAttempt: 3 });
};

test.each<[what: string, free: Said['free']]>([
  ['a sweep requested this attempt', { runId: 42, runAttempt: 3 }],
  ['a sweep requested an earlier attempt', { runId: 42, runAttempt: 2 }],
])('askedInVain returns true if %s', async (_what, free) => {
  expect(await isInVain(free)).toBe(true);
});

test.each<[what: string, free: Said['free']]>([
  ['no sweep requested a re-run', undefined],
  ['a sweep requested the next attempt', { runId: 42, runAttempt: 4 }],
  ['the gate signed that another attempt can end differently', { runId: 42, runAttempt: 3, mayRepeat: true }],
  ['a sweep requested another run', { runId: 43, runAttempt: 3 }],
])('askedInVain returns false if %s', async (_what, free) => {
  expect((await read({ id: 1, free })).ok).toBe(true);
  expect(await isInVain(free)).toBe(false);
});

describe('readReported', () => {
  const reported = async (...comments: readonly Said[]) => {
    const read = await readReported(DEPS, SUBJECT, stateOf(comments));
    return read.ok ? (read.value === undefined ? 'none' : read.value.length) : read.error.reason;
  };

  test.each<[what: string, comments: readonly Said[], shown: number | 'none']>([
    ['returns the findings of our comment', [{ id: 1 }], findings.reported.length],
    ['returns the findings of a signed comment by another app', [{ id: 1, author: 'gate-app[bot]' }], 1],
    ['ignores a comment about another head', [{ id: 1, head: SHA.other }], 'none'],
    ['ignores a comment that was signed with another token', [{ id: 1, apiToken: 'guessed' }], 'none'],
    ['returns undefined if there is no comment', [], 'none'],
  ])('readReported %s', async (_what, comments, shown) => {
    expect(await reported(...comments)).toBe(shown);
  });
});
