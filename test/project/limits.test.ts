import { expect, test } from 'vitest';
import { INPUT_DEFAULTS } from '../../src/runner/input-forms.ts';
import { filesIn, read } from './code.ts';
import { PAGES } from './documents.ts';

/** Everything that users read about the action. Comments in the examples count too. */
const PROSE = [
  ...PAGES.map(read),
  ...filesIn('{action.yml,*/action.yml}', 'docs/examples/*.yml').map(read),
].join('\n\n');

/** Reads a number that a source file declares, such as `const MOST = 5 * 24;` or a member `most: 5,`. */
function numberIn(file: string, name: string): number {
  const [, product = ''] =
    new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+)[,;}]`).exec(read(file).replaceAll(' }', '}')) ?? [];
  return product.split('*').reduce((all, factor) => all * Number.parseInt(factor.replaceAll('_', ''), 10), 1);
}

/** A pattern with one group for each value that a sentence repeats, and the values in the code. */
type Row = readonly [what: string, sentence: RegExp, value: number | string | readonly number[]];

const ROWS: readonly Row[] = [
  ['the default of `fail-on`', /findings at `?(\w+)`? or above/g, INPUT_DEFAULTS['fail-on']],
  [
    'the time limit of a diff scan',
    /(\d+) for (?:a diff scan|the scan of a change)/g,
    numberIn('src/runner/inputs.ts', 'diff'),
  ],
  ['the time limit of a full scan', /(\d+) for a full scan/g, numberIn('src/runner/inputs.ts', 'full')],
  [
    'the longest time limit',
    /At most (\d+) \(5 days\)/g,
    numberIn('src/runner/inputs.ts', 'LONGEST_TIMEOUT_MINUTES'),
  ],
  [
    'the longest `check-name`',
    /its comment, at most (\d+) characters/g,
    numberIn('src/runner/inputs.ts', 'LONGEST_CHECK_NAME'),
  ],
  [
    'the longest `comment-note`',
    /One line of Markdown\b.*? at most (\d+) characters/g,
    numberIn('src/runner/inputs.ts', 'LONGEST_NOTE'),
  ],
  [
    'the most annotations',
    /the (\d+) most severe reported findings/g,
    numberIn('src/report/check-output.ts', 'MOST_ANNOTATIONS'),
  ],
  [
    'the findings whose details are read',
    /of the (\d+) worst reported findings/g,
    numberIn('src/scan/findings.ts', 'DETAILS_OF_WORST'),
  ],
  [
    'the limits of `paths-unscanned`',
    /more than (\d+) files or (\d+) folders/g,
    [
      numberIn('src/change/changed-files.ts', 'MOST_FILES'),
      numberIn('src/change/changed-files.ts', 'MOST_FOLDERS'),
    ],
  ],
  [
    'the most labels of a command',
    /takes up to (\d+) labels/g,
    numberIn('src/triage/command.ts', 'MOST_LABELS'),
  ],
  [
    'the most listed commits',
    /not all commits \(it lists (\d+)\)/g,
    numberIn('src/github/people.ts', 'MOST_LISTED'),
  ],
];

test.each(ROWS)('the pages have the value of the code for %s', (_what, sentence, value) => {
  const said = [...PROSE.matchAll(sentence)];
  expect(said).not.toEqual([]);
  for (const [all, ...shown] of said) expect(shown, all).toEqual([value].flat().map(String));
});

test('numberIn reads numbers, products and members', () => {
  expect(numberIn('src/runner/inputs.ts', 'LONGEST_TIMEOUT_MINUTES')).toBe(7200);
  expect(numberIn('src/domain/guidance.ts', 'LONGEST_GUIDANCE')).toBe(100_000);
  expect(numberIn('src/runner/inputs.ts', 'full')).toBe(350);
  expect(numberIn('src/runner/inputs.ts', 'unknown')).toBeNaN();
});
