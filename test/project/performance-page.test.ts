import { describe, expect, test } from 'vitest';
import { FIGURES, figuresTable, withFigures } from '../../scripts/bench/figures.ts';
import { read } from './code.ts';
import { rowsOf, sectionUnder } from './documents.ts';

const page = read('docs/performance.md');
const rows = rowsOf(sectionUnder(page, 'What a run costs')).map(({ cells }) => cells);

describe('the page about performance', () => {
  test('the page about performance says "not met" for exactly the values that exceed their goals', () => {
    const isOver = ([, value, goal]: readonly string[]) =>
      Number.parseFloat(value ?? '') > Number.parseFloat(goal?.replace('<= ', '') ?? '');
    const unmet = rows.filter(([, , goal]) => goal?.endsWith(', not met'));
    expect(unmet).toEqual(rows.filter(isOver));
    // Only figures about processor time depend on the machine, so only these may miss their goals.
    const timed = FIGURES.filter(({ kind }) => kind === 'ratio').map(({ what }) => what);
    for (const [what] of unmet) expect(timed).toContain(what);
  });

  test('the benchmark writes the table of the page about performance', () => {
    const table = figuresTable(FIGURES.map((figure) => [figure, figure.most]));
    const written = withFigures(page, table, '2030-01-31');
    expect(written).toContain('Measured with `npm run bench` on 2030-01-31 on');
    expect(written).toContain('| Size of `dist/index.js` | 0.480 MB | <= 0.48 MB |');
    expect(written.split('\n')).toHaveLength(page.split('\n').length);
    expect(() => withFigures('# Performance\n', table, '2030-01-31')).toThrow('no table');
  });
});
