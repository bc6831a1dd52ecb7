import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../src/triage/parse-command.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `ZK-${index}`).join(' ');

describe('parseCommand', () => {
  test('parseCommand reads the status, the labels, the reason code and the note of a command', () => {
    expect(parseCommand('/scangate false-positive ZK-1A2B3C4D not_reachable\r\n\r\nOnly tests.\n')).toEqual({
      kind: 'change',
      change: {
        word: 'false-positive',
        status: 'FALSE_POSITIVE',
        labels: ['ZK-1A2B3C4D'],
        reason: 'not_reachable',
        note: 'Only tests.',
      },
    });
  });

  test('parseCommand accepts twenty labels, and ignores a repeated label', () => {
    const wanted = parseCommand(`/scangate wont-fix ${many(20)} ZK-0`);
    expect(wanted?.kind === 'change' ? wanted.change.labels.length : 0).toBe(20);
  });

  test('parseCommand reads a word of eight characters as a label', () => {
    const change = { labels: ['abcd_efg', 'fnd_a_b2'], reason: undefined, note: '' };
    expect(parseCommand('/scangate\twont-fix abcd_efg,fnd_a_b2 \t')).toMatchObject({ change });
  });

  test.each([
    ['fnd_a_1', 'with a digit'],
    ['1_fnd_abc', 'that begins with a digit'],
    ['fnd__abc', 'with two underscores'],
  ])('parseCommand reads %s as a label, because a word %s is not a reason code', (label) => {
    expect(parseCommand(`/scangate wont-fix ${label}`)).toMatchObject({ change: { labels: [label] } });
  });

  test.each([
    ['', 'word'],
    [' resolved ZK-1', 'word'],
    [' __proto__ ZK-1', 'word'],
    [' toString ZK-1', 'word'],
    [' FALSE-POSITIVE ZK-1', 'word'],
    [' recheck now', 'more-text'],
    [' mitigated', 'no-label'],
    [' mitigated monitored', 'no-label'],
    [` mitigated ${many(21)}`, 'many-labels'],
    [' mitigated ZK-1 monitored limited_exposure', 'many-reasons'],
    [' mitigated ZK-1 not_reachable', 'reason'],
    [' mitigated ZK-1 because_of_this', 'reason'],
    [' mitigated ZK-1 some_code', 'reason'],
    [' mitigated ZK-1 a_code_of_mine', 'reason'],
    [' mitigated ZK-1 Limited_Exposure', 'reason'],
    [' reopen ZK-1 monitored', 'reason'],
  ])('parseCommand explains why `/scangate%s` is not a command', (rest, why) => {
    expect(parseCommand(`/scangate${rest}`)).toMatchObject({ kind: 'unclear', unclear: { why } });
  });

  test.each([
    '',
    'x',
    ' /scangate recheck',
    '> /scangate recheck',
    '/scangates',
    '/SCANGATE recheck',
    '\n/scangate recheck',
  ])('parseCommand ignores the comment `%s`', (body) => {
    expect(parseCommand(body)).toBeUndefined();
  });
});
