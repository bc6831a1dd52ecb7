import { expect, test } from 'vitest';
import { describeTable, problemLines, renderTable, tableLines } from '../../../src/doctor/diagnose.ts';
import { CHECKS } from '../../../src/doctor/row.ts';
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

test.each(Object.entries(DOCTOR_STATES))('the rows of %s are in the order of `CHECKS`', (_id, { rows }) => {
  const places = rows.map(({ check }) => CHECKS.indexOf(check));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
