import { expect, test } from 'vitest';
import { escapeJsonForLog } from '../../../src/text/escape-json.ts';

test('escaped JSON keeps all values', () => {
  const value = { a: '##[error]x', b: '\u202e\u202ea\u200b\u{e0041}é漢😀', c: ['\u2028', 1, null] };
  expect(JSON.parse(escapeJsonForLog(JSON.stringify(value, null, 2)))).toEqual(value);
});

test('the runner executes no command in escaped JSON that a step prints', () => {
  expect(escapeJsonForLog('["##[error]x ##[group]"]')).toBe('["##\\u005berror]x ##\\u005bgroup]"]');
});

test('escaped JSON writes every code unit of an invisible character as a JSON escape', () => {
  expect(escapeJsonForLog('"a\u202eb\u200b\u00ad\u{e0041}"')).toBe('"a\\u202eb\\u200b\\u00ad\\udb40\\udc41"');
});

test('JSON without commands and invisible characters is not changed', () => {
  const json = '{\n  "a": "é 漢 😀 # [x]"\n}\n';
  expect(escapeJsonForLog(json)).toBe(json);
});
