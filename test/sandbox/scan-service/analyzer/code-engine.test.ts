import { SgNode } from '@ast-grep/napi';
import { expect, test, vi } from 'vitest';
import { findCodeVulnerabilities } from '../../../../sandbox/scan-service/analyzer/code-engine.ts';

/** The prototype that holds the search method of every node. */
const nodes: { findAll: (...args: unknown[]) => unknown } = Object(SgNode.prototype);

/** Scans a file with this many functions. Counts the findings, and the searches in the tree of the file. */
async function searched(functions: number): Promise<{ searches: number; found: number }> {
  const query = (index: number) =>
    `function f${index}(id) { const sql = 'SELECT a FROM t WHERE id = ' + id; return db.query(sql); }\n`;
  const code = `import db from 'db';\n${Array.from({ length: functions }, (_, index) => query(index)).join('')}`;
  const search = vi.spyOn(nodes, 'findAll');
  const { length: found } = await findCodeVulnerabilities('a.js', code);
  const searches = search.mock.calls.length;
  search.mockRestore();
  return { searches, found };
}

test('the code engine searches a long file as often as a short file', async () => {
  const [few, many] = [await searched(5), await searched(50)];
  expect([few.found, many.found]).toEqual([5, 50]);
  expect(few.searches).toBeGreaterThan(0);
  expect(many.searches).toBe(few.searches);
});

test('the code engine searches a file without suspicious names at most once', async () => {
  const search = vi.spyOn(nodes, 'findAll');
  expect(await findCodeVulnerabilities('a.js', 'export const one = 1;\n')).toEqual([]);
  // One rule looks for a form of code and not for a name, so it searches every file.
  expect(search.mock.calls.length).toBeLessThanOrEqual(1);
});
