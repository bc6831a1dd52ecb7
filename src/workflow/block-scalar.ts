const HEADER = /([|>])(?:([1-9])([+-]?)|([+-])([1-9])?)?[ \t]*(?:(?<=[ \t])#[^\n]*)?(?:\n|$)/y;

/**
 * A text in a block (`|` or `>`) that begins at `at`.
 * @param parent the indentation of what it belongs to; -1 for the whole document
 * @returns its text and where it ends; undefined where its head or its indentation is not readable
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
  const lines = text.slice(start).split('\n');
  const firstFull = lines.find((line) => line.trim() !== '');
  const indent = digit === undefined ? indentOf(firstFull ?? '') : Math.max(parent, 0) + Number(digit);
  const isEmpty = firstFull === undefined || indent <= parent;
  const length = lines.findIndex((line) => line.trim() !== '' && (isEmpty || indentOf(line) < indent));
  const own = length < 0 ? lines : lines.slice(0, length);
  // A tab before the text is no indentation.
  if (own.some((line) => line.trim() === '' && line.includes('\t'))) return undefined;
  const end = length < 0 ? text.length : start + own.reduce((sum, line) => sum + line.length + 1, 0);
  if (isEmpty) {
    // Spaces alone can be text, or kept line ends.
    return sign === '+' || digit !== undefined ? undefined : { value: '', end: Math.min(end, text.length) };
  }
  // Empty lines before the text may not be longer than its indentation.
  if (own.slice(0, own.indexOf(firstFull)).some((line) => line.length > indent)) return undefined;
  const content = own.map((line) => line.slice(indent));
  if (length < 0 && text.endsWith('\n')) content.pop();
  while (content.at(-1) === '') content.pop();
  const body = style === '|' ? content.join('\n') : fold(content);
  const trailing = own.length - content.length - (length < 0 ? 1 : 0);
  const last = sign === '-' ? '' : sign === '+' ? '\n'.repeat(1 + Math.max(trailing, 0)) : '\n';
  return { value: body + last, end };
}

/** Lines of the same indentation are joined; a line that is indented more keeps its line ends. */
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
