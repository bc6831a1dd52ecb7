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

/** It has characters that some readers of YAML take as a line end and others do not, or that none takes. */
export function hasUnclearLines(text: string): boolean {
  return /[\u2028\u2029]|(?![\t\n])\p{Cc}/u.test(text);
}

/** Lines as YAML joins them: one line end is a space, an empty line is a line end. */
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

/** A scalar in quotes; undefined where an escape is unknown. */
export function readQuoted(text: string): string | undefined {
  const inner = text.slice(1, -1);
  if (text.startsWith('"')) return readDoubleQuoted(inner);
  return foldLines(inner.replaceAll("''", "'").split('\n').map(trimInside));
}

/** Without the spaces and tabs around it. Other blanks, such as a no-break space, belong to a text. */
export function trimBlanks(text: string): string {
  return trimEnd(trimStart(text));
}

/** Line ends in quotes take the spaces around them along, but not those beside the quotes. */
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
  // Spaces around a line end belong to it, those that are escaped do not. An escaped line end is no space.
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
