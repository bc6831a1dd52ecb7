import { expect, test } from 'vitest';
import { mergeBox } from '../../../sandbox/preview/check-view.ts';

const CHECK = {
  name: 'Security scan',
  conclusion: 'neutral',
  output: { title: 'Passed: 1 finding below high', summary: '', text: null },
  annotations: [],
} as const;

function rows(conclusion: string, checks: (typeof CHECK)[] = [CHECK], event = 'pull_request'): string[] {
  const { html } = mergeBox({ event, conclusion }, checks);
  return html
    .split(/<\/(?:h3|p)>/)
    .map((row) => row.replace(/<[^>]*>/g, '').trim())
    .filter((row) => row !== '');
}

test('the list of checks shows the required job above the check run', () => {
  expect(rows('success')).toEqual([
    '✓ All checks have passed',
    '✓ Scangate / scangate (pull_request) Successful Required',
    '■ Security scan Passed: 1 finding below high',
  ]);
});

test('the list of checks shows a failing job if there is no check run', () => {
  expect(rows('failure', [])).toEqual([
    '✕ Some checks were not successful',
    '✕ Scangate / scangate (pull_request) Failing Required',
  ]);
});

test.each(['push', 'schedule', 'workflow_dispatch'])(
  'the list of checks shows a failing job of the event %s as not required',
  (event) => {
    expect(rows('failure', [], event)).toEqual([
      '✕ Some checks were not successful',
      `✕ Scangate (branch) / scangate-branch (${event}) Failing`,
    ]);
  },
);
