import { codePointShown, isPlain, replaceInvisible, visibleLine, visibleLines } from './visible-text.ts';

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

/** Escapes JSON, so that the runner finds no commands in the text if a later step prints it. */
export function escapeJsonForLog(json: string): string {
  const text = json.replaceAll('##[', '##\\u005b');
  if (isPlain(text)) return text;
  // Line feeds stay, because we write them between the members.
  return replaceInvisible(text, (character) => (character === '\n' ? character : escapeOf(character)));
}

/** Escapes a character for JSON: four hexadecimal digits for each UTF-16 unit. */
function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/**
 * Our choice: the minimum length of a chunk, in characters. Ten thousand small writes would take longer than all other
 * work.
 */
const CHUNK = 64 * 1024;

/** Joins pieces into chunks of at least 64 Ki characters. The last chunk can be shorter. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
