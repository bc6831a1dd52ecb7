import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markOf, partsForHead, readMark, reuseKey, type ScanParts } from '../../src/scan/scan-mark.ts';
import { isUsableId } from '../../src/scan-api/opaque-id.ts';

const parts: ScanParts = {
  repositoryId: 'r',
  pullRequest: 7,
  headCommit: 'h',
  baseCommit: 'b',
  presetRef: 'diff',
  creditBudget: 10,
  auditAreas: ['x', 'y'],
  guidance: undefined,
  launchParameters: { a: 1, b: { c: null, d: [1, 2] } },
};
const KEY = reuseKey(parts);
const TOKEN = 'svc_proj_key_secret';

describe('the reuse key', () => {
  test('does not depend on the order of members or areas', () => {
    const launchParameters = { b: { d: [1, 2], c: null }, a: 1 };
    expect(reuseKey({ ...parts, launchParameters, auditAreas: ['y', 'x'] })).toBe(KEY);
    expect(KEY).toMatch(/^[0-9a-f]{64}$/);
  });

  test('stays what it is from version to version, or an update of the action would pay again', () => {
    expect(KEY).toBe('375bf9d7ff95ff3106c0a1ec18dd752a3997e974964f8cb8b105d45816fcc35b');
  });

  test.each<Partial<ScanParts>>([
    { repositoryId: 'q' },
    { pullRequest: 8 },
    { pullRequest: undefined },
    { headCommit: 'b', baseCommit: 'h' },
    { presetRef: 'full' },
    { creditBudget: undefined },
    { auditAreas: ['x'] },
    { auditAreas: ['x,y'] },
    { guidance: '' },
    { launchParameters: { a: '1', b: { c: null, d: [1, 2] } } },
    { launchParameters: { a: 1, b: { c: null, d: [2, 1] } } },
    { launchParameters: {} },
  ])('is another for %j', (changed) => {
    expect(reuseKey({ ...parts, ...changed })).not.toBe(KEY);
  });
});

describe('the parts for another head', () => {
  test('differ in head, base and what launch parameters say of the head, and in nothing else', () => {
    const launchParameters = { headSha: 'h0', list: ['h0', { range: 'b0..h0' }], branch: 'topic' };
    const now = { ...parts, headCommit: 'h0', baseCommit: 'b0', launchParameters };
    expect(partsForHead(now, 'h1', 'b1')).toEqual({
      ...now,
      headCommit: 'h1',
      baseCommit: 'b1',
      launchParameters: { headSha: 'h1', list: ['h1', { range: 'b0..h1' }], branch: 'topic' },
    });
  });

  test('have no launch parameters where there were none', () => {
    expect(partsForHead({ ...parts, launchParameters: {} }, 'h1', 'b1').launchParameters).toEqual({});
  });
});

describe('the mark', () => {
  test('brings any scan id back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }).filter(isUsableId), (scanId) => {
        const mark = markOf(scanId, KEY, TOKEN);
        expect(mark).toMatch(/^v1:[^:\s<>]+:[0-9a-f]{64}:[0-9a-f]{64}$/);
        expect(readMark(mark, TOKEN)).toEqual({ scanId, key: KEY });
      }),
    );
  });

  test('is not ours with another token, another scan or another key', () => {
    const mark = markOf('s1', KEY, TOKEN);
    const other = reuseKey({ ...parts, headCommit: 'x' });
    expect(readMark(mark, `${TOKEN}x`)).toBeUndefined();
    expect(readMark(mark.replace(':s1:', ':s2:'), TOKEN)).toBeUndefined();
    expect(readMark(mark.replace(KEY, other), TOKEN)).toBeUndefined();
  });

  test.each([
    '',
    'v1',
    'v2:s:a:b',
    `v1:%zz:${KEY}:${KEY}`,
    `v1::${KEY}:${KEY}`,
    `v1:s:${KEY}:${KEY.slice(1)}`,
    ` ${markOf('s', KEY, TOKEN)}`,
    `${markOf('s', KEY, TOKEN)}\n`,
    markOf('..', KEY, TOKEN),
  ])('%j is none of ours', (text) => {
    expect(readMark(text, TOKEN)).toBeUndefined();
  });
});
