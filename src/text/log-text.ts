import { codePointShown, visibleLine, visibleLines } from './visible-text.ts';

declare const logText: unique symbol;

/** Text in which the runner finds no commands. Only this file creates such a text. */
export type SafeLogText = string & { readonly [logText]: true };

/** The runner executes `::command::` at the start of a line, even after white space. */
const COMMAND_AT_START = /^([^\S\n]*):(?=:)/gm;
/** The runner executes `##[command]`, an older form of commands, anywhere in a line. */
const OLD_COMMAND = /##(?=\[)/g;

/** Makes one line of safe text. Line breaks, ANSI sequences, control and bidi characters become visible. */
export function logLine(text: string): SafeLogText {
  return trusted(escapeCommands(visibleLine(text)));
}

/** Makes several lines of safe text. Keeps line feeds, and turns CR LF into LF. */
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
