import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { CLOSING_STATUSES } from '../../src/domain/finding.ts';
import { REASONS } from '../../src/domain/result.ts';
import { judge } from '../../src/domain/verdict.ts';
import { headline } from '../../src/report/headline.ts';
import { REASON_LABELS } from '../../src/report/labels.ts';
import { pollInterval } from '../../src/scan-api/patience.ts';
import { failedScan } from '../unit/report/sample-failures.ts';
import { completed, POLICY, sampleFinding } from '../unit/report/sample-report.ts';
import { read } from './code.ts';
import { codeSpansOf, PAGES, rowsOf, sectionUnder, tableUnder, USER_PAGES, wordsOf } from './documents.ts';

/** The most words that the README may have outside of its code. Longer explanations belong to a page in `docs`. */
const LONGEST_README = 900;
/** The most words that all pages may have together. A page that needs more has to replace another text. */
const LONGEST_PAGES = 24_000;

/**
 * The reasons that the author of a pull request can cause: by a push, by the choice of the base branch, by the code, or
 * by closing the pull request.
 */
const CAUSED_BY_AUTHORS = [
  'scan-failed',
  'timeout',
  'service-error',
  'insufficient-credits',
  'rate-limited',
  'superseded',
  'unsupported-event',
];
/** The reasons that occur in any pull request of a fork. */
const CAUSED_BY_FORKS = ['missing-token', 'untrusted-fork'];
/** The reasons that no author can cause, or that `allow-unscanned` cannot list. */
const OTHER_REASONS = ['initializing', 'scan-cancelled', 'launch-unknown', 'paths', 'configuration'];

/** Counts as `wc -w` does. */
function countWords(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => word !== '').length;
}

test('the README gives the command by which CI runs all tests', () => {
  const ci = readFileSync(path.resolve(import.meta.dirname, '../../.ci/run'), 'utf8');
  const command = /^SCANGATE_ROUNDS=full (npm \S+)$/m.exec(ci)?.[1];
  expect(codeSpansOf(read('README.md'))).toContain(command);
});

describe('the length of the pages', () => {
  test('the README has few words outside of code', () => {
    const text = read('README.md').replace(/^```[\s\S]*?^```/gm, '');
    expect(countWords(text)).toBeLessThanOrEqual(LONGEST_README);
  });

  test('all pages together have at most 24,000 words', () => {
    const counts = [...PAGES, 'CHANGELOG.md'].map((page) => countWords(read(page)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(LONGEST_PAGES);
  });
});

describe('the README', () => {
  test('the README first sets `fail-on: none`, decides about forks, and then removes the line', () => {
    const quickStart = sectionUnder(read('README.md'), 'Quick start');
    expect(quickStart).toMatch(/^ +fail-on: none # report only: remove this line to block$/m);
    const steps = sectionUnder(read('README.md'), 'Turn on the gate').match(/^\d\. .*$/gm) ?? [];
    const [forks, block, required] = ['`missing-token`', '`fail-on: none`', '`scangate`'].map((name) =>
      steps.findIndex((step) => step.includes(name)),
    );
    expect(Math.min(...[forks, block, required].map(Number))).toBeGreaterThanOrEqual(0);
    expect(Number(forks)).toBeLessThan(Number(block));
    expect(Number(block)).toBeLessThan(Number(required));
  });
});

test.each(PAGES)('only the first heading of %s is a title', (page) => {
  const [first, ...others] =
    read(page)
      .replace(/^```[\s\S]*?^```/gm, '')
      .match(/^#+ .+$/gm) ?? [];
  expect([first, ...others].filter((line) => line?.startsWith('# '))).toEqual([first]);
});

describe('the reasons that an author can cause', () => {
  const reasonsIn = (text: string) => codeSpansOf(text).filter((span) => REASONS.some((one) => one === span));
  const expected = [...CAUSED_BY_AUTHORS, ...CAUSED_BY_FORKS].sort();
  const warningOf = (page: string) => read(page).match(/^> \[!WARNING\]\n(?:> .*\n)+/m)?.[0] ?? '';

  test.each([
    ['the warning of the README', warningOf('README.md')],
    ['SECURITY.md', sectionUnder(read('SECURITY.md'), 'What an author can cause')],
  ])('%s lists exactly the reasons that an author can cause', (_place, text) => {
    expect(reasonsIn(text).sort()).toEqual(expected);
  });

  test('the lists of reasons in this test contain every reason', () => {
    expect([...expected, ...OTHER_REASONS].sort()).toEqual([...REASONS].sort());
  });

  test('docs/outcomes.md explains the reasons that an author can cause', () => {
    const table = tableUnder(read('docs/outcomes.md'), 'Reasons that an author can cause');
    expect([...table.keys()].flatMap((cell) => cell.split(', ')).sort()).toEqual(expected);
    expect(warningOf('docs/outcomes.md')).toMatch(
      /`allow-unscanned` lists a reason of this table, .* without a scan/,
    );
  });
});

describe('the next steps in docs/outcomes.md', () => {
  const outcomes = read('docs/outcomes.md');

  test('docs/outcomes.md gives each reason the label that the report shows', () => {
    const shown = [...tableUnder(outcomes, 'Reasons')].map(([reason, [label]]) => [reason, label]);
    expect(Object.fromEntries(shown)).toEqual(REASON_LABELS);
  });

  test('for `scan-failed`, docs/outcomes.md and the report give the same next step', async () => {
    const { nextStep } = await failedScan();
    expect(tableUnder(outcomes, 'Reasons').get('scan-failed')?.at(-1)).toBe(
      nextStep.replace('this job', 'the job'),
    );
  });
});

test('docs/reliability.md shows the poll interval for an answer without `Retry-After`', () => {
  const seconds = pollInterval(undefined, () => 0) / 1000;
  const limits = rowsOf(read('docs/reliability.md')).map(({ cells }) => cells.join(' '));
  expect(limits.find((row) => row.startsWith('`Retry-After` of a running scan'))).toContain(
    `Without it: ${seconds} seconds`,
  );
});

const Contract = v.object({
  components: v.object({
    schemas: v.object({ ResolutionStatus: v.object({ enum: v.array(v.string()) }) }),
  }),
});

describe('the statuses that close a finding', () => {
  const closing = [...CLOSING_STATUSES.keys()];
  /**
   * Finds the lists of statuses on a page, such as `A`, `B` or `C`. A list counts only if one of its statuses closes a
   * finding.
   */
  const listsIn = (page: string) =>
    [...read(page).matchAll(/(?:`[A-Z_]+`(?:, | or | and )){2,}`[A-Z_]+`/g)]
      .map(([list]) => codeSpansOf(list))
      .filter((words) => words.some((word) => CLOSING_STATUSES.has(word)));

  test.each(PAGES)('in %s, each list of statuses that close a finding is complete', (page) => {
    for (const words of listsIn(page)) expect(words).toEqual(closing);
  });

  test('docs/outcomes.md has two lists of the statuses that close a finding', () => {
    expect(listsIn('docs/outcomes.md')).toHaveLength(2);
  });

  test('the contract of the service lists every status that closes a finding', () => {
    const file = path.resolve(import.meta.dirname, '../../sandbox/contract/openapi.yaml');
    const { components } = v.parse(Contract, parseYaml(readFileSync(file, 'utf8')));
    expect(components.schemas.ResolutionStatus.enum).toEqual(expect.arrayContaining(closing));
  });

  test('the next step of a blocked change names the statuses that close a finding', () => {
    const verdict = judge(completed([sampleFinding()]), POLICY);
    const { nextStep } = headline({ verdict, policy: POLICY });
    expect(codeSpansOf(nextStep)).toEqual(closing);
  });
});

describe('the counting of words', () => {
  test.each([
    ['prose', 'One **two**three, four – five.', ['One', 'twothree,', 'four', 'five.']],
    ['a table', '| a `b` | c |\n| --- | --- |\n| d | |', ['a', 'b', 'c', 'd']],
    ['a block of code', '```yaml\non: push # why\n```', ['on:', 'push', 'why']],
    ['a picture', '![What it shows](a/b.png)', ['What', 'it', 'shows']],
    ['a link', '[two words](https://example.com/more)', ['two', 'words']],
    ['a list', '1. one\n2. two\n   - three', ['one', 'two', 'three']],
  ])('wordsOf counts the words of %s', (_name, markdown, words) => {
    expect(wordsOf(markdown)).toEqual(words);
  });

  test('wordsOf finds more than 50 words on every page for users', () => {
    for (const page of USER_PAGES) expect(wordsOf(read(page)).length, page).toBeGreaterThan(50);
  });
});
