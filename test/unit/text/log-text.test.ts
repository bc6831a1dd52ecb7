import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeJsonForLog, logLine, logLines } from '../../../src/text/log-text.ts';
import { hasInvisible } from '../../../src/text/visible-text.ts';
import { rounds } from '../../support/rounds.ts';
import { hostileText } from '../report/hostile.ts';

/**
 * True if the runner finds a command in the line. One parser looks for `::command::` after leading white space. The
 * second parser looks for `##[command]` anywhere.
 */
function isCommand(line: string): boolean {
  const trimmed = line.trimStart();
  const modern = trimmed.startsWith('::') && trimmed.indexOf('::', 2) >= 0;
  const prefix = line.indexOf('##[');
  return modern || (prefix >= 0 && line.indexOf(']', prefix) >= 0);
}

/** The commands in a text. The runner ends a line at LF, CR or CR LF. */
const commandsIn = (text: string) => text.split(/\r\n|\n|\r/).filter(isCommand);

describe('no text becomes a command', () => {
  test.each([
    '::error::x',
    '  ::set-output name=a::b',
    '\u00a0::error::x',
    '\u3000::error::x',
    'a ##[error]x',
    '###[group]x',
    '##[##[error]]',
    '\r::error::x',
    '\u2028::error::x',
    '\u0085::error::x',
    ':::error::x',
    '\u200b::error::x',
  ])('the runner finds no command in the logged text %j', (text) => {
    expect(commandsIn(logLine(text))).toEqual([]);
    expect(commandsIn(logLines(`first\n${text}\nlast`))).toEqual([]);
  });

  test('the runner finds no command in logged random text', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (a, b) => {
        for (const text of [
          logLine(a),
          logLines(a),
          logLine(a + b),
          logLine(`#${a}#[${b}]`),
          logLine(`:${a}:${b}::`),
        ]) {
          expect(commandsIn(text)).toEqual([]);
          expect(hasInvisible(text.replaceAll(/[\n\t]/g, ''))).toBe(false);
        }
        expect(logLine(a)).not.toMatch(/[\r\n]/);
      }),
      { numRuns: rounds(100, 2_000) },
    );
  });

  test('the runner finds no command in logged text that consists of commands', () => {
    expect(commandsIn(logLines('::error::a\n::error::b\n##[a]\n##[b]##[c]'))).toEqual([]);
  });

  test('escaping a text twice has the same effect as escaping it once', () => {
    fc.assert(fc.property(hostileText, (text) => logLines(logLines(text)) === logLines(text)));
  });
});

test('an escaped command stays readable', () => {
  expect(logLine(' ::error::x\n##[y] \u001b[31m')).toBe(
    ' ⟨U+003A⟩:error::x⟨U+000A⟩#⟨U+0023⟩[y] ⟨U+001B⟩[31m',
  );
  expect(logLines('a\r\nb: c::d')).toBe('a\nb: c::d');
});

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
