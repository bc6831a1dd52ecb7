import type { FindingLocation } from '../domain/finding.ts';
import { isPlainPath } from '../domain/path-patterns.ts';

/** A place in the repository for a link or an annotation. */
export interface Place {
  /** Relative and normalized, with forward slashes. */
  readonly path: string;
  /** Line numbers from 1. `end` is `start` or a later line. Undefined if only the file is known. */
  readonly lines: { readonly start: number; readonly end: number } | undefined;
}

/** GitHub reads line numbers as 32-bit integers. */
const LAST_LINE = 2 ** 31 - 1;

/**
 * Checks the place of a finding. Undefined if the path is absolute, not normalized or has invisible characters, or if
 * the lines are invalid. Such a finding is listed without a place.
 */
export function placeOf(location: FindingLocation | undefined): Place | undefined {
  if (location === undefined || !isPlainPath(location.path)) return undefined;
  const { path, startLine, endLine } = location;
  if (startLine === undefined) return endLine === undefined ? { path, lines: undefined } : undefined;
  const lines = { start: startLine, end: endLine ?? startLine };
  return isLine(lines.start) && isLine(lines.end) && lines.end >= lines.start ? { path, lines } : undefined;
}

function isLine(line: number): boolean {
  return Number.isInteger(line) && line >= 1 && line <= LAST_LINE;
}
