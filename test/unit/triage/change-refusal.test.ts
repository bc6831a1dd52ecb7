import { expect, test } from 'vitest';
import { afterChange, inNewComment, inSummary } from '../../../src/triage/change-refusal.ts';
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
  [
    'a re-run that failed after findings were closed',
    (refusal) => afterChange(refusal, false),
    /^Comment `\/scangate recheck`\. If it fails again, check /,
  ],
  [
    'a re-run that failed after findings were reopened',
    (refusal) => afterChange(refusal, true),
    /^Write the command in a new comment\. If it fails again, check /,
  ],
  [
    'a reply that could not be written',
    inSummary,
    /^See the summary of this job, which has the answer\. If it fails again, check /,
  ],
])('the next step after %s is not "re-run this job"', (_what, name, says) => {
  expect(name(DOWN).nextStep).toMatch(says);
  expect(name(DOWN).cause).toBe(DOWN.cause);
});

test('inNewComment replaces "re-run this job" even if a sentence does not begin with it', () => {
  const refusal = { ...DOWN, nextStep: 'Update the secret, then re-run this job.' };
  expect(inNewComment(refusal).nextStep).toBe('Update the secret, then write the command in a new comment.');
});

test('inNewComment keeps a next step that does not say "re-run this job"', () => {
  for (const refusal of [...Object.values(REFUSALS), CLOSED]) expect(inNewComment(refusal)).toEqual(refusal);
});
