import { describe, expect, test } from 'vitest';
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

describe('the order of findings', () => {
  const confirmed = { triage: 'CONFIRMED' };
  test.each([
    [
      'by severity, with an unknown severity first',
      [
        { severity: 'NEW', id: '5' },
        { severity: 'CRITICAL', id: '4' },
        { severity: 'HIGH', id: '3' },
        { severity: 'MEDIUM', id: '2' },
        { severity: 'INFO', id: '1' },
      ],
    ],
    [
      'by evidence before path',
      [
        { ...confirmed, evidence: 'POC', location: at('c.js'), id: '3' },
        { ...confirmed, evidence: 'ANALYSIS', location: at('b.js'), id: '2' },
        { triage: 'PENDING', evidence: 'POC', location: at('a.js'), id: '1' },
      ],
    ],
    [
      'by path, with a missing path last',
      [{ location: at('a.js', 9), id: '3' }, { location: at('b.js', 1), id: '2' }, { id: '1' }],
    ],
    [
      'by line, with a missing line first',
      [
        { location: at('a.js'), id: '4' },
        { location: at('a.js', 1), id: '3' },
        { location: at('a.js', 2), id: '2' },
        { location: at('a.js', 10), id: '1' },
      ],
    ],
    ['by label', [{ id: '1' }, { id: '2' }, { id: '3' }]],
  ])('worstFirst orders findings %s', (_what, members) => {
    const sorted = members.map(finding);
    for (const given of [sorted, sorted.toReversed()]) {
      expect(worstFirst(given).map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
    }
  });

  test('worstFirst keeps the order of equal findings', () => {
    const given = [
      finding({ title: 'one' }),
      finding({ title: 'two', severity: 'LOW' }),
      finding({ title: 'three' }),
    ];
    const before = [...given];
    expect(worstFirst(given).map(({ title }) => title)).toEqual(['one', 'three', 'two']);
    expect(given).toEqual(before);
  });
});
