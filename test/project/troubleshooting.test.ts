import { describe, expect, test } from 'vitest';
import { filesIn, read } from './code.ts';
import { codeSpansOf, rowsOf } from './documents.ts';

const rows = rowsOf(read('docs/troubleshooting.md'));
const MESSAGES = rows
  .filter(({ header }) => header[0] === 'message')
  .map(({ cells: [message = '', ...others] }) => ({ message: codeSpansOf(message)[0] ?? '', others }));

/** What users see: all golden texts, without the marks of code. */
const SEEN = filesIn('test/**/golden/**/*.*')
  .map(read)
  .join('\n')
  .replaceAll(/<\/?code>|`/g, '')
  .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
  .replaceAll('\u200b', '');

/** True if users see the message. In the message, `…` stands for a value. */
function isSeen(message: string): boolean {
  const pattern = message
    .replaceAll('`', '')
    .replaceAll(/[^\w…]/g, '\\$&')
    .replaceAll('…', '.+?');
  return new RegExp(pattern).test(SEEN);
}

describe('the messages of docs/troubleshooting.md', () => {
  test.each(MESSAGES)('users see a message of docs/troubleshooting.md: $message', ({ message }) => {
    expect(message.replaceAll(/[…\W]/g, '').length).toBeGreaterThan(15);
    expect(isSeen(message)).toBe(true);
  });

  test('the search finds no message with another wording', () => {
    expect(isSeen('Could not …: GitHub refused access (…).')).toBe(false);
  });

  test('each message of docs/troubleshooting.md occurs once, with a cause and a fix', () => {
    expect(MESSAGES.length).toBeGreaterThanOrEqual(25);
    expect(new Set(MESSAGES.map(({ message }) => message)).size).toBe(MESSAGES.length);
    for (const { others } of MESSAGES) expect(others[0]).toMatch(/`|^warning$/);
    for (const { header, cells } of rows) {
      expect(cells, cells[0]).toHaveLength(header.length);
      expect(cells).not.toContain('');
    }
  });
});
