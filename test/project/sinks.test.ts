import { describe, expect, test } from 'vitest';
import { filesIn, read } from './code.ts';

/** The functions of `src/report` that render an output of a run. */
const RENDERERS = renderersIn(filesIn('src/deliver/*.ts').map(read).join('\n'));

/**
 * The renderers that never get a report with withheld findings. A comment exists only on a pull request, and the report
 * about a pull request shows all findings.
 */
const NOT_WITHHELD: ReadonlySet<string> = new Set(['renderComment']);

function renderersIn(source: string): readonly string[] {
  const imports = source.matchAll(/import \{([^}]+)\} from '\.\.\/report\/[\w-]+\.ts'/g);
  const names = [...imports].flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
  return [...new Set(names.filter((name) => /^render[A-Z]/.test(name)))].sort();
}

function calledIn(file: string): readonly string[] {
  return [...read(file).matchAll(/\b(render[A-Z]\w*)\(/g)].map(([, name = '']) => name);
}

describe('each function that renders an output', () => {
  test('the imports of `src/deliver` show which functions render an output', () => {
    expect(RENDERERS.length).toBeGreaterThanOrEqual(5);
    expect(renderersIn("import { fit, renderCsv } from '../report/csv.ts';")).toEqual(['renderCsv']);
  });

  test.each([
    ['is tested with hostile text', 'test/security/hostile-sinks.test.ts'],
    ['is tested for its limits', 'test/unit/report/sinks.test.ts'],
  ])('each function that renders an output %s in %s', (_what, file) => {
    expect(calledIn(file)).toEqual(expect.arrayContaining([...RENDERERS]));
  });

  test('each function that renders an output is tested with a report whose findings are withheld', () => {
    const wanted = RENDERERS.filter((name) => !NOT_WITHHELD.has(name));
    expect(calledIn('test/unit/report/withheld-sinks.test.ts')).toEqual(expect.arrayContaining(wanted));
  });
});
