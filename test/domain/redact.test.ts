import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactor } from '../../src/domain/redact.ts';

const TOKEN = 'svc_proj_key1_s3cr/t+part';

describe('redactor', () => {
  test.each([
    ['raw', TOKEN],
    ['its secret part', 's3cr/t+part'],
    ['in another case', TOKEN.toUpperCase()],
    ['URL-encoded', encodeURIComponent(TOKEN)],
    ['URL-encoded in lower case', encodeURIComponent(TOKEN).toLowerCase()],
  ])('hides the token: %s', (_name, form) => {
    expect(redactor(TOKEN)(`a ${form} b`)).toBe('a *** b');
  });

  test('hides it inside any base64 text, at each alignment', () => {
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

  test('leaves short last parts and all other text alone', () => {
    expect(redactor('svc_proj_key1_abc')('abc svc_proj')).toBe('abc svc_proj');
    expect(redactor('')('any text')).toBe('any text');
  });
});
