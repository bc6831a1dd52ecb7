import { describe, expect, test } from 'vitest';
import { FAIL_ON_NONE, type FailOn, failOnAt } from '../../../src/domain/verdict.ts';
import { readPaths, readPathsExempt } from '../../../src/runner/input-forms.ts';

function read(given: string | undefined, failOn?: FailOn) {
  const faults: string[] = [];
  const fault = (sentence: string) => void faults.push(sentence);
  const patterns = failOn === undefined ? readPaths(given, fault) : readPathsExempt(given, failOn, fault);
  return { texts: patterns.map(({ text }) => text), faults };
}

const EVERYTHING =
  'matches files of any name in any folder, so that no finding could block. Name folders or file types. To only report findings, set `fail-on` to `none`.';

describe('readPaths', () => {
  test.each([
    ['a missing input', undefined, []],
    ['an empty input', '', []],
    ['a pattern and an exception', 'docs/**\n!docs/api/**', ['docs/**', '!docs/api/**']],
    ['the pattern `**`', '**', ['**']],
  ])('readPaths accepts %s', (_what, given, texts) => expect(read(given)).toEqual({ texts, faults: [] }));

  test('readPaths names each wrong pattern of a list, and returns no patterns', () => {
    expect(read('docs/\nsrc/**\n!')).toEqual({
      texts: [],
      faults: [
        'contains `docs/`. For all files in a folder, end the pattern with `/**`.',
        'contains `!`. Write a pattern after `!`.',
      ],
    });
    expect(read('a\n'.repeat(201))).toEqual({
      texts: [],
      faults: ['is too long. Use at most 200 patterns.'],
    });
  });
});

describe('readPathsExempt', () => {
  test.each<
    [
      what: string,
      given: string | undefined,
      failOn: FailOn,
      texts: readonly string[],
      faults: readonly string[],
    ]
  >([
    ['accepts a missing input', undefined, failOnAt('high'), [], []],
    ['accepts a folder', 'docs/**', failOnAt('high'), ['docs/**'], []],
    [
      'refuses a folder without `**`',
      'docs/',
      failOnAt('high'),
      [],
      [expect.stringContaining('contains `docs/`.')],
    ],
    ['refuses `**` if high findings block', '**', failOnAt('high'), [], [EVERYTHING]],
    [
      'refuses `**` if critical findings with a proof of concept block',
      '**',
      failOnAt('critical', 'poc'),
      [],
      [EVERYTHING],
    ],
    ['accepts `**` if no finding can block', '**', FAIL_ON_NONE, ['**'], []],
    ['accepts `**` with an exception', '**\n!src', failOnAt('high'), ['**', '!src'], []],
  ])('readPathsExempt %s', (_what, given, failOn, texts, faults) => {
    expect(read(given, failOn)).toEqual({ texts, faults });
  });
});
