import type { FindingLocation } from '../domain/finding.ts';
import { isPlainPath } from '../domain/path-patterns.ts';

/** A place in the repository that GitHub can be shown. */
export interface Place {
  /** Relative, normalized, with forward slashes. */
  readonly path: string;
  /** 1-based, end at or after start; undefined where only the file is known. */
  readonly lines: { readonly start: number; readonly end: number } | undefined;
}

/** GitHub reads line numbers as 32-bit integers. */
const LAST_LINE = 2 ** 31 - 1;

/**
 * The place of a finding, or undefined: an absolute path, one that is not normalized, one with characters
 * that cannot be seen, or lines that are no lines, is not pointed at. Such a finding is listed without a place.
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
