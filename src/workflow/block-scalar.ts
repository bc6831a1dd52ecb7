const HEADER = /([|>])(?:([1-9])([+-]?)|([+-])([1-9])?)?[ \t]*(?:(?<=[ \t])#[^\n]*)?(?:\n|$)/y;

/**
 * Reads a block scalar (`|` or `>`), which begins at `at`.
 * @param parent the indentation of the parent; -1 for the whole document
 * @returns the text and where it ends; undefined if it is not certain how YAML reads the block
 */
export function readBlockScalar(
  text: string,
  at: number,
  parent: number,
): { readonly value: string; readonly end: number } | undefined {
  HEADER.lastIndex = at;
  const head = HEADER.exec(text);
  if (head === null) return undefined;
  const [, style, digit = head[5], sign = head[4] ?? ''] = head;
  const start = at + head[0].length;
  const given = digit === undefined ? undefined : Math.max(parent, 0) + Number(digit);
  const { lines, indent, end } = linesFrom(text, start, parent, given);
  // YAML does not count a tab as indentation.
  if (lines.some((line) => !isFull(line) && line.includes('\t'))) return undefined;
  const first = lines.findIndex(isFull);
  if (first < 0) {
    // The block has no line with text. If its header has `+` or an indentation, it is not certain which lines count.
    return sign === '+' || digit !== undefined ? undefined : { value: '', end };
  }
  // Before the text, YAML allows no line of spaces that is longer than the indentation.
  if (lines.slice(0, first).some((line) => line.length > indent)) return undefined;
  const content = lines.map((line) => line.slice(indent));
  while (content.at(-1) === '') content.pop();
  const body = style === '|' ? content.join('\n') : fold(content);
  const trailing = lines.length - content.length;
  const last = sign === '-' ? '' : sign === '+' ? '\n'.repeat(1 + trailing) : '\n';
  return { value: body + last, end };
}

/**
 * Returns the lines of the block and their indentation. If `given` is undefined, the first line with text determines
 * the indentation.
 */
function linesFrom(text: string, start: number, parent: number, given: number | undefined) {
  const lines: string[] = [];
  let indent = given;
  let at = start;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const line = text.slice(at, lineEnd < 0 ? text.length : lineEnd);
    if (isFull(line)) {
      indent ??= indentOf(line);
      if (indent <= parent || indentOf(line) < indent) break;
    }
    // Spaces at the end of the file count as a line only if they exceed the indentation.
    if (lineEnd >= 0 || line.length > (indent ?? 0)) lines.push(line);
    at = lineEnd < 0 ? text.length : lineEnd + 1;
  }
  return { lines, indent: indent ?? 0, end: at };
}

function isFull(line: string): boolean {
  return /[^ \t]/.test(line);
}

/**
 * Joins the lines of a folded block scalar (`>`). Keeps the line ends before and after a line with more indentation.
 */
function fold(lines: readonly string[]): string {
  let text = '';
  let breaks = 0;
  let isDeeper = true;
  for (const line of lines) {
    if (line === '') {
      breaks += 1;
      continue;
    }
    const deeper = /^[ \t]/.test(line);
    if (text === '') text = '\n'.repeat(breaks);
    else if (deeper || isDeeper) text += '\n'.repeat(breaks + 1);
    else text += breaks === 0 ? ' ' : '\n'.repeat(breaks);
    text += line;
    isDeeper = deeper;
    breaks = 0;
  }
  return text;
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
