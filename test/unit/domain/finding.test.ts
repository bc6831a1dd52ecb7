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

const CLOSING = ['DUPLICATE', 'FALSE_POSITIVE', 'MITIGATED', 'WONT_FIX'];
/** Statuses of the service that close no finding, and texts that only resemble a closing status. */
const LEAVING_OPEN = [
  'NOT_STARTED',
  'IN_PROGRESS',
  'RESOLVED',
  'false_positive',
  ' WONT_FIX',
  'CLOSED',
  'ACCEPTED',
  'constructor',
  '__proto__',
  '',
  undefined,
];

describe('the triage that closes a finding', () => {
  test('four statuses close a finding, and each status has a label', () => {
    expect(Object.fromEntries(CLOSING_STATUSES)).toEqual({
      DUPLICATE: 'duplicate',
      FALSE_POSITIVE: 'false positive',
      MITIGATED: 'mitigated',
      WONT_FIX: 'will not be fixed',
    });
  });

  test.each(CLOSING)('the status %s closes a finding', (resolution) => {
    expect(isOpen(finding({ resolution }))).toBe(false);
  });

  test.each(LEAVING_OPEN)('a finding with this status is open: %j', (resolution) => {
    expect(isOpen(finding({ resolution }))).toBe(true);
  });

  test('isStillFound returns true only for the status RESOLVED', () => {
    const statuses = [...CLOSING, ...LEAVING_OPEN];
    expect(statuses.filter((resolution) => isStillFound(finding({ resolution })))).toEqual(['RESOLVED']);
  });
});

const at = (path: string, startLine?: number): FindingLocation => ({ path, startLine, endLine: startLine });

describe('the files of a finding', () => {
  test.each([
    ['a location', { location: at('a.js') }, ['a.js']],
    ['a location and other paths', { location: at('a.js'), otherPaths: ['b.js', ''] }, ['a.js', 'b.js', '']],
    ['only other paths', { otherPaths: ['b.js'] }, ['b.js']],
    ['no path', {}, []],
  ])('pathsOf returns the paths of a finding with %s', (_, members, paths) => {
    expect(pathsOf(finding(members))).toEqual(paths);
  });
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
