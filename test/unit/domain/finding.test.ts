import { expect, test } from 'vitest';
import {
  CLOSING_STATUSES,
  countSeverities,
  type FindingLocation,
  isAtOrAbove,
  isOpen,
  isStillFound,
  pathsOf,
  SEVERITY_LEVELS,
  severityOf,
  severityRank,
  worstFirst,
} from '../../../src/domain/finding.ts';
import { finding } from './sample-finding.ts';

test.each([
  ['CRITICAL', 'critical'],
  ['High', 'high'],
  [' medium ', 'medium'],
  ['LOW', 'low'],
  ['INFO', 'info'],
  ['INFORMATIONAL', 'info'],
  ['NONE', 'info'],
  ['__proto__', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('severityOf reads %j as the level %s, and keeps the value of the service', (word, level) => {
  expect(severityOf(word)).toEqual({ word: word ?? '', level });
});

test('the order of severities is unknown, critical, high, medium, low, info', () => {
  expect((['unknown', ...SEVERITY_LEVELS] as const).map(severityRank)).toEqual([0, 1, 2, 3, 4, 5]);
  SEVERITY_LEVELS.forEach((threshold, at) => {
    SEVERITY_LEVELS.forEach((level, index) => {
      expect(isAtOrAbove(severityOf(level), threshold), `${level} against ${threshold}`).toBe(index <= at);
    });
    expect(isAtOrAbove(severityOf('SEVERE'), threshold)).toBe(true);
  });
});

test('countSeverities counts every known severity, and lists UNKNOWN only if a finding has it', () => {
  const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };
  expect(countSeverities([severityOf('HIGH'), severityOf('high')])).toEqual({ ...none, HIGH: 2 });
  expect(countSeverities([severityOf('__proto__')])).toEqual({ ...none, UNKNOWN: 1 });
});

test('four statuses close a finding, and only the status RESOLVED is still found', () => {
  expect(Object.fromEntries(CLOSING_STATUSES)).toEqual({
    DUPLICATE: 'duplicate',
    FALSE_POSITIVE: 'false positive',
    MITIGATED: 'mitigated',
    WONT_FIX: 'will not be fixed',
  });
  // Statuses of the service that close no finding, and texts that only resemble a closing status.
  const open = ['NOT_STARTED', 'IN_PROGRESS', 'RESOLVED', 'CLOSED', undefined];
  const alike = ['false_positive', ' WONT_FIX', 'constructor', '__proto__', ''];
  const statuses = [...CLOSING_STATUSES.keys(), ...open, ...alike];
  expect(statuses.filter((resolution) => isOpen(finding({ resolution })))).toEqual([...open, ...alike]);
  expect(statuses.filter((resolution) => isStillFound(finding({ resolution })))).toEqual(['RESOLVED']);
});

const at = (path: string, startLine?: number): FindingLocation => ({ path, startLine, endLine: startLine });

test('pathsOf returns the location of a finding and its other paths', () => {
  const location = at('a.js');
  expect(pathsOf(finding({ location, otherPaths: ['b.js', ''] }))).toEqual(['a.js', 'b.js', '']);
  expect(pathsOf(finding({ otherPaths: ['b.js'] }))).toEqual(['b.js']);
  expect(pathsOf(finding({ location }))).toEqual(['a.js']);
});

/** Lists of findings in order. The ids are in the opposite order. */
test.each<[what: string, members: readonly Parameters<typeof finding>[0][]]>([
  [
    'by severity, with an unknown severity first',
    ['NEW', 'CRITICAL', 'HIGH', 'MEDIUM', 'INFO'].map((severity) => ({ severity })),
  ],
  [
    'by evidence before path',
    [
      { triage: 'CONFIRMED', evidence: 'POC', location: at('c.js') },
      { triage: 'CONFIRMED', evidence: 'ANALYSIS', location: at('b.js') },
      { triage: 'PENDING', evidence: 'POC', location: at('a.js') },
    ],
  ],
  ['by path, with a missing path last', [{ location: at('a.js', 9) }, { location: at('b.js', 1) }, {}]],
  [
    'by line, with a missing line first',
    [undefined, 1, 2, 10].map((startLine) => ({ location: at('a.js', startLine) })),
  ],
])('worstFirst orders findings %s', (_what, members) => {
  const sorted = members.map((one, index) => finding({ ...one, id: String(9 - index) }));
  for (const given of [sorted, sorted.toReversed()]) expect(worstFirst(given)).toEqual(sorted);
});

test('worstFirst orders equal findings by label, and keeps the order of equal labels', () => {
  const all = ['1', '2', '3'].map((id) => finding({ id }));
  expect(worstFirst(all.toReversed())).toEqual(all);
  const given = ['one', 'two', 'three'].map((title) => finding({ title }));
  const before = [...given];
  expect(worstFirst(given)).toEqual(before);
  expect(given).toEqual(before);
});
