const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

/**
 * True if the text contains a control character, or a character that only some YAML readers take for a line end. Tabs
 * and line feeds are allowed.
 */
export function hasUnclearLines(text: string): boolean {
  return /[\u2028\u2029]|(?![\t\n])\p{Cc}/u.test(text);
}

/** Joins lines as YAML does. A line end becomes a space, and an empty line becomes a line end. */
export function foldLines([first = '', ...lines]: readonly string[]): string {
  let text = first;
  let breaks = 0;
  for (const line of lines) {
    breaks += 1;
    if (line === '') continue;
    text += breaks === 1 ? ` ${line}` : '\n'.repeat(breaks - 1) + line;
    breaks = 0;
  }
  return breaks === 0 ? text : text + (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1));
}

/** Reads a quoted scalar. Undefined if the scalar has an escape that is not supported. */
export function readQuoted(text: string): string | undefined {
  const inner = text.slice(1, -1);
  if (text.startsWith('"')) return readDoubleQuoted(inner);
  return foldLines(inner.replaceAll("''", "'").split('\n').map(trimInside));
}

/** Removes spaces and tabs at both ends. Other white space, such as a no-break space, belongs to the text. */
export function trimBlanks(text: string): string {
  return trimEnd(trimStart(text));
}

/** Removes the spaces next to line ends inside quotes. Spaces next to the quotes stay. */
function trimInside(line: string, index: number, lines: readonly string[]): string {
  const start = index === 0 ? line : trimStart(line);
  return index === lines.length - 1 ? start : trimEnd(start);
}

function trimStart(line: string): string {
  return line.replace(/^[ \t]+/, '');
}

function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && /[ \t]/.test(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function readDoubleQuoted(inner: string): string | undefined {
  let isKnown = true;
  // A line end and the spaces around it become one space, and each empty line becomes a line end. An escaped space
  // stays. An escaped line end does not become a space.
  const folded = inner.replace(/\\\n[ \t\n]*|\\[^\n]|[ \t\n]+/g, (piece) => {
    const breaks = piece.split('\n').length - 1;
    if (breaks === 0) return piece;
    return breaks === 1 && !piece.startsWith('\\') ? ' ' : '\n'.repeat(breaks - 1);
  });
  const text = folded.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (_, two?: string, four?: string, eight?: string, letter = '') => {
      const digits = two ?? four ?? eight;
      const code = digits === undefined ? undefined : Number.parseInt(digits, 16);
      if (code !== undefined && code <= 0x10ffff) return String.fromCodePoint(code);
      const known = ESCAPES[letter];
      isKnown &&= known !== undefined;
      return known ?? '';
    },
  );
  return isKnown ? text : undefined;
}

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
