import { hasInvisible } from '../text/visible-text.ts';
import { err, ok, type Result } from './result.ts';

/** One pattern with the syntax of the `paths:` filter of a workflow. */
export interface PathPattern {
  /** As the user wrote it. */
  readonly text: string;
  /** True if the pattern begins with `!`. It excludes paths that a pattern before it matched. */
  readonly takesBack: boolean;
  readonly tokens: readonly Token[];
}

/**
 * - `run`: `**`, which matches any characters.
 * - `name-run`: `*`, which matches any characters except `/`.
 * - `folders`: `**` with a slash after it, at the start of a name. Matches any number of whole folders.
 * - `one`: matches one of the listed characters.
 */
type Token =
  | { readonly kind: 'run' | 'name-run' | 'folders' }
  | {
      readonly kind: 'one';
      readonly chars: readonly Range[];
      readonly optional: boolean;
      readonly repeats: boolean;
    };

/** The first and the last character of a range, inclusive. */
type Range = readonly [first: string, last: string];

const LONGEST_PATTERN = 500;

/** Parses one pattern. The error says in full sentences what is wrong or what to write. */
function parsePathPattern(given: string): Result<PathPattern, string> {
  const takesBack = given.startsWith('!');
  const text = takesBack ? given.slice(1) : given;
  const slip = slipOf(text);
  if (slip !== undefined) return err(slip);
  const tokens = tokensOf([...text]);
  return tokens.ok ? ok({ text: given, takesBack, tokens: tokens.value }) : tokens;
}

const WIDTH = { 'name-run': 1, run: 2, folders: 3 } as const;

/** Common mistakes. Each sentence says what to write instead. Only the first mistake is reported. */
const SLIPS: readonly (readonly [found: Pick<RegExp, 'test'>, sentence: string])[] = [
  [/^$/, 'Write a pattern after `!`.'],
  [/^!/, 'Use one `!`. For a name that begins with `!`, write `\\!`.'],
  [new RegExp(`^.{${LONGEST_PATTERN + 1},}`, 'su'), `Use at most ${LONGEST_PATTERN} characters.`],
  // A path with such a character can look like another path.
  [{ test: hasInvisible }, 'Remove the invisible character.'],
  [/^\s|\s$/u, 'Remove the space after `!`.'],
  [/^- /, 'Write one pattern per line, without `- `.'],
  [/^['"]|(?<!\\)['"]$/, 'Remove the quotation marks.'],
  [/^#|\s#/, 'Remove the comment. For a `#` in a name, write `\\#`.'],
  [/(?<!\\),/, 'Write one pattern per line. For a comma in a name, write `\\,`.'],
  [
    /(?<!\\)[{}]/,
    'Write one pattern per line instead of `{…}`. For a brace in a name, write `\\{` or `\\}`.',
  ],
  [/\\$/, 'Remove the `\\` at the end.'],
  // Refuses `docs\*.md`, because the user probably means the folder separator of Windows. If the name of a file
  // contains an asterisk, `*` matches it.
  [
    /\\[^*?+[\]!#,{}'"]|[^\\/]\\\*(?:[*.]|$)/,
    'Use `/` between folders. A `\\` may only stand before one of `* ? + [ ] ! # , { } \' "`.',
  ],
  [/^[a-z]:/i, 'Begin at the root of the repository, without a drive.'],
  [/^\//, 'Remove the `/` at the start. Patterns begin at the root of the repository.'],
  [/\/$/, 'For all files in a folder, end the pattern with `/**`.'],
  [/\/\//, 'Remove the empty folder name (`//`).'],
  [/(?:^|\/)\.\.?(?:\/|$)/, 'Remove `./` and `../`. Patterns begin at the root of the repository.'],
  [/(?<!\\)\*\*\*/, 'Use `*` for a part of one name, or `**` for any path.'],
];

function slipOf(text: string): string | undefined {
  return SLIPS.find(([found]) => found.test(text))?.[1];
}

function tokensOf(chars: readonly string[]): Result<readonly Token[], string> {
  const tokens: Token[] = [];
  let at = 0;
  for (let char = chars[0]; char !== undefined; char = chars[at]) {
    const rest = chars.slice(at + 1, at + 3).join('');
    if (char === '*') {
      const isStart = at === 0 || chars[at - 1] === '/';
      const kind: keyof typeof WIDTH = !rest.startsWith('*')
        ? 'name-run'
        : rest === '*/' && isStart
          ? 'folders'
          : 'run';
      tokens.push({ kind });
      at += WIDTH[kind];
      continue;
    }
    if (char === '?' || char === '+') return err(NOTHING_BEFORE);
    if (char === ']') return err('Open the set with `[`. For a bracket in a name, write `\\]`.');
    let ranges: readonly Range[] = [[char, char]];
    let next = at + 1;
    const escaped = char === '\\' ? chars[next] : undefined;
    if (escaped !== undefined) {
      ranges = [[escaped, escaped]];
      next += 1;
    } else if (char === '[') {
      const end = chars.indexOf(']', at);
      if (end === -1) return err('Close the set with `]`. For a bracket in a name, write `\\[`.');
      const set = rangesOf(chars.slice(at + 1, end).join(''));
      if (set === undefined) return err(SET_FORM);
      ranges = set;
      next = end + 1;
    }
    const mark = chars[next];
    const isMarked = mark === '?' || mark === '+';
    if (isMarked && char === '/') return err(NOTHING_BEFORE);
    tokens.push({ kind: 'one', chars: ranges, optional: mark === '?', repeats: mark === '+' });
    at = isMarked ? next + 1 : next;
  }
  return ok(tokens);
}

const NOTHING_BEFORE =
  'A `?` or `+` repeats the character before it, and needs a letter, a digit or a set there. `?` is zero or one of it, `+` is one or more. For any characters, write `*`. For a `?` or `+` in a name, write `\\?` or `\\+`.';
const SET_FORM =
  'A set has letters, digits and their ranges, for example `[a-z0-9]`. For a bracket in a name, write `\\[` and `\\]`.';

/**
 * Parses the ranges of a set, such as `a-z0-9`. Returns undefined for a set of a different form. GitHub does not
 * document what such a set matches, and tools disagree.
 */
function rangesOf(set: string): readonly Range[] | undefined {
  if (!/^(?:[a-z](?:-[a-z])?|[A-Z](?:-[A-Z])?|[0-9](?:-[0-9])?)+$/.test(set)) return undefined;
  const ranges = [...set.matchAll(/.-.|./g)].map(([range]): Range => [range.charAt(0), range.slice(-1)]);
  return ranges.every(([first, last]) => first <= last) ? ranges : undefined;
}

/**
 * True if the pattern matches the whole path. A leading `!` does not invert the result.
 *
 * `!src` also matches everything in the folder `src`, because users probably mean the folder. If `!src` meant only a
 * file, findings in the folder would not block, or its files would not be scanned. A pattern that ends in `*` has no
 * such additional matches.
 *
 * All possible matches are followed at once. The time grows at most with the length of the path times the length of the
 * pattern.
 */
function matchesPattern({ tokens, takesBack }: PathPattern, path: string): boolean {
  const orBelow = takesBack && tokens.at(-1)?.kind === 'one';
  // The indexes of the tokens that can match the next character.
  let live = withSkipped(tokens, new Set([0]), true);
  for (const char of path) {
    if (orBelow && char === '/' && live.has(tokens.length)) return true;
    const next = new Set<number>();
    for (const index of live) {
      const token = tokens[index];
      if (token === undefined) continue;
      const stays = token.kind === 'one' ? token.repeats : token.kind !== 'name-run' || char !== '/';
      const takes =
        token.kind !== 'one' || token.chars.some(([first, last]) => first <= char && char <= last);
      if (takes && stays) next.add(index);
      if (takes && token.kind === 'one') next.add(index + 1);
    }
    if (next.size === 0) return false;
    live = withSkipped(tokens, next, char === '/');
  }
  return live.has(tokens.length);
}

/**
 * Completes `live`. A token such as `*` may already be at its end, so the token after it can also match the next
 * character. A `folders` token can end only at the start of a name.
 */
function withSkipped(tokens: readonly Token[], live: Set<number>, atStart: boolean): ReadonlySet<number> {
  // The loop also visits the indexes that it adds to the set.
  for (const index of live) {
    const token = tokens[index];
    if (token === undefined) continue;
    const isOver = token.kind === 'folders' ? atStart : token.kind !== 'one' || token.optional;
    if (isOver) live.add(index + 1);
  }
  return live;
}

/** Makes a path that the pattern matches. Writes `name` in place of `*` and `**`, and leaves out a `folders` token. */
function sampleOf({ tokens }: PathPattern, name: string): string {
  const pieces = tokens.map((token) =>
    token.kind === 'one' ? token.chars.flat()[0] : token.kind === 'folders' ? '' : name,
  );
  return pieces.join('');
}

/** Patterns in the order in which the user wrote them. */
export type PathPatterns = readonly PathPattern[];

/** A pattern that cannot be used. */
export interface PatternSlip {
  /** The pattern as the user wrote it. Undefined if the problem concerns the whole list. */
  readonly pattern: string | undefined;
  /** Says in full sentences what is wrong or what to write. */
  readonly sentence: string;
}

export interface PatternReading {
  /** Empty if the list has a mistake. It then matches no path. */
  readonly patterns: PathPatterns;
  readonly slips: readonly PatternSlip[];
}

/** The most patterns of an input. Our choice. Every path is compared with all patterns, which takes time. */
const MOST_PATTERNS = 200;
/** The longest path that git can check out. Linux calls this limit PATH_MAX. */
const LONGEST_PATH = 4096;

/** Reads one pattern per line, and skips empty lines. */
export function readPathPatterns(text: string): PatternReading {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const patterns: PathPattern[] = [];
  const slips: PatternSlip[] = [];
  for (const line of lines) {
    const read = parsePathPattern(line);
    if (read.ok) patterns.push(read.value);
    else slips.push({ pattern: line, sentence: read.error });
  }
  if (lines.length > MOST_PATTERNS) {
    slips.push({ pattern: undefined, sentence: `Use at most ${MOST_PATTERNS} patterns.` });
  }
  if (slips.length === 0 && patterns[0]?.takesBack === true) {
    slips.push({
      pattern: lines[0],
      sentence: 'Write a pattern without `!` before it. `!` takes back what an earlier line matched.',
    });
  }
  return { patterns: slips.length === 0 ? patterns : [], slips };
}

/** True if the last pattern that matches the path has no `!`. False if `isPlainPath` is false. */
export function matchesPath(patterns: PathPatterns, path: string): boolean {
  if (!isPlainPath(path)) return false;
  return patterns.findLast((pattern) => matchesPattern(pattern, path))?.takesBack === false;
}

/**
 * True if the path is relative, has forward slashes and is at most 4096 characters long. No name in it may be empty,
 * `.` or `..`, and no character may be invisible.
 */
export function isPlainPath(path: string): boolean {
  return pathFault(path) === undefined;
}

/** Says why a path is not plain, as a predicate, for example `is absolute`. Undefined if the path is plain. */
export function pathFault(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > LONGEST_PATH) return `has more than ${LONGEST_PATH} characters`;
  if (/^(?:[a-z]:|[/\\])/i.test(path)) return 'is absolute';
  if (path.includes('\\')) return 'has backslashes';
  if (hasInvisible(path)) return 'has an invisible character';
  const names = path.split('/');
  if (names.includes('..')) return 'leads to a parent folder';
  return names.includes('.') || names.includes('') ? 'is not normalized' : undefined;
}

/**
 * True if the patterns probably match all files. Tests an unlikely path, and one sample path for each pattern. A sample
 * path shows whether a pattern with `!` excludes files.
 */
export function matchesEverything(patterns: PathPatterns): boolean {
  const samples = patterns.map((pattern) => sampleOf(pattern, 'qxz')).filter(isPlainPath);
  return [ANY_FILE, ...samples].every((path) => matchesPath(patterns, path));
}

const ANY_FILE = 'qxz/qxz/qxz/qxz.qxz';

/**
 * True if the patterns probably match all files with this extension. Tests two unlikely paths, and two sample paths for
 * each pattern.
 */
export function matchesExtension(patterns: PathPatterns, extension: string): boolean {
  const name = `qxz.${extension}`;
  const samples = patterns
    .flatMap((pattern) => [sampleOf(pattern, name), `${sampleOf(pattern, 'qxz')}/${name}`])
    .filter((path) => path.endsWith(`.${extension}`) && isPlainPath(path));
  return [name, `qxz/qxz/qxz/${name}`, ...samples].every((path) => matchesPath(patterns, path));
}
