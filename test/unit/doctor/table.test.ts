import { describe, expect, test } from 'vitest';
import { describeTable, problemLines, renderTable, tableLines } from '../../../src/doctor/diagnose.ts';
import { CHECKS, error, ok, type Row, skipped, warning } from '../../../src/doctor/row.ts';
import { lineChanges } from '../../support/shown.ts';
import { allNodes, parseGfm } from '../report/gfm.ts';
import { DOCTOR_STATES } from './states.ts';

const ROWS: readonly Row[] = [
  ok('Inputs', 'All inputs are valid.'),
  warning('Token', 'The token expires in 1 day.', 'Project admin of the service', 'Create one.'),
  error('Required check', 'Not the `job`.', 'Repository admin on GitHub', 'Require it.'),
  skipped('Findings', 'None yet.'),
];

describe('the table', () => {
  test("the doctor's table has aligned columns in the log, with the fix below each problem", () => {
    expect(tableLines(ROWS)).toEqual([
      '✓        Inputs          All inputs are valid.',
      'warning  Token           The token expires in 1 day.',
      '                         Project admin of the service: Create one.',
      'error    Required check  Not the `job`.',
      '                         Repository admin on GitHub: Require it.',
      '–        Findings        None yet.',
    ]);
    expect(describeTable(ROWS)).toBe('Not ready: 1 error, 1 warning.');
    expect(problemLines(ROWS)).toEqual([
      '- Required check: Not the `job`. Repository admin on GitHub: Require it.',
    ]);
    expect(tableLines([])).toEqual([]);
  });

  test("the doctor's table is a Markdown table in the job summary", () => {
    expect(renderTable(ROWS)).toBe(
      [
        '## ❌ Not ready: 1 error, 1 warning.',
        '',
        '| | Check | Result | Who can fix it |',
        '| --- | --- | --- | --- |',
        '| ✓ | Inputs | All inputs are valid. |  |',
        '| ⚠️&nbsp;warning | Token | The token expires in 1 day. | **Project admin of the service**<br>Create one. |',
        '| ❌&nbsp;error | Required check | Not the <code>job</code>&#46; | **Repository admin on GitHub**<br>Require it. |',
        '| – | Findings | None yet. |  |',
        '',
        'The doctor only reads. It launched no scan, used no credits and changed nothing.',
        '',
      ].join('\n'),
    );
    expect(renderTable(ROWS.filter(({ level }) => level !== 'error'))).toContain('## ✅ Ready: 0 errors');
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
    const hostile = [...ROWS, warning('Preset', text, 'Workflow maintainer', text)];
    const nodes = allNodes(parseGfm(renderTable(hostile)));
    const rows = nodes.filter(({ type }) => type === 'tableRow');
    expect(rows).toHaveLength(hostile.length + 1);
    expect(rows.map((row) => ('children' in row ? row.children.length : 0))).toEqual(rows.map(() => 4));
    expect(nodes.filter(({ type }) => type === 'link' || type === 'image')).toEqual([]);
    expect(nodes.filter(({ type }) => type === 'heading')).toHaveLength(1);
  });
});

function page({ rows }: { readonly rows: readonly Row[] }): string {
  const log = [...tableLines(rows), describeTable(rows), ...problemLines(rows)].join('\n');
  return `${renderTable(rows)}\n=== log\n${log}\n`;
}

/** The states that differ in few rows from `doctor-ready`. Their golden files show only the difference. */
const LIKE_READY: readonly string[] = ['doctor-can-be-skipped', 'doctor-public'];

test.each(Object.entries(DOCTOR_STATES))(
  "the doctor's table equals the golden file of %s",
  async (name, state) => {
    const ready = DOCTOR_STATES['doctor-ready'];
    if (ready === undefined || !LIKE_READY.includes(name))
      return expect(page(state)).toMatchFileSnapshot(`golden/${name}.md`);
    // The width of the columns depends on the longest name.
    const narrow = (text: string) => text.replace(/ {2,}/g, '  ');
    const changed = lineChanges(narrow(page(ready)), narrow(page(state)));
    return expect(`${changed.join('\n')}\n`).toMatchFileSnapshot(`golden/${name}.txt`);
  },
);

test.each(Object.entries(DOCTOR_STATES))('the rows of %s are in the order of `CHECKS`', (_id, { rows }) => {
  const places = rows.map(({ check }) => CHECKS.indexOf(check));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
