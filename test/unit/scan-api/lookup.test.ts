import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUsableId, pathSegment } from '../../../src/scan-api/lookup.ts';
import { CODE_POINT } from '../../support/code-point.ts';

describe('an id', () => {
  test.each(['a', '...', 'a/b', 'é', '😀'.repeat(256), 'x'.repeat(256), '__proto__', ' '])(
    '%j is a valid id',
    (id) => {
      expect(isUsableId(id)).toBe(true);
    },
  );

  test.each(['', '.', '..', 'x'.repeat(257), 'a\nb', '\u0000', 'a\u0085b', '\ud800', 7, null, undefined, {}])(
    '%j is not a valid id',
    (id) => {
      expect(isUsableId(id)).toBe(false);
    },
  );

  test('an id is one segment of a path, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: CODE_POINT }).filter(isUsableId), (id) => {
        const url = new URL(`https://service.test/api/v1/projects/${pathSegment(id)}/scans`);
        expect(url.search + url.hash).toBe('');
        const segments = url.pathname.split('/');
        expect(segments).toHaveLength(6);
        expect(decodeURIComponent(segments[4] ?? '')).toBe(id);
      }),
    );
  });

  test('an unusable id in a path throws an error', () => {
    expect(() => pathSegment('..')).toThrow('unusable id');
  });
});
