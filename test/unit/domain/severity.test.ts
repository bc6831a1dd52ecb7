import { expect, test } from 'vitest';
import { countSeverities, isAtOrAbove, SEVERITY_LEVELS, severityOf } from '../../../src/domain/severity.ts';

test.each([
  ['CRITICAL', 'critical'],
  ['High', 'high'],
  [' medium ', 'medium'],
  ['LOW', 'low'],
  ['INFO', 'info'],
  ['INFORMATIONAL', 'info'],
  ['NONE', 'info'],
  ['__proto__', 'unknown'],
  ['constructor', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('severityOf reads %j as the level %s', (word, level) => {
  expect(severityOf(word).level).toBe(level);
});

test('the order of severities is unknown, critical, high, medium, low, info', () => {
  SEVERITY_LEVELS.forEach((threshold, at) => {
    SEVERITY_LEVELS.forEach((level, index) => {
      expect(isAtOrAbove(severityOf(level), threshold), `${level} against ${threshold}`).toBe(index <= at);
    });
    expect(isAtOrAbove(severityOf('SEVERE'), threshold)).toBe(true);
  });
});

test('countSeverities counts every known severity, and lists UNKNOWN only if a finding has it', () => {
  expect(countSeverities([severityOf('HIGH'), severityOf('high')])).toEqual({
    CRITICAL: 0,
    HIGH: 2,
    MEDIUM: 0,
    LOW: 0,
    INFO: 0,
  });
  expect(countSeverities([severityOf('__proto__')])['UNKNOWN']).toBe(1);
});

test("severityOf keeps the service's value of a severity, or an empty text if the service sends none", () => {
  expect(severityOf(' Highest ').word).toBe(' Highest ');
  expect(severityOf('high').word).toBe('high');
  expect(severityOf(undefined).word).toBe('');
});
