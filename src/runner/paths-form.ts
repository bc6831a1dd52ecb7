import type { FailOn } from '../domain/fail-on.ts';
import { matchesEverything, type PathPatterns, readPathPatterns } from '../domain/path-patterns.ts';
import { quote } from './input-forms.ts';

/**
 * Reads one pattern per line. If a pattern is invalid, reports the pattern, and returns a list that matches nothing.
 */
export function readPaths(given: string | undefined, fault: (sentence: string) => void): PathPatterns {
  const { patterns, slips } = readPathPatterns(given ?? '');
  for (const { pattern, sentence } of slips) {
    fault(pattern === undefined ? `is too long. ${sentence}` : `contains ${quote(pattern)}. ${sentence}`);
  }
  return patterns;
}

/**
 * Reads the paths whose findings never block. Patterns that match every file are an error if `fail-on` lets findings
 * block.
 */
export function readPathsExempt(
  given: string | undefined,
  failOn: FailOn,
  fault: (sentence: string) => void,
): PathPatterns {
  const patterns = readPaths(given, fault);
  if (failOn.rules.length === 0 || !matchesEverything(patterns)) return patterns;
  fault(
    'matches files of any name in any folder, so that no finding could block. Name folders or file types. To only report findings, set `fail-on` to `none`.',
  );
  return [];
}

/** Reads the paths that need no scan. Patterns that match every file are an error. */
export function readPathsUnscanned(
  given: string | undefined,
  fault: (sentence: string) => void,
): PathPatterns {
  const patterns = readPaths(given, fault);
  if (!matchesEverything(patterns)) return patterns;
  fault(
    'matches files of any name in any folder, so that no change would be scanned. Name folders or file types that need no scan.',
  );
  return [];
}
