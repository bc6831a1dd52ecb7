/** A row of the table. A row without a goal is only for information. */
export interface Row {
  readonly what: string;
  readonly value: string;
  readonly goal?: { readonly text: string; readonly met: boolean };
}

/** Renders the rows in four aligned columns. */
export function renderTable(rows: readonly Row[]): string {
  const cells = rows.map(({ what, value, goal }) => [
    what,
    value,
    goal?.text ?? '',
    goal === undefined ? '' : goal.met ? 'met' : 'NOT MET',
  ]);
  const all = [['', 'value', 'goal', ''], ...cells];
  const width = (column: number) => Math.max(...all.map((row) => row[column]?.length ?? 0));
  const [first, second, third] = [width(0), width(1), width(2)];
  return all
    .map(([what = '', value = '', goal = '', met = '']) =>
      `${what.padEnd(first)}  ${value.padStart(second)}  ${goal.padEnd(third)}  ${met}`.trimEnd(),
    )
    .join('\n');
}
