import { INVISIBLE, matchesPattern, type PathPattern, parsePathPattern, sampleOf } from './path-pattern.ts';

/** A list of patterns, in the order of the workflow. */
export type PathPatterns = readonly PathPattern[];

/** A pattern that cannot be used. */
export interface PatternSlip {
  /** Undefined: the whole list. */
  readonly pattern: string | undefined;
  /** What is wrong, or what to write: sentences that stand alone. */
  readonly sentence: string;
}

export interface PatternReading {
  /** Empty where there is a slip, so that a slip never matches a path. */
  readonly patterns: PathPatterns;
  readonly slips: readonly PatternSlip[];
}

/** Chosen: every path is compared with all of them. */
const MOST_PATTERNS = 200;
/** Linux's PATH_MAX: git checks out nothing longer. */
const LONGEST_PATH = 4096;

/** Reads one pattern per line. Empty lines are skipped. */
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

/** The last pattern that matches decides. A path that does not lead from the root straight to a file never matches. */
export function matchesPath(patterns: PathPatterns, path: string): boolean {
  if (patterns.length === 0 || !isPlainPath(path)) return false;
  return patterns.findLast((pattern) => matchesPattern(pattern, path))?.takesBack === false;
}

/** Relative, with forward slashes, without `.`, `..`, empty or invisible names. */
export function isPlainPath(path: string): boolean {
  if (path === '' || path.length > LONGEST_PATH) return false;
  if (/^[a-z]:|\\/i.test(path) || INVISIBLE.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/**
 * Does the list match files of any name in any folder, and take none of them back? One path of made-up names stands for
 * all, as no list names them. A path of each pattern is tried too, as a later one may take it back.
 */
export function matchesEverything(patterns: PathPatterns): boolean {
  const samples = patterns.map((pattern) => sampleOf(pattern, 'qxz')).filter(isPlainPath);
  return [ANY_FILE, ...samples].every((path) => matchesPath(patterns, path));
}

const ANY_FILE = 'qxz/qxz/qxz/qxz.qxz';
