import { describe, expect, test } from 'vitest';
import { holds, type Situation } from '../../../src/workflow/gaps.ts';

const PULL_REQUEST: Situation = { event: 'pull_request', repository: 'Acme/shop', succeeded: true };
const AFTER_FAILURE = { ...PULL_REQUEST, succeeded: false };
const wrapped = (text: string) => `\${{ ${text} }}`;

describe('a condition that is known to hold', () => {
  test.each([
    'true',
    'always()',
    'success()',
    '!cancelled()',
    '! cancelled()',
    "github.repository == 'acme/SHOP'",
    "'acme' == github.repository_owner",
    "github.event_name == 'pull_request'",
    "github.event_name != 'merge_group'",
    "(github.event_name == 'push' || github.event_name == 'pull_request') && !false",
    "!(github.event_name == 'push' && github.actor == 'x')",
    'always() || github.actor',
    "!cancelled() && github.repository_owner == 'acme'",
    "github.event_name != 'a || b'",
    "!(github.event_name == 'push')",
    "!!(github.event_name != 'push')",
  ])('the file alone shows that the condition `%s` holds', (condition) => {
    expect(holds(condition, PULL_REQUEST)).toBe(true);
    expect(holds(wrapped(condition), PULL_REQUEST)).toBe(true);
  });

  test('a missing or empty condition holds', () => {
    expect(holds(undefined, PULL_REQUEST)).toBe(true);
    expect(holds('', PULL_REQUEST)).toBe(true);
  });
});

test.each([
  'false',
  'failure()',
  'cancelled()',
  '!always()',
  "github.event_name == 'push'",
  "github.repository == 'acme/other'",
  "github.actor == 'x' && github.event_name == 'push'",
])('the file alone shows that the condition `%s` does not hold', (condition) => {
  expect(holds(condition, PULL_REQUEST)).toBe(false);
});

test.each([
  '!github.event.pull_request.draft',
  "github.actor != 'dependabot[bot]'",
  'always() && github.actor',
  "contains(github.event_name, 'pull')",
  "github.event_name == 'push' || inputs.force",
  '()',
  "github.event_name == 'unclosed",
  "!github.event_name == 'push'",
  "!(github.event_name) == 'push'",
  '!github.run_attempt > 1',
  'github.event_name == github.event_name',
  // Text after the expression makes the condition always true. The author probably meant something else.
  `${wrapped('always()')} && x`,
  `${'('.repeat(50)}true${')'.repeat(50)}`,
])('the condition `%s` cannot be decided from the file alone', (condition) => {
  expect(holds(condition, PULL_REQUEST)).toBeUndefined();
});

test.each([
  ["github.event_name == 'pull_request'", false],
  ['success()', false],
  ['success() || always()', true],
  ['always()', true],
  ['!cancelled()', true],
  ["!cancelled() && needs.build.result == 'success'", undefined],
  // `failure()` holds only if the earlier job failed. That job may have been skipped instead.
  ['failure()', undefined],
  ['true', false],
  ["github.event_name != 'always()'", false],
])('if an earlier job did not succeed, the value of the condition `%s` is %s', (condition, truth) => {
  expect(holds(condition, AFTER_FAILURE)).toBe(truth);
});

test('if an earlier job did not succeed, a missing condition does not hold', () => {
  expect(holds(undefined, AFTER_FAILURE)).toBe(false);
});

test.each([
  ['spaces', `github.actor${' '.repeat(20_000)}x`],
  ['operators', 'a||b&&'.repeat(3_000)],
  ['brackets', `${'('.repeat(10_000)}true${')'.repeat(10_000)}`],
  ['a text that is longer than GitHub accepts', `${' '.repeat(1_000_000)}a${' '.repeat(1_000_000)}b`],
])('the time to read a condition is proportional to its length (%s)', (_what, condition) => {
  const start = performance.now();
  expect(holds(condition, PULL_REQUEST)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(200);
});
