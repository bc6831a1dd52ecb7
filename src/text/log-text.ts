import { codePointShown, visibleLine, visibleLines } from './visible-text.ts';

declare const logText: unique symbol;

/** Text that the runner prints without executing commands in it. Only this file creates it. */
export type SafeLogText = string & { readonly [logText]: true };

/** The runner executes `::command::` at the start of a line, also after white space. */
const COMMAND_AT_START = /^([^\S\n]*):(?=:)/gm;
/** The runner executes the older `##[command]` anywhere in a line. */
const OLD_COMMAND = /##(?=\[)/g;

/** One line of safe text. Line breaks, ANSI sequences, control and bidi characters become visible. */
export function logLine(text: string): SafeLogText {
  return trusted(escapeCommands(visibleLine(text)));
}

/** The same for several lines: keeps line feeds (and CR LF as LF). */
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
