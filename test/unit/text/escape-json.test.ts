import { expect, test } from 'vitest';
import { escapeJsonForLog } from '../../../src/text/escape-json.ts';

test('the values are the same, whatever is in them', () => {
  const value = { a: '##[error]x', b: '\u202e\u202ea\u200b\u{e0041}é漢😀', c: ['\u2028', 1, null] };
  expect(JSON.parse(escapeJsonForLog(JSON.stringify(value, null, 2)))).toEqual(value);
});

test('the runner obeys nothing that is printed from it', () => {
  expect(escapeJsonForLog('["##[error]x ##[group]"]')).toBe('["##\\u005berror]x ##\\u005bgroup]"]');
});

test('what cannot be seen is written as the escape of JSON, each of its units', () => {
  expect(escapeJsonForLog('"a\u202eb\u200b\u00ad\u{e0041}"')).toBe('"a\\u202eb\\u200b\\u00ad\\udb40\\udc41"');
});

test('the lines of the file stay, and so does what can be seen', () => {
  const json = '{\n  "a": "é 漢 😀 # [x]"\n}\n';
  expect(escapeJsonForLog(json)).toBe(json);
});
