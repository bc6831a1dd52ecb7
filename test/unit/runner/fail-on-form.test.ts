import { describe, expect, test } from 'vitest';
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

/** The evidence that each severity needs to block. An unknown severity comes first. `-` means: never blocks. */
function needs(failOn: FailOn): string {
  const levels = ['SEVERE', ...SEVERITY_LEVELS];
  return levels.map((word) => neededEvidence(failOn, severityOf(word)) ?? '-').join(' ');
}

function read(given: string, evidence: EvidenceLevel = 'any') {
  const faults: string[] = [];
  const failOn = readFailOn(given, evidence, (sentence) => void faults.push(sentence));
  return { failOn, faults };
}

describe('what each severity needs to block', () => {
  test.each<[given: string, evidence: EvidenceLevel, needed: string, text: string]>([
    //                                           unknown critical high medium low info
    ['critical', 'any', 'any any - - - -', 'critical'],
    ['high', 'any', 'any any any - - -', 'high'],
    ['medium', 'any', 'any any any any - -', 'medium'],
    ['low', 'any', 'any any any any any -', 'low'],
    ['info', 'any', 'any any any any any any', 'info'],
    ['none', 'any', '- - - - - -', 'none'],
    ['none', 'poc', '- - - - - -', 'none'],
    [' None\n', 'any', '- - - - - -', 'none'],
    ['high', 'confirmed', 'any confirmed confirmed - - -', 'high'],
    ['high', 'poc', 'any poc poc - - -', 'high'],
    ['high:any', 'poc', 'any any any - - -', 'high:any'],
    ['high:poc', 'any', 'any poc poc - - -', 'high:poc'],
    [
      'critical, high:confirmed, medium:poc',
      'any',
      'any any confirmed poc - -',
      'critical, high:confirmed, medium:poc',
    ],
    [
      'medium:poc, critical, high:confirmed',
      'any',
      'any any confirmed poc - -',
      'critical, high:confirmed, medium:poc',
    ],
    ['critical, medium:poc', 'any', 'any any poc poc - -', 'critical, medium:poc'],
    ['critical, info:poc', 'any', 'any any poc poc poc poc', 'critical, info:poc'],
    ['critical, high', 'any', 'any any any - - -', 'high'],
    ['critical, high', 'poc', 'any poc poc - - -', 'high'],
    ['critical:confirmed, high:confirmed', 'any', 'any confirmed confirmed - - -', 'high:confirmed'],
    ['critical:any, high', 'confirmed', 'any any confirmed - - -', 'critical:any, high'],
    ['critical, high:poc', 'confirmed', 'any confirmed poc - - -', 'critical, high:poc'],
    [
      'critical,high:confirmed,medium:confirmed',
      'any',
      'any any confirmed confirmed - -',
      'critical, medium:confirmed',
    ],
    ['critical\nhigh:poc\n', 'any', 'any any poc - - -', 'critical, high:poc'],
    [' Critical ,\n HIGH : Poc , ', 'any', 'any any poc - - -', 'critical, high:poc'],
    ['HIGH', 'any', 'any any any - - -', 'high'],
  ])(
    'the inputs `fail-on: %j` and `fail-on-evidence: %s` set the evidence that each severity needs',
    (given, evidence, needed, text) => {
      const { failOn, faults } = read(given, evidence);
      expect(faults).toEqual([]);
      expect(needs(failOn)).toBe(needed);
      expect(failOnText(failOn)).toBe(text);
      expect(failOn.defaultEvidence).toBe(evidence);
      expect(needs(read(text, evidence).failOn)).toBe(needed);
    },
  );

  test('for a single severity, readFailOn returns what `failOnAt` returns', () => {
    expect(read('high').failOn).toEqual(failOnAt('high'));
    expect(read('low', 'poc').failOn).toEqual(failOnAt('low', 'poc'));
    expect(read('none').failOn).toEqual(FAIL_ON_NONE);
  });
});

const FORM =
  'Use one of: critical, high, medium, low, info, none. Or a list, for example `critical, high:confirmed, medium:poc`.';

describe('an invalid `fail-on` counts as `high`', () => {
  test.each<[given: string, evidence: EvidenceLevel, faults: readonly string[]]>([
    ['hihg', 'any', [`is \`hihg\`. ${FORM}`]],
    ['', 'any', [`is \`\`. ${FORM}`]],
    [',', 'any', [`is \`,\`. ${FORM}`]],
    [' , \n , ', 'any', [`is \` , \n , \`. ${FORM}`]],
    ['critical high', 'any', [`is \`critical high\`. ${FORM}`]],
    ['critical; high', 'any', [`is \`critical; high\`. ${FORM}`]],
    ['critical, hihg:poc', 'any', [`is \`hihg:poc\`. ${FORM}`]],
    ['unknown', 'any', [`is \`unknown\`. ${FORM}`]],
    [':poc', 'any', [`is \`:poc\`. ${FORM}`]],
    [':', 'any', [`is \`:\`. ${FORM}`]],
    ['high:', 'any', ['contains `high:`. After the colon, use one of: any, confirmed, poc.']],
    ['high:proof', 'any', ['contains `high:proof`. After the colon, use one of: any, confirmed, poc.']],
    ['high:none', 'any', ['contains `high:none`. After the colon, use one of: any, confirmed, poc.']],
    ['high:poc:any', 'any', ['contains `high:poc:any`. After the colon, use one of: any, confirmed, poc.']],
    ['high:any:', 'any', ['contains `high:any:`. After the colon, use one of: any, confirmed, poc.']],
    ['high=poc', 'any', [`is \`high=poc\`. ${FORM}`]],
    ['none, high', 'any', ['has `none` in a list. Use `none` alone.']],
    ['high, none', 'any', ['has `none` in a list. Use `none` alone.']],
    ['none,', 'any', ['has `none` in a list. Use `none` alone.']],
    ['none:poc', 'any', ['has `none` in a list. Use `none` alone.']],
    [
      'none,none',
      'any',
      ['has `none` in a list. Use `none` alone.', 'has `none` in a list. Use `none` alone.'],
    ],
    ['high, high', 'any', ['names `high` twice. Name each severity once.']],
    ['high:any, medium, high:poc', 'any', ['names `high` twice. Name each severity once.']],
    ['high, hgih, medim', 'any', [`is \`hgih\`. ${FORM}`, `is \`medim\`. ${FORM}`]],
    [
      'critical:poc, high',
      'any',
      [
        'asks for more proof of the worse severity: `critical:poc`, but `high:any`. Ask for as much or less. An entry without evidence has that of `fail-on-evidence`, `any`.',
      ],
    ],
    [
      'critical, high:confirmed',
      'poc',
      [
        'asks for more proof of the worse severity: `critical:poc`, but `high:confirmed`. Ask for as much or less. An entry without evidence has that of `fail-on-evidence`, `poc`.',
      ],
    ],
    [
      'low:any, critical:confirmed, high',
      'any',
      [expect.stringMatching(/`critical:confirmed`, but `high:any`/)],
    ],
    [
      'critical, high:poc, info:confirmed',
      'any',
      [expect.stringMatching(/`high:poc`, but `info:confirmed`/)],
    ],
  ])(
    'the input `fail-on: %j` is an error, and counts as `high` (`fail-on-evidence: %s`)',
    (given, evidence, faults) => {
      expect(read(given, evidence)).toEqual({ failOn: failOnAt('high'), faults });
    },
  );
});

test('evidenceInput returns the input that requires evidence, and its value', () => {
  expect(evidenceInput(failOnAt('high', 'poc'))).toBe('fail-on-evidence: poc');
  expect(evidenceInput(read('high:poc').failOn)).toBe('fail-on: high:poc');
  expect(evidenceInput(read('critical, high:poc').failOn)).toBe('fail-on: critical, high:poc');
  expect(mildestOf(read('critical, high:poc').failOn)).toBe('high');
  expect(mildestOf(failOnAt('low'))).toBe('low');
  expect(mildestOf(FAIL_ON_NONE)).toBeUndefined();
});
