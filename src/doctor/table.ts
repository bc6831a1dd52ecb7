import { renderCodeSpans } from '../report/code-spans.ts';
import { countOf as describeCount } from '../report/headline.ts';
import { join, LINE_BREAK, md, NOTHING, type SafeMarkdown, toText } from '../report/markdown.ts';
import { foreignLine } from '../text/foreign-text.ts';
import { countOf, isReady } from './diagnose.ts';
import type { Level, Row } from './row.ts';

/** The sign at the start of each line in the log. */
const SIGNS: Readonly<Record<Level, string>> = { ok: '✓', warning: 'warning', error: 'error', skipped: '–' };
const MARKS: Readonly<Record<Level, SafeMarkdown>> = {
  ok: md`✓`,
  warning: md`⚠️&nbsp;warning`,
  error: md`❌&nbsp;error`,
  skipped: md`–`,
};

export const NO_CHARGE = 'The doctor only reads. It launched no scan, used no credits and changed nothing.';

/**
 * The most characters of a text in the table. Our choice. The doctor's longest sentence fits, even if it lists twenty
 * names.
 */
const LONGEST_TEXT = 2_000;

/** Says whether the gate can work, and under which condition. */
export function describeTable(rows: readonly Row[]): string {
  const errors = describeCount(countOf(rows, 'error'), 'error');
  const warnings = describeCount(countOf(rows, 'warning'), 'warning');
  const counts = `${errors}, ${warnings}.`;
  if (!isReady(rows)) return `Not ready: ${counts}`;
  return canBeSkipped(rows)
    ? `Ready only if the job of the gate always runs: ${counts} GitHub counts a skipped job as passed.`
    : `Ready: ${counts}`;
}

function headSign(rows: readonly Row[]): SafeMarkdown {
  if (!isReady(rows)) return md`❌`;
  return canBeSkipped(rows) ? md`⚠️` : md`✅`;
}

function canBeSkipped(rows: readonly Row[]): boolean {
  return rows.some(({ caveat }) => caveat === 'skipped');
}

/** Makes the table for the log. Each row is one line. A problem has a second line that says how to fix it. */
export function tableLines(all: readonly Row[]): readonly string[] {
  const rows = all.map(shortened);
  const width = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length), 0);
  const signs = width(rows.map(({ level }) => SIGNS[level]));
  const checks = width(rows.map(({ check }) => check));
  return rows.flatMap(({ check, level, text, fix }) => [
    `${SIGNS[level].padEnd(signs)}  ${check.padEnd(checks)}  ${text}`,
    ...(fix === undefined ? [] : [`${' '.repeat(signs + checks + 4)}${fix.who}: ${fix.what}`]),
  ]);
}

/** Makes one line for each error, for the end of the log of a failed run. */
export function problemLines(rows: readonly Row[]): readonly string[] {
  return rows
    .filter(({ level }) => level === 'error')
    .map(shortened)
    .map(
      ({ check, text, fix }) => `- ${check}: ${text}${fix === undefined ? '' : ` ${fix.who}: ${fix.what}`}`,
    );
}

/** Makes the table for the job summary. */
export function renderTable(rows: readonly Row[]): string {
  const lines = [
    md`## ${headSign(rows)} ${describeTable(rows)}`,
    md``,
    md`| | Check | Result | Who can fix it |`,
    md`| --- | --- | --- | --- |`,
    ...rows.map(shortened).map(rowLine),
    md``,
    md`${NO_CHARGE}`,
  ];
  return `${lines.map(toText).join('\n')}\n`;
}

function shortened({ fix, text, ...row }: Row): Row {
  const shown = { ...row, text: foreignLine(text, LONGEST_TEXT) };
  return fix === undefined ? shown : { ...shown, fix: { ...fix, what: foreignLine(fix.what, LONGEST_TEXT) } };
}

function rowLine({ check, level, text, fix }: Row): SafeMarkdown {
  const who = fix === undefined ? NOTHING : join([md`**${fix.who}**`, renderCodeSpans(fix.what)], LINE_BREAK);
  return md`| ${MARKS[level]} | ${check} | ${renderCodeSpans(text)} | ${who} |`;
}
