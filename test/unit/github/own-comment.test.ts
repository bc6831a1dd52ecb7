import { describe, expect, test } from 'vitest';
import { hiddenLines, markerLine } from '../../../src/github/comment-marker.ts';
import { ownComments, type PostedComment } from '../../../src/github/own-comment.ts';
import { SHA } from './client.ts';

const MARKER = { checkName: 'Security scan', headSha: SHA.head, runId: 42, runAttempt: 1 };
const APP = 'github-actions[bot]';
const BODY = `${markerLine(MARKER)}\nBlocked.`;

function posted(id: number, change: Partial<PostedComment> = {}): PostedComment {
  return {
    id,
    url: `https://github.com/c/${id}`,
    body: BODY,
    author: { login: APP, type: 'Bot' },
    ...change,
  };
}
const idsOf = (comments: readonly PostedComment[], author: string) =>
  ownComments(comments, 'Security scan', author).map(({ id }) => id);

test('ownComments reads our comment with its marker and its state', () => {
  const body = `${hiddenLines(MARKER, 'v1:s')}\nBlocked.`;
  expect(ownComments([posted(7, { body })], 'Security scan', APP)).toEqual([
    { id: 7, url: 'https://github.com/c/7', body, marker: MARKER, state: 'v1:s' },
  ]);
});

test('ownComments returns our comments, the oldest first', () => {
  expect(idsOf([posted(9), posted(7), posted(8)], APP)).toEqual([7, 8, 9]);
});

describe('ownComments', () => {
  test.each<[string, Partial<PostedComment>]>([
    ['without the marker', { body: 'Blocked.' }],
    ['from another check', { body: `${markerLine({ ...MARKER, checkName: 'Other' })}\nx` }],
    ['from a deleted account', { author: undefined }],
    ['from a person', { author: { login: 'mallory', type: 'User' } }],
    ['from a person with the name of the app', { author: { login: 'github-actions', type: 'User' } }],
    ['from a person with the login of the app', { author: { login: APP, type: 'User' } }],
    [
      'from an unknown type of account with the login of the app',
      { author: { login: APP, type: undefined } },
    ],
    ['from another app', { author: { login: 'other[bot]', type: 'Bot' } }],
  ])('ownComments leaves out a comment %s', (_whose, change) => {
    expect(idsOf([posted(1, change)], APP)).toEqual([]);
  });
});

describe('ownComments: the writer', () => {
  const by = (login: string, type: string) => [posted(1, { author: { login, type } })];

  test('ownComments recognizes the name of the app with and without `[bot]`', () => {
    expect(idsOf(by('GitHub-Actions[bot]', 'Bot'), APP)).toEqual([1]);
    expect(idsOf(by('my-app[bot]', 'Bot'), 'My-App')).toEqual([1]);
    expect(idsOf(by('my-app[bot]', 'Bot'), 'MY-APP[bot]')).toEqual([1]);
  });

  test('ownComments rejects a person whose login looks like the name of the app', () => {
    expect(idsOf(by('my-app[bot]', 'User'), 'my-app')).toEqual([]);
    expect(idsOf(by('my-app', 'User'), 'my-app[bot]')).toEqual([]);
  });

  test('for the token of a person, ownComments accepts only comments by this person', () => {
    expect(idsOf(by('Dana', 'User'), 'dana')).toEqual([1]);
    expect(idsOf(by('danab', 'User'), 'dana')).toEqual([]);
    expect(idsOf(by('other[bot]', 'Bot'), 'dana')).toEqual([]);
  });
});
