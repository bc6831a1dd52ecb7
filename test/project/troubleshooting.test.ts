import { describe, expect, test } from 'vitest';
import { read } from './code.ts';
import { codeSpansOf, rowsOf } from './documents.ts';
import { messagesIn, messagesOfSource } from './source-messages.ts';

const rows = rowsOf(read('docs/troubleshooting.md'));
const withMessage = rows.filter(({ header }) => header[0] === 'message');
const messageOf = ([cell = '']: readonly string[]) => codeSpansOf(cell)[0] ?? '';

describe('the messages of docs/troubleshooting.md', () => {
  const isMessage = messagesOfSource();

  test('docs/troubleshooting.md lists at least 25 messages', () => {
    expect(withMessage.length).toBeGreaterThanOrEqual(25);
  });

  test.each(withMessage.map(({ cells }) => messageOf(cells)))(
    'a message of docs/troubleshooting.md occurs in the source: %s',
    (message) => {
      expect(message.replaceAll(/[…\W]/g, '').length).toBeGreaterThan(15);
      expect(isMessage(message)).toBe(true);
    },
  );

  test('each message of docs/troubleshooting.md occurs once, with a cause and a fix', () => {
    const messages = withMessage.map(({ cells }) => messageOf(cells));
    expect(new Set(messages).size).toBe(messages.length);
    for (const { cells } of withMessage) expect(cells[1]).toMatch(/`|^warning$/);
    for (const { header, cells } of rows) {
      expect(cells, cells[0]).toHaveLength(header.length);
      expect(cells).not.toContain('');
    }
  });
});

describe('the search for a message', () => {
  const source = [
    'const a = `Could not <operation>: <CAUSES[kind]><said>.`;',
    "const CAUSES = { forbidden: 'GitHub denied access' };",
    'const said = message === "" ? "" : ` (<message>)`;',
    "const other = 'It is wrong. Fix it.';",
    'const quoted = `The preset \\`<ref>\\` is old.`;',
    'const end = `<why>.`;',
    "const why = 'The event has nothing to scan';",
  ].join('\n');
  const isMessage = messagesIn([source.replace(/<([\w[\]]+)>/g, (_, value) => `\${${value}}`)]);

  test.each([
    'Could not …: GitHub denied access (…).',
    'Could not …: GitHub denied access.',
    'Could not …: ….',
    'It is wrong.',
    'It is wrong. Fix it.',
    'The preset `…` is old.',
    'The event has nothing to scan.',
  ])('the sample source contains the message %j', (message) => {
    expect(isMessage(message)).toBe(true);
  });

  test.each([
    'Could not read: GitHub denied access.',
    'Could not …: GitHub refused access.',
    'Could not …: GitHub denied access',
    'Fix it.',
    'It is',
    'The preset … is old.',
    'The preset `old` is old.',
    '',
  ])('the sample source does not contain the message %j', (message) => {
    expect(isMessage(message)).toBe(false);
  });
});
