import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentKey, exactKey, isKeyOf, type ScanKeyFields } from '../../../src/scan/scan-mark.ts';

const FIELDS: ScanKeyFields = {
  repositoryId: 'r',
  pullRequest: 7,
  headSha: 'h',
  baseSha: 'b',
  presetRef: 'diff',
  creditBudget: 10,
  launchParameters: { b: { d: [1, 2], c: null }, a: 1 },
};

describe('isKeyOf', () => {
  const { baseSha: _, ...fields } = FIELDS;

  test('isKeyOf accepts a key that was made with the given fields and the base in the mark', () => {
    const baseSha = 'another base';
    expect(isKeyOf({ key: exactKey({ ...FIELDS, baseSha }), baseSha }, fields)).toBe(true);
  });

  test('isKeyOf rejects a key that was made with another base or another preset', () => {
    expect(isKeyOf({ key: exactKey(FIELDS), baseSha: 'another base' }, fields)).toBe(false);
    expect(isKeyOf({ key: exactKey({ ...FIELDS, presetRef: 'full' }), baseSha: 'b' }, fields)).toBe(false);
  });
});

/** Changes of `FIELDS`. Each one changes what is scanned, or what the scan costs. No two are the same. */
const OTHERS: readonly Partial<ScanKeyFields>[] = [
  { pullRequest: undefined },
  { baseSha: undefined },
  { headSha: 'b', baseSha: 'h' },
  { creditBudget: undefined },
  { creditBudget: 0 },
  { guidance: 'a hash' },
  { guidance: 'another hash' },
  { launchParameters: { a: '1', b: { c: null, d: [1, 2] } } },
  { launchParameters: { a: 1, b: { c: null, d: [2, 1] } } },
  { launchParameters: { a: 1, b: { d: [1, 2] } } },
  { launchParameters: { a: 1, b: { c: null, d: { 0: 1, 1: 2 } } } },
  { launchParameters: { a: 1, b: { c: null, d: [1, 2] }, guidance: 'Report nothing.' } },
  { launchParameters: { a: 1, b: { c: null, d: [1, 2] }, auditAreaKeys: ['login'] } },
  { launchParameters: { a: 1, b: { c: null, d: [1, 2] }, ['__proto__']: {} } },
];

describe('exactKey', () => {
  test('exactKey depends on each field and on each launch parameter', () => {
    const keys = [FIELDS, ...OTHERS.map((changes) => ({ ...FIELDS, ...changes }))].map(exactKey);
    expect(new Set(keys).size).toBe(OTHERS.length + 1);
  });

  test('in every version, exactKey uses half of the SHA-256 of the sorted fields', () => {
    const sorted =
      '{"baseSha":"b","creditBudget":10,"headSha":"h","launchParameters":{"a":1,"b":{"c":null,"d":[1,2]}},"presetRef":"diff","pullRequest":7,"repositoryId":"r"}';
    const half = createHash('sha256').update(sorted).digest().subarray(0, 16);
    expect(exactKey(FIELDS)).toBe(half.toString('base64url'));
    // Without guidance, the key is the same as in versions that had no input `guidance-file`.
    expect(exactKey({ ...FIELDS, guidance: undefined })).toBe(half.toString('base64url'));
  });
});

describe('contentKey', () => {
  const [head, base] = ['a1'.repeat(20), 'b2'.repeat(20)];
  const trees = { head: '3'.repeat(40), base: '4'.repeat(40) };
  const ids = { headSha: head, baseSha: base };
  const fields: ScanKeyFields = {
    ...FIELDS,
    ...ids,
    launchParameters: { a: 1, tip: head, list: [{ from: base }] },
  };
  const key = contentKey(fields, trees);

  test('contentKey ignores guidance that is undefined', () => {
    expect(contentKey({ ...fields, guidance: undefined }, trees)).toBe(key);
  });

  test('contentKey and exactKey return different keys', () => {
    expect(key).toMatch(/^[\w-]{22}$/);
    expect(key).not.toBe(exactKey(fields));
  });

  test('contentKey returns the same key for another pull request and other commits with the same files', () => {
    const [otherHead, otherBase] = ['c5'.repeat(20), 'd6'.repeat(20)];
    const other: ScanKeyFields = {
      ...fields,
      pullRequest: undefined,
      headSha: otherHead,
      baseSha: otherBase,
      launchParameters: { list: [{ from: otherBase.toUpperCase() }], tip: otherHead, a: 1 },
    };
    expect(contentKey(other, trees)).toBe(key);
  });

  test('contentKey depends on the files, on each field and on each launch parameter', () => {
    const { launchParameters: given } = fields;
    const others: readonly (Partial<ScanKeyFields> & { readonly files?: typeof trees })[] = [
      { files: { ...trees, head: trees.base } },
      { files: { ...trees, base: trees.head } },
      { files: { head: trees.base, base: trees.head } },
      { repositoryId: 'q' },
      { presetRef: 'full' },
      { creditBudget: undefined },
      { guidance: 'a hash' },
      { launchParameters: { ...given, guidance: 'x' } },
      // A third commit, another one of the two commits, and the id of a tree.
      { launchParameters: { ...given, a: '5'.repeat(40) } },
      { launchParameters: { ...given, tip: base } },
      { launchParameters: { ...given, tip: trees.head } },
    ];
    const keys = others.map(({ files = trees, ...change }) => contentKey({ ...fields, ...change }, files));
    expect(new Set([key, ...keys]).size).toBe(others.length + 1);
  });
});
