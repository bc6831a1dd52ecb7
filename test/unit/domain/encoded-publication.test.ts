import { expect, test } from 'vitest';
import { encodePublication, readPublication } from '../../../src/domain/encoded-publication.ts';

const TOKEN = 'svc_proj_key_secret';
const KNOWN = { scanId: 'scan:1;>', publicId: 'p/1', gated: true };

test.each([KNOWN, { scanId: 's', publicId: 'p', gated: false }])('reads back %o', (known) => {
  const word = encodePublication(known, TOKEN);
  expect(word).toMatch(/^[!-:?-~=]+$/);
  expect(readPublication(word, known.scanId, TOKEN)).toEqual(known);
});

test('reads nothing for another scan, another token, an empty token or a changed word', () => {
  const word = encodePublication(KNOWN, TOKEN);
  expect(readPublication(word, 'scan', TOKEN)).toBeUndefined();
  expect(readPublication(word, KNOWN.scanId, 'svc_proj_key_other')).toBeUndefined();
  expect(readPublication(encodePublication(KNOWN, ''), KNOWN.scanId, '')).toBeUndefined();
  for (let at = 0; at < word.length; at += 1) {
    const changed = `${word.slice(0, at)}${word[at] === '1' ? '2' : '1'}${word.slice(at + 1)}`;
    expect(readPublication(changed, KNOWN.scanId, TOKEN), changed).toBeUndefined();
  }
});
