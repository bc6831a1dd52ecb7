import { expect, test } from 'vitest';
import { describeTable, problemLines, renderTable, tableLines } from '../../../src/doctor/diagnose.ts';
import { CHECKS, error, ok, warning } from '../../../src/doctor/row.ts';
import { allNodes, parseGfm } from '../report/gfm.ts';
import { DOCTOR_STATES } from './states.ts';

test("the doctor's table in the job summary and in the log equals its golden file", async () => {
  const rows = DOCTOR_STATES['doctor-not-ready']?.rows ?? [];
  const log = [...tableLines(rows), describeTable(rows), ...problemLines(rows)].join('\n');
  await expect(`${renderTable(rows)}\n=== log\n${log}\n`).toMatchFileSnapshot('golden/doctor-not-ready.md');
});

test('the first line of the job summary says whether the gate can work', () => {
  expect(Object.values(DOCTOR_STATES).map(({ rows }) => renderTable(rows).split('\n')[0])).toEqual([
    '## ✅ Ready: 0 errors, 0 warnings.',
    '## ❌ Not ready: 4 errors, 6 warnings.',
    '## ⚠️ Ready only if the job of the gate always runs: 0 errors, 1 warning. GitHub counts a skipped job as passed.',
    '## ❌ Not ready: 3 errors, 4 warnings.',
    '## ❌ Not ready: 1 error, 1 warning.',
    '## ✅ Ready: 0 errors, 0 warnings.',
  ]);
});

test.each([
  'a | b | c',
  'a\n| ✓ | Inputs | All fine. |  |',
  '`a | b`',
  '`a` \\| `b',
  '</td></table><h1>x</h1>',
  '\u2028## Ready',
  '[x](https://evil.example)',
])("the doctor's table gets no extra row or cell from the text %j", (text) => {
  const hostile = [
    ok('Inputs', 'All inputs are valid.'),
    warning('Preset', text, 'Workflow maintainer', text),
    error('Findings', 'None.', 'Workflow maintainer', 'Look.'),
  ];
  const nodes = allNodes(parseGfm(renderTable(hostile)));
  const rows = nodes.filter(({ type }) => type === 'tableRow');
  expect(rows).toHaveLength(hostile.length + 1);
  expect(rows.map((row) => ('children' in row ? row.children.length : 0))).toEqual(rows.map(() => 4));
  expect(nodes.filter(({ type }) => type === 'link' || type === 'image')).toEqual([]);
  expect(nodes.filter(({ type }) => type === 'heading')).toHaveLength(1);
});

test.each(Object.entries(DOCTOR_STATES))('the rows of %s are in the order of `CHECKS`', (_id, { rows }) => {
  const places = rows.map(({ check }) => CHECKS.indexOf(check));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
