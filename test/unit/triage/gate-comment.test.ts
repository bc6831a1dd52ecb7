import { describe, expect, test } from 'vitest';
import { joinState, sealFacts } from '../../../src/domain/comment-state.ts';
import { nextHistory } from '../../../src/domain/history.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { hiddenLines, type PostedComment } from '../../../src/github/comment-marker.ts';
import { readGateComment } from '../../../src/triage/gate-comment.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client } from '../github/client.ts';
import { pullRequestState, SHA } from '../github/samples.ts';
import { sampleFinding, sampleReport } from '../report/sample-report.ts';

const TOKEN = 'the API token';
const SUBJECT = { pullRequest: 5, headSha: SHA.head, checkName: 'Security scan' };
const OWNER = { pullRequest: 5, checkName: 'Security scan' };
const { findings } = sampleReport([sampleFinding({ word: 'CRITICAL' })]).verdict;

interface Said {
  readonly id: number;
  readonly runId?: number;
  readonly runAttempt?: number;
  readonly head?: string;
  readonly author?: string;
  readonly apiToken?: string;
}

function posted({ id, runId = 42, runAttempt = 1, head = SHA.head, ...by }: Said): PostedComment {
  const { author = 'github-actions[bot]', apiToken = TOKEN } = by;
  const seal = createSeal(apiToken, '1296269');
  const history = nextHistory(undefined, head, findings);
  const state = joinState({ mark: '', badness: 4, sealed: sealFacts({ history }, OWNER, seal) });
  const marker = { checkName: 'Security scan', headSha: head, runId, runAttempt };
  const body = `${hiddenLines(marker, state)}\n## Blocked`;
  return { id, url: undefined, body, author: { login: author, type: 'Bot' } };
}

const DEPS = { github: client(), seal: createSeal(TOKEN, '1296269'), signal: NEVER_ABORTED };
const read = (...comments: readonly Said[]) =>
  readGateComment(DEPS, SUBJECT, pullRequestState({ comments: comments.map(posted) }));

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
    expect(found).toMatchObject({ ok: true, value: { marker: { runId: 43, runAttempt: 2 } } });
    expect(found.ok && found.value?.history.findings.map(({ blocks }) => blocks)).toEqual([true]);
  });

  test('readGateComment returns a signed comment by another app if there is none of our own', async () => {
    const found = await read({ id: 1, runId: 46, author: 'gate-app[bot]' });
    expect(found).toMatchObject({ ok: true, value: { marker: { runId: 46 } } });
  });

  test.each<[what: string, comments: readonly Said[]]>([
    ['there is no comment', []],
    ['the comment is about another head', [{ id: 1, head: SHA.other }]],
    ['the comment was signed with another token', [{ id: 1, apiToken: 'another token' }]],
    [
      'another app copied a comment about another head',
      [{ id: 1, author: 'gate-app[bot]', head: SHA.other }],
    ],
  ])('readGateComment returns undefined if %s', async (_what, comments) => {
    expect(await read(...comments)).toEqual({ ok: true, value: undefined });
  });
});
