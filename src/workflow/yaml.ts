import { err, ok, type Result } from '../domain/result.ts';
import { foldLines, hasUnclearLines, readBlockScalar, readQuoted, trimBlanks } from './scalars.ts';

/** A value in a YAML file. A scalar is a string, whatever its YAML type is. A missing value is an empty string. */
export type Yaml = string | readonly Yaml[] | ReadonlyMap<string, Yaml>;

/** Our choice: the most levels of nesting. Each level is a function call. Workflows have fewer than ten levels. */
const DEEPEST = 60;
/** Matches a key and its colon in a block mapping. A plain key ends at the first colon before white space. */
const KEY =
  /("(?:[^"\\\n]|\\.)*"[ \t]*|'(?:[^'\n]|'')*'[ \t]*|[^ \t\n\-?:,[\]{}#&*!|>'"%@`][^\n]*?|[-?][^ \t\n,[\]{}:][^\n]*?):(?=[ \t\n]|$)/y;
/** Matches the colon after a plain key in a flow mapping. In `{a :b}`, the colon is part of the key. */
const PLAIN_COLON = /:(?=[ \t\n,[\]{}])/y;
const DASH = /-(?=[ \n]|$)/y;
const DOCUMENT = /---(?=\n|$| +(?:#|\n|$))/y;
const ANCHOR = /&([^ \t\n,[\]{}]+)(?=[ \t\n]|$)/y;
const ALIAS = /\*([^ \t\n,[\]{}]+)/y;
const COMMENT = /(?<=^|[ \t\n])#[^\n]*/y;

/**
 * Reads the YAML of workflow files: mappings and lists in block and flow style, scalars, comments, anchors and aliases.
 * Does not support every form of them. YAML that this reader does not understand is an error, for example tags, merge
 * keys, keys that are not scalars, several documents, and anchors in flow style.
 */
export function readYaml(text: string): Result<Yaml, 'unreadable'> {
  const reader = new Reader(text);
  const value = reader.document();
  return reader.failed ? err('unreadable') : ok(value);
}

/** Moves through the text. After a failure it jumps to the end, so that no method reads further. */
class Reader {
  failed = false;
  private at = 0;
  private depth = 0;
  private readonly anchors = new Map<string, Yaml>();
  private readonly text: string;

  constructor(text: string) {
    this.text = text.replace(/^\uFEFF/, '').replace(/\r\n/g, '\n');
  }

  document(): Yaml {
    if (hasUnclearLines(this.text)) return this.fail();
    this.skip();
    if (this.column() === 0 && this.match(DOCUMENT) !== undefined) this.skip();
    if (/^(?:---|\.\.\.)(?:\s|$)/m.test(this.text.slice(this.at))) return this.fail();
    const value = this.isOver() ? '' : this.block(-1);
    this.skip();
    return this.isOver() ? value : this.fail();
  }

  /** Reads a value that begins on a line of its own or after a dash. The value has more indentation than `parent`. */
  private block(parent: number): Yaml {
    return this.nested(() => this.blockHere(parent));
  }

  private nested(read: () => Yaml): Yaml {
    if (this.depth > DEEPEST) return this.fail();
    this.depth += 1;
    const value = read();
    this.depth -= 1;
    return value;
  }

  private blockHere(parent: number): Yaml {
    const column = this.column();
    if (this.looksAt(DASH)) return this.list(column);
    if (this.looksAt(KEY)) return this.mapping(column);
    return this.value(parent, false);
  }

  private list(column: number): Yaml {
    const items: Yaml[] = [];
    while (this.isAt(column) && this.match(DASH) !== undefined) {
      this.skip();
      items.push(this.column() > column && !this.isOver() ? this.block(column) : '');
      this.skip();
    }
    return items;
  }

  private mapping(column: number): Yaml {
    const members = new Map<string, Yaml>();
    while (this.isAt(column)) {
      if (this.looksAt(DASH)) break;
      const key = this.key();
      if (key === undefined || key === '<<' || members.has(key)) return this.fail();
      members.set(key, this.value(column, true));
      this.skip();
    }
    return members;
  }

  private key(): string | undefined {
    const found = this.match(KEY)?.[1];
    if (found === undefined) return undefined;
    const key = trimBlanks(found);
    if (/^["']/.test(key)) return readQuoted(key);
    return /[ \t]#/.test(key) ? undefined : key;
  }

  /** Reads the value after a colon or a dash. On a line below, only a list may have the indentation of the key. */
  private value(parent: number, isMember: boolean): Yaml {
    if (this.depth > DEEPEST) return this.fail();
    const line = this.line();
    this.skip();
    const anchor = this.line() === line ? this.match(ANCHOR)?.[1] : undefined;
    if (anchor !== undefined) this.skip();
    if (anchor !== undefined && this.peek() === '&') return this.fail();
    const value = this.line() === line ? this.inline(parent) : this.below(parent, isMember);
    if (anchor !== undefined) this.anchors.set(anchor, value);
    return value;
  }

  private below(parent: number, isMember: boolean): Yaml {
    const column = this.column();
    const isList = isMember && column === parent && this.looksAt(DASH);
    if (this.isOver() || (column <= parent && !isList)) return '';
    return this.block(isList ? parent - 1 : parent);
  }

  private inline(parent: number): Yaml {
    switch (this.peek()) {
      case '':
        return '';
      case '|':
      case '>':
        return this.blockScalar(parent);
      case '[':
      case '{':
      case '"':
      case "'":
      case '*': {
        const value = this.flow();
        this.endLine();
        return value;
      }
      default:
        return this.plain(parent);
    }
  }

  private blockScalar(parent: number): Yaml {
    const read = readBlockScalar(this.text, this.at, parent);
    if (read === undefined) return this.fail();
    this.at = read.end;
    return read.value;
  }

  /** Reads a plain scalar with its continuation lines. */
  private plain(parent: number): Yaml {
    const lines: string[] = [];
    for (let isMore = true; isMore; ) {
      const found = this.match(/[^\n]*/y)?.[0] ?? '';
      const content = found.replace(/(?:^|[ \t])#.*$/, '');
      const line = trimBlanks(content);
      if (/:(?:[ \t]|$)/.test(line)) return this.fail();
      lines.push(line);
      isMore = content === found && this.continues(parent, lines);
    }
    const text = foldLines(lines);
    return /^[,[\]{}#&*!|>'"%@`]|^[-?:](?:[ \t\n]|$)/.test(text) ? this.fail() : text;
  }

  /** Moves to the next line with text if the scalar includes that line. Adds the empty lines before it to `lines`. */
  private continues(parent: number, lines: string[]): boolean {
    const [all = '', indent = ''] = this.match(/(?:[ \t]*\n)*( *)/y, false) ?? [];
    const next = this.text[this.at + all.length] ?? '';
    if (!all.includes('\n') || indent.length <= parent || /^[# \t\n]?$/.test(next)) return false;
    for (let breaks = all.split('\n').length - 2; breaks > 0; breaks -= 1) lines.push('');
    this.at += all.length;
    return true;
  }

  /** Reads a value in flow style, or an alias. Both can extend over several lines. */
  private flow(): Yaml {
    return this.nested(() => this.flowHere());
  }

  private flowHere(): Yaml {
    switch (this.peek()) {
      case '[':
        return this.flowList();
      case '{':
        return this.flowMapping();
      case '"':
      case "'":
        return this.quoted();
      case '*':
        return this.anchors.get(this.match(ALIAS)?.[1] ?? '') ?? this.fail();
      default:
        return this.flowPlain();
    }
  }

  private flowList(): Yaml {
    const items: Yaml[] = [];
    this.at += 1;
    for (this.skip(); this.peek() !== ']'; this.skip()) {
      items.push(this.flow());
      this.skip();
      if (this.peek() === ',') this.at += 1;
      else if (this.peek() !== ']') return this.fail();
    }
    this.at += 1;
    return items;
  }

  private flowMapping(): Yaml {
    const members = new Map<string, Yaml>();
    this.at += 1;
    for (this.skip(); this.peek() !== '}'; this.skip()) {
      const colon = /["']/.test(this.peek()) ? /:/y : PLAIN_COLON;
      const key = colon === PLAIN_COLON ? this.flowPlain() : this.quoted();
      this.skip();
      if (typeof key !== 'string' || key === '<<' || members.has(key)) return this.fail();
      if (this.match(colon) === undefined) return this.fail();
      this.skip();
      members.set(key, /[,}]/.test(this.peek()) ? '' : this.flow());
      this.skip();
      if (this.peek() === ',') this.at += 1;
      else if (this.peek() !== '}') return this.fail();
    }
    this.at += 1;
    return members;
  }

  private flowPlain(): Yaml {
    const found =
      this.match(/(?:[^ \t\n,[\]{}:#]|:(?![ \t\n,[\]{}])|(?<![ \t\n])#|[ \t]+(?![ \t\n#,[\]{}:]))+/y)?.[0] ??
      '';
    if (found === '' || /^[#&*!|>'"%@`]|^[-?](?:[ \t]|$)/.test(found)) return this.fail();
    // In brackets, a scalar that continues on the next line is refused: it is rare, and hard to tell from a mistake.
    return /^[ \t]*\n[ \t\n]*[^ \t\n,[\]{}:#]/.test(this.text.slice(this.at, this.at + 200))
      ? this.fail()
      : found;
  }

  private quoted(): Yaml {
    const found = this.match(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'/y)?.[0];
    return found === undefined ? this.fail() : (readQuoted(found) ?? this.fail());
  }

  /** Fails if anything but a comment follows on this line. */
  private endLine(): void {
    const line = this.line();
    this.skip();
    if (!this.isOver() && this.line() === line) this.fail();
  }

  /** Skips spaces, line ends and comments. Fails if there is a tab in the indentation. */
  private skip(): void {
    for (;;) {
      this.match(/[ \n]+|(?<=[^ \t\n][ \t]*)\t+/y);
      if (this.peek() === '\t') this.fail();
      if (this.match(COMMENT) === undefined && !/[ \n]/.test(this.peek())) return;
    }
  }

  private isAt(column: number): boolean {
    return !this.isOver() && this.column() === column;
  }

  private isOver(): boolean {
    return this.at >= this.text.length;
  }

  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private column(): number {
    return this.at - this.text.lastIndexOf('\n', this.at - 1) - 1;
  }

  /** Returns the start of the current line. */
  private line(): number {
    return this.at - this.column();
  }

  private looksAt(pattern: RegExp): boolean {
    return this.match(pattern, false) !== undefined;
  }

  private match(pattern: RegExp, moves = true): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (moves && found !== undefined) this.at += found[0].length;
    return found;
  }

  private fail(): Yaml {
    this.failed = true;
    this.at = this.text.length;
    return '';
  }
}
