import type { Answer } from '../faults/interception.ts';
import { isObject, type JsonObject } from '../json.ts';
import { invalidRequest, validationFailed } from './answer.ts';

/** An annotation that passed the checks of GitHub. */
export interface StoredAnnotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly start_column: number | null;
  readonly end_column: number | null;
  readonly annotation_level: 'notice' | 'warning' | 'failure';
  readonly message: string;
  readonly title: string | null;
  readonly raw_details: string | null;
}

/** GitHub documents: "The Checks API limits the number of annotations to a maximum of 50 per API request." */
const MOST_ANNOTATIONS = 50;
/** GitHub documents: "The maximum size is 255 characters" (title) and "64 KB" (message, raw_details). */
const LONGEST_TITLE = 255;
const LARGEST_TEXT_BYTES = 64 * 1024;
const LEVELS = ['notice', 'warning', 'failure'] as const;
const REQUIRED = ['path', 'start_line', 'end_line', 'annotation_level', 'message'];

/**
 * Reads the `annotations` in the output of a check run. Checks them like GitHub, which answers 422 for invalid
 * annotations.
 */
export function readAnnotations(value: unknown): readonly StoredAnnotation[] | { readonly refusal: Answer } {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    return {
      refusal: invalidRequest(`For 'properties/annotations', ${JSON.stringify(value)} is not an array.`),
    };
  }
  if (value.length > MOST_ANNOTATIONS) {
    const problem = `No more than ${MOST_ANNOTATIONS} items are allowed; ${value.length} were supplied.`;
    return { refusal: invalidRequest(problem) };
  }
  const problems = value.flatMap((item: unknown) =>
    isObject(item) ? schemaProblems(item) : [`For 'items', ${JSON.stringify(item)} is not an object.`],
  );
  if (problems.length > 0) return { refusal: invalidRequest(...problems) };
  const read = value.map((item: unknown) => (isObject(item) ? toStored(item) : undefined));
  const stored = read.filter((annotation) => annotation !== undefined);
  if (stored.length < read.length || !stored.every(keepsRules)) {
    return { refusal: validationFailed({ resource: 'CheckRun', code: 'invalid', field: 'annotations' }) };
  }
  return stored;
}

function schemaProblems(item: JsonObject): string[] {
  const missing = REQUIRED.filter((name) => item[name] === undefined).map((name) => `"${name}"`);
  const problems =
    missing.length === 0
      ? []
      : [`${missing.join(', ')} ${missing.length === 1 ? "wasn't" : "weren't"} supplied.`];
  const expect = (names: readonly string[], kind: string, fits: (value: unknown) => boolean) => {
    for (const name of names) {
      const value = item[name];
      if (value !== undefined && !fits(value)) {
        problems.push(`For 'properties/${name}', ${JSON.stringify(value)} is not ${kind}.`);
      }
    }
  };
  expect(['start_line', 'end_line', 'start_column', 'end_column'], 'an integer', Number.isInteger);
  expect(['path', 'message', 'title', 'raw_details'], 'a string', (value) => typeof value === 'string');
  const level = item['annotation_level'];
  if (level !== undefined && !LEVELS.some((known) => known === level)) {
    problems.push(`${JSON.stringify(level)} is not a member of ${JSON.stringify(LEVELS)}.`);
  }
  return problems;
}

function toStored(item: JsonObject): StoredAnnotation | undefined {
  const { path, start_line, end_line, message } = item;
  const level = LEVELS.find((known) => known === item['annotation_level']);
  if (typeof path !== 'string' || typeof message !== 'string' || level === undefined) return undefined;
  if (typeof start_line !== 'number' || typeof end_line !== 'number') return undefined;
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    path,
    start_line,
    end_line,
    start_column: number(item['start_column']),
    end_column: number(item['end_column']),
    annotation_level: level,
    message,
    title: text(item['title']),
    raw_details: text(item['raw_details']),
  };
}

function keepsRules(annotation: StoredAnnotation): boolean {
  const { path, start_line, end_line, start_column, end_column, message, title, raw_details } = annotation;
  const segments = path.split('/');
  const hasColumn = start_column !== null || end_column !== null;
  return (
    path !== '' &&
    !path.startsWith('/') &&
    !segments.includes('..') &&
    start_line >= 1 &&
    end_line >= start_line &&
    !(hasColumn && start_line !== end_line) &&
    message !== '' &&
    Buffer.byteLength(message) <= LARGEST_TEXT_BYTES &&
    Buffer.byteLength(raw_details ?? '') <= LARGEST_TEXT_BYTES &&
    (title ?? '').length <= LONGEST_TITLE
  );
}
