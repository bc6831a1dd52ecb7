import { describe, expect, test } from 'vitest';
import { FAIL_ON_NONE, type FailOn, failOnAt } from '../../../src/domain/fail-on.ts';
import { readPaths, readPathsExempt } from '../../../src/runner/paths-form.ts';

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
    [undefined, []],
    ['', []],
    ['docs/**\n!docs/api/**', ['docs/**', '!docs/api/**']],
    ['**', ['**']],
  ])('readPaths reads a list of patterns: %j', (given, texts) =>
    expect(read(given)).toEqual({ texts, faults: [] }),
  );

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
  test.each<[given: string | undefined, failOn: FailOn, texts: readonly string[], faults: readonly string[]]>(
    [
      [undefined, failOnAt('high'), [], []],
      ['docs/**', failOnAt('high'), ['docs/**'], []],
      ['docs/', failOnAt('high'), [], [expect.stringContaining('contains `docs/`.')]],
      ['**', failOnAt('high'), [], [EVERYTHING]],
      ['**', failOnAt('critical', 'poc'), [], [EVERYTHING]],
      ['**', FAIL_ON_NONE, ['**'], []],
      ['**\n!src', failOnAt('high'), ['**', '!src'], []],
    ],
  )('readPathsExempt reads a list of patterns: %j', (given, failOn, texts, faults) => {
    expect(read(given, failOn)).toEqual({ texts, faults });
  });
});
