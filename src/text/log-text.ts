import { codePointShown, visibleLine, visibleLines } from './visible-text.ts';

declare const logText: unique symbol;

/** Text that the runner prints and never obeys. Only this file makes it. */
export type SafeLogText = string & { readonly [logText]: true };

/** The runner obeys `::command::` at the start of a line, after white space. */
const COMMAND_AT_START = /^([^\S\n]*):(?=:)/gm;
/** The runner obeys the older `##[command]` anywhere in a line. */
const OLD_COMMAND = /##(?=\[)/g;

/** One line: line breaks, ANSI sequences, control and bidi characters are shown; nothing is a command. */
export function logLine(text: string): SafeLogText {
  return trusted(escapeCommands(visibleLine(text)));
}

/** Several lines: as `logLine`, but line feeds (and CR LF) stay. */
export function logLines(text: string): SafeLogText {
  return trusted(escapeCommands(visibleLines(text)));
}

function escapeCommands(lines: string): string {
  return lines
    .replace(COMMAND_AT_START, (_, space: string) => space + codePointShown(':'))
    .replace(OLD_COMMAND, `#${codePointShown('#')}`);
}

function trusted(text: string): SafeLogText {
  return text as SafeLogText;
}
