import { expect, test } from 'vitest';
import { encodePublication, readPublication } from '../../../src/domain/comment-state.ts';
import { createSeal } from '../../../src/domain/seal.ts';

const TOKEN = 'svc_proj_key_secret';
const SEAL = createSeal(TOKEN, '1296269');
const KNOWN = { scanId: 'scan:1;>', publicId: 'p/1', gated: true };

test.each([KNOWN, { scanId: 's', publicId: 'p', gated: false }])(
  'an encoded publication can be decoded (gated: $gated)',
  (known) => {
    const word = encodePublication(known, SEAL);
    expect(word).toMatch(/^[!-:?-~=]+$/);
    expect(readPublication(word, known.scanId, SEAL)).toEqual(known);
  },
);

test('an encoded publication is rejected if it was changed, or if it belongs to another scan or token', () => {
  const word = encodePublication(KNOWN, SEAL);
  expect(readPublication(word, 'scan', SEAL)).toBeUndefined();
  expect(readPublication(word, KNOWN.scanId, createSeal('svc_proj_key_other', '1296269'))).toBeUndefined();
  expect(
    readPublication(
      encodePublication(KNOWN, createSeal('', '1296269')),
      KNOWN.scanId,
      createSeal('', '1296269'),
    ),
  ).toBeUndefined();
  for (let at = 0; at < word.length; at += 1) {
    const changed = `${word.slice(0, at)}${word[at] === '1' ? '2' : '1'}${word.slice(at + 1)}`;
    expect(readPublication(changed, KNOWN.scanId, SEAL), changed).toBeUndefined();
  }
});
