/** The widest line that the command prints, in characters. A name that is longer has a line of its own. */
const WIDTH = 100;

/** Breaks a text into lines at its spaces. The first line begins with `indent`, and the others are two columns deeper. */
export function wrapped(text: string, indent = ''): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const isEmpty = line.trim() === '';
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${indent}  ${word}`;
    } else line += isEmpty ? word : ` ${word}`;
  }
  return [...lines, line];
}

/**
 * Keeps printable ASCII and `…`, and replaces every other character. Otherwise, a name from the file could move the
 * cursor or change colours in the terminal.
 */
export function visible(text: string): string {
  return text.replace(/[^\x20-\x7e…]/g, '?');
}
