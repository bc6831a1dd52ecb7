import { INVISIBLE, matchesPattern, type PathPattern, parsePathPattern, sampleOf } from './path-pattern.ts';

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
  if (patterns.length === 0 || !isPlainPath(path)) return false;
  return patterns.findLast((pattern) => matchesPattern(pattern, path))?.takesBack === false;
}

/**
 * True if the path is relative, has forward slashes and is at most 4096 characters long. No name in it may be empty,
 * `.` or `..`, and no character may be invisible.
 */
export function isPlainPath(path: string): boolean {
  if (path === '' || path.length > LONGEST_PATH) return false;
  if (/^[a-z]:|\\/i.test(path) || INVISIBLE.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
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
