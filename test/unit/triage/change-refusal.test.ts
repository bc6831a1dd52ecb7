import { expect, test } from 'vitest';
import { byRecheck, inNewComment, inSummary } from '../../../src/triage/change-refusal.ts';
import { CLOSED, unreadable } from '../../../src/triage/refusal.ts';
import { REFUSALS } from './triage-states.ts';

const DOWN = unreadable({
  kind: 'unreachable',
  operation: 'read the pull request',
  status: 503,
  message: '',
  permission: 'pull-requests: read',
  ambiguous: false,
});

test.each<[what: string, name: typeof inNewComment, says: RegExp]>([
  ['a refused command', inNewComment, /^Write the command in a new comment\. If it fails again, check /],
  ['a re-run that failed', byRecheck, /^Comment `\/scangate recheck`\. If it fails again, check /],
  [
    'an answer that is not shown',
    inSummary,
    /^See the summary of this job, which has the answer\. If it fails again, check /,
  ],
])('%s names a next step in the place of a re-run of this workflow', (_what, name, says) => {
  expect(name(DOWN).nextStep).toMatch(says);
  expect(name(DOWN).cause).toBe(DOWN.cause);
});

test('names it in the middle of a sentence, too', () => {
  const refusal = { ...DOWN, nextStep: 'Update the secret, then re-run this job.' };
  expect(inNewComment(refusal).nextStep).toBe('Update the secret, then write the command in a new comment.');
});

test('leaves every other next step as it is', () => {
  for (const refusal of [...Object.values(REFUSALS), CLOSED]) expect(inNewComment(refusal)).toEqual(refusal);
});
