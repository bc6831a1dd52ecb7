import { expect } from 'vitest';
import { anEarlierRun, push, triages } from './effects.ts';
import { outputs, requests, says } from './ends.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const WRITES = 'comments.create|comments.update|comments.delete';
const LATER = 9_000_000_002;
const CRITICAL = { 'fail-on': 'critical' };
const PASSING = { 'fail-on': 'none' };
const NOTE = 'Ask [the security team](https://intranet.example/security).';

/** The run sent these requests that change comments. */
const writes =
  (...points: readonly string[]): End =>
  ({ run }, jobs) =>
    expect(
      jobs.sent(WRITES).map(({ point }) => point),
      run.log,
    ).toEqual(points);
/** The comments have these beginnings, the oldest first. */
const comments =
  (...texts: readonly string[]): End =>
  ({ environment }) =>
    expect(environment.github.comments.map(({ body }) => body)).toEqual(
      texts.map((text) => expect.stringContaining(text)),
    );
const chat: Act = ({ scenario: { environment } }) => {
  for (let count = 0; count < 120; count += 1) environment.github.addComment({ body: `Chat ${count}` });
  return undefined;
};
/** A later run after one run of the gate. */
const later = (name: string, more: Omit<RunRow, 'name'>): RunRow => ({
  name,
  earlier: [anEarlierRun()],
  runId: LATER,
  ...more,
});

testRuns(
  [
    {
      name: 'a run with findings creates one comment, and names the comment in its output',
      ends: [
        writes('comments.create'),
        outputs(({ environment }) => ({ 'comment-url': environment.github.comments[0]?.htmlUrl })),
        ({ environment }) => expect(environment.github.comments[0]?.body).toMatch(/^<!-- scangate:v1 /),
      ],
    },
    {
      name: 'the input `comment-note` stands under the comment and the check run',
      inputs: { 'comment-note': NOTE },
      ends: ({ environment: { github } }) => {
        for (const text of [github.comments[0]?.body, github.checkRuns[0]?.output.summary])
          expect(text?.endsWith(`\n\n${NOTE}`)).toBe(true);
      },
    },
    {
      name: 'a run with `comment: always` comments on a clean change',
      head: 'clean',
      inputs: { comment: 'always' },
    },
    {
      // Its only GraphQL request reads the pull request at the start.
      name: 'a run with `comment: never` neither reads nor writes comments',
      inputs: { comment: 'never' },
      ends: [requests('comments.list', 0), requests('graphql', 1)],
    },
    later('a second run with another verdict updates the comment of the first run', {
      inputs: CRITICAL,
      ends: writes('comments.update'),
    }),
    later('a later run with the same result does not write the comment', { ends: writes() }),
    later('a run that passes after triage updates the comment of the blocked run', {
      earlier: [anEarlierRun(), triages({ resolutionStatus: 'FALSE_POSITIVE' })],
      ends: writes('comments.update'),
    }),
    later('a run that could not scan removes the earlier findings from the comment', {
      service: { credits: 20 },
      inputs: { 'credit-budget': '21' },
      ends: ({ environment }) => expect(environment.github.comments[0]?.body).not.toContain('src/pack.js'),
    }),
    later('a run finds its own comment after more than a hundred other comments', {
      earlier: [chat, anEarlierRun()],
      inputs: CRITICAL,
      ends: writes('comments.update'),
    }),
    later('a run does not update the comment if the pull request has got another head', {
      at: { 'findings.list 1': push },
      inputs: CRITICAL,
      ends: [writes(), says('Did not write the comment: the pull request has another head now.')],
    }),
    {
      name: 'an older run does not overwrite the comment of a newer run',
      earlier: [anEarlierRun(CRITICAL, {}, { runId: LATER })],
      ends: [writes(), comments('at or above critical')],
    },
    {
      name: 'of two jobs of one run with one check name, the comment keeps the worse result',
      earlier: [anEarlierRun(PASSING), anEarlierRun()],
      inputs: PASSING,
      ends: [writes(), comments('Blocked: 2 findings')],
    },
    {
      name: 'the next attempt of the run replaces the worse result',
      earlier: [anEarlierRun()],
      attempt: 2,
      inputs: PASSING,
      ends: comments('Passed'),
    },
    later('runs with different check names have separate comments', {
      earlier: [anEarlierRun(), anEarlierRun({ 'check-name': 'Strict scan', 'fail-on': 'medium' })],
      inputs: CRITICAL,
      ends: comments('Blocked: 1 finding at or above critical', 'Blocked: 3 findings at or above medium'),
    }),
  ],
  'comment',
);
