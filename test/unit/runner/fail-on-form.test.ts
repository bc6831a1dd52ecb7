import { expect, test } from 'vitest';
import { SEVERITY_LEVELS, severityOf } from '../../../src/domain/finding.ts';
import {
  type EvidenceLevel,
  evidenceInput,
  FAIL_ON_NONE,
  type FailOn,
  failOnAt,
  failOnText,
  mildestOf,
  neededEvidence,
} from '../../../src/domain/verdict.ts';
import { readFailOn } from '../../../src/runner/input-forms.ts';

const LEVELS = ['SEVERE', ...SEVERITY_LEVELS];

/** The evidence that each severity needs to block. An unknown severity comes first. `-` means: never blocks. */
function needs(failOn: FailOn): string {
  return LEVELS.map((word) => neededEvidence(failOn, severityOf(word)) ?? '-').join(' ');
}

function read(given: string, evidence: EvidenceLevel = 'any') {
  const faults: string[] = [];
  const failOn = readFailOn(given, evidence, (sentence) => void faults.push(sentence));
  return { failOn, faults };
}

/** Values of `fail-on`, by the value of `fail-on-evidence`. */
const VALUES: readonly (readonly [evidence: EvidenceLevel, given: readonly string[]])[] = [
  ['any', [...SEVERITY_LEVELS, 'none', ' None\n', 'HIGH', 'high:poc', 'critical, high']],
  ['any', ['critical, high:confirmed, medium:poc', 'medium:poc, critical, high:confirmed']],
  ['any', ['critical, medium:poc', 'critical, info:poc', 'critical:confirmed, high:confirmed']],
  [
    'any',
    ['critical,high:confirmed,medium:confirmed', 'critical\nhigh:poc\n', ' Critical ,\n HIGH : Poc , '],
  ],
  ['poc', ['none', 'high', 'high:any', 'critical, high']],
  ['confirmed', ['high', 'critical:any, high', 'critical, high:poc']],
  // Wrong words, and wrong separators.
  ['any', ['hihg', '', ',', ' , \n , ', 'critical high', 'critical; high', 'critical, hihg:poc', 'unknown']],
  ['any', [':poc', ':', 'high:', 'high:proof', 'high:none', 'high:poc:any', 'high:any:', 'high=poc']],
  // Rules that contradict each other.
  ['any', ['none, high', 'high, none', 'none,', 'none:poc', 'none,none', 'high, high', 'high, hgih, medim']],
  ['any', ['high:any, medium, high:poc', 'critical:poc, high', 'low:any, critical:confirmed, high']],
  ['any', ['critical, high:poc, info:confirmed']],
  ['poc', ['critical, high:confirmed']],
];
const ROWS = VALUES.flatMap(([evidence, values]) => values.map((given) => ({ given, evidence })));

test('`fail-on` and `fail-on-evidence` set the evidence that each severity needs to block', async () => {
  const lines = ROWS.map(({ given, evidence }) => {
    const { failOn, faults } = read(given, evidence);
    const reading = `${needs(failOn)} (${failOnText(failOn)})`;
    return `${JSON.stringify(given)} with ${evidence}: ${faults.length === 0 ? reading : faults.join(' / ')}`;
  });
  await expect(`needs of ${LEVELS.join(' ')}\n${lines.join('\n')}\n`).toMatchFileSnapshot(
    'golden/fail-on-form.txt',
  );
});

test.each(ROWS)(
  'what readFailOn reads can be written and read again, and an error counts as `high`: %j',
  (row) => {
    const { failOn, faults } = read(row.given, row.evidence);
    if (faults.length > 0) expect(failOn).toEqual(failOnAt('high'));
    else expect(read(failOnText(failOn), row.evidence)).toEqual({ failOn, faults: [] });
  },
);

test('for a single severity, readFailOn returns what `failOnAt` returns', () => {
  expect(read('high').failOn).toEqual(failOnAt('high'));
  expect(read('low', 'poc').failOn).toEqual(failOnAt('low', 'poc'));
  expect(read('none').failOn).toEqual(FAIL_ON_NONE);
});

test('evidenceInput returns the input that requires evidence, and its value', () => {
  expect(evidenceInput(failOnAt('high', 'poc'))).toBe('fail-on-evidence: poc');
  expect(evidenceInput(read('high:poc').failOn)).toBe('fail-on: high:poc');
  expect(evidenceInput(read('critical, high:poc').failOn)).toBe('fail-on: critical, high:poc');
  expect(mildestOf(read('critical, high:poc').failOn)).toBe('high');
  expect(mildestOf(failOnAt('low'))).toBe('low');
  expect(mildestOf(FAIL_ON_NONE)).toBeUndefined();
});
