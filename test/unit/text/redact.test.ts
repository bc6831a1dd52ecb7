import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactor } from '../../../src/text/redact.ts';

const TOKEN = 'svc_proj_key1_s3cr/t+part';

describe('redactor', () => {
  test.each([
    ['raw', TOKEN],
    ['only the secret part', 's3cr/t+part'],
    ['in another case', TOKEN.toUpperCase()],
    ['URL-encoded', encodeURIComponent(TOKEN)],
    ['URL-encoded in lower case', encodeURIComponent(TOKEN).toLowerCase()],
  ])('the redactor hides the token (%s)', (_name, form) => {
    expect(redactor(TOKEN)(`a ${form} b`)).toBe('a *** b');
  });

  test('the redactor hides the token at any position of a base64 text', () => {
    const hide = redactor(TOKEN);
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom('base64', 'base64url'), (before, after, form) => {
        const text = Buffer.from(`${before}${TOKEN}${after}`).toString(
          form === 'base64' ? 'base64' : 'base64url',
        );
        const left = Buffer.from(hide(text).replaceAll('***', ''), 'base64url').toString('latin1');
        expect(hide(text)).toContain('***');
        expect(left).not.toContain('s3cr/t+part');
      }),
    );
  });

  test('the redactor hides the token in both base64 alphabets', () => {
    // One alphabet of base64 has `+` and `/` where the other has `-` and `_`. The encoded secret has many of these.
    const secret = 'svc_proj_key1_??????>>>>>>';
    for (const before of ['', 'a', 'ab'])
      for (const form of ['base64', 'base64url'] as const)
        expect(redactor(secret)(Buffer.from(`${before}${secret}z`).toString(form))).toMatch(
          /^.{0,3}\*\*\*.{0,4}$/,
        );
  });

  test('the redactor hides a token of which only the end is URL-encoded', () => {
    const secret = 'svc_proj_key1_0123456%';
    expect(redactor(secret)(`a ${encodeURIComponent(secret)} b`)).toBe('a *** b');
  });

  test.each([
    ['hides a last part of eight characters', 'svc_12345678', '12345678', '***'],
    ['shows a last part of seven characters', 'svc_1234567', '1234567', '1234567'],
    ['hides an encoding of eight characters', 'secret', 'c2VjcmV0', '***'],
    ['shows an encoding of seven characters', 'secre', 'c2VjcmU', 'c2VjcmU'],
    ['hides a whole secret of three characters', 'abc', 'x abc', 'x ***'],
  ])('the redactor %s', (_what, secret, text, hidden) => {
    expect(redactor(secret)(text)).toBe(hidden);
  });

  test('the redactor does not hide a short last part of a token', () => {
    expect(redactor('svc_proj_key1_abc')('abc svc_proj')).toBe('abc svc_proj');
    expect(redactor('')('any text')).toBe('any text');
  });
});
