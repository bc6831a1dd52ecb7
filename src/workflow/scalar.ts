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
