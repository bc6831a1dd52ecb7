import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rounds } from '../support/rounds.ts';
import { allNodes, parseGfm } from '../unit/report/gfm.ts';
import { unintendedAmong, unintendedIn } from './unintended.ts';

const LINES = [
  ...['```', '````', '~~~', '``` ~', '  ```', '#1', '  #1', '    #1', '- a', '1. a', '> q', 'text'],
  ...['<!--', '-->', '<pre>', '</pre>', '<details>', '</details>', '| a |', '| - |', '# h', '---', '', ''],
];

test('a text has the same faults piece by piece as at once', () => {
  const kindsOf = (faults: readonly string[]) =>
    [...new Set(faults.map((fault) => fault.split(':')[0]))].sort();
  const property = fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 12 }), (lines) => {
    const markdown = lines.join('\n');
    const atOnce = unintendedAmong(allNodes(parseGfm(markdown)), markdown);
    expect(kindsOf(unintendedIn(markdown))).toEqual(kindsOf(atOnce));
  });
  fc.assert(property, { numRuns: rounds(300, 5_000) });
});
