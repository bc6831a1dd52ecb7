import * as v from 'valibot';
import type { ListEntry } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** Our choice: the maximum length of an id, in characters. */
const LONGEST_ID = 256;

/**
 * True if the text has 1 to 256 characters, is well-formed Unicode and contains no control character. False for `.` and
 * `..`, because they would change the path of a request.
 */
export function isUsableId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== '.' &&
    value !== '..' &&
    value.isWellFormed() &&
    !/\p{Cc}/u.test(value) &&
    (value.length <= LONGEST_ID || [...value].length <= LONGEST_ID)
  );
}

/**
 * Encodes an id as one segment of a path.
 * @throws if the id is unusable; callers check foreign ids first
 */
export function pathSegment(id: string): string {
  if (!isUsableId(id)) throw new Error('an unusable id was about to become part of an address');
  return encodeURIComponent(id);
}

export type ForeignRecord = Readonly<Record<string, unknown>>;

/** True for an object that is not a list. */
export function isRecord(value: unknown): value is ForeignRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the value of a member. Returns undefined if it does not accept the value. */
export type Reader<T> = (value: unknown) => T | undefined;

/**
 * Returns the value at the first candidate whose value the reader accepts.
 *
 * A candidate is the path of a member, such as `project.id`. A `0` in the path is the first entry of a list. Inherited
 * members do not count.
 */
export function firstOf<T>(record: unknown, candidates: readonly string[], read: Reader<T>): T | undefined {
  for (const candidate of candidates) {
    const value = read(at(record, candidate));
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * Caches how each path is split at the dots, because ten thousand findings use the same paths. The cache stays small,
 * because all paths come from our code.
 */
const MEMBERS = new Map<string, readonly string[]>();

function membersOf(path: string): readonly string[] {
  const members = MEMBERS.get(path) ?? path.split('.');
  MEMBERS.set(path, members);
  return members;
}

function at(record: unknown, path: string): unknown {
  let value = record;
  for (const member of membersOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = Reflect.get(value, member);
  }
  return value;
}

/** Accepts a string that is not empty. */
export const text: Reader<string> = (value) =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Reads an enum value of the service. Returns it in upper case. */
export const word: Reader<string> = (value) => text(value)?.toUpperCase();

/** Accepts a full or abbreviated commit id. Returns it in lower case. */
export const commitId: Reader<string> = (value) => {
  const id = text(value);
  return id !== undefined && /^[0-9a-f]{7,64}$/i.test(id) ? id.toLowerCase() : undefined;
};

/**
 * Reads a CWE number from the text `CWE-78` or `78`, or from the number 78. A text may end with the name of the
 * weakness.
 */
export const cweNumber: Reader<number> = (value) => {
  const digits = /^(?:CWE[- ]?)?([1-9]\d{0,4})(?![\w.])/i.exec(
    typeof value === 'number' ? String(value) : (text(value) ?? ''),
  )?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** Accepts an integer of at least `least`. */
export function whole(least: number): Reader<number> {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** Returns a share as a number from 0 to 1. The service may also write the share as a number from 0 to 100. */
export const share: Reader<number> = (value) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 100)) return undefined;
  return value <= 1 ? value : value / 100;
};

/** Reads the ids in a list of strings or of records with an `id`. Leaves out entries that are neither. */
export const ids: Reader<readonly string[]> = (value) =>
  Array.isArray(value)
    ? value.flatMap((item: unknown) => text(item) ?? firstOf(item, ['id'], text) ?? [])
    : undefined;

/** The decoded value, or an error that says which member does not match the contract. */
export type Decoded<T> = Result<T, string>;

/**
 * Validates a body, or the value at `place` in the body. The error names a member, and never contains received text.
 */
export function decode<const S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  place = '',
): Decoded<v.InferOutput<S>> {
  const result = v.safeParse(schema, json, { abortEarly: true });
  if (result.success) return ok(result.output);
  const [issue] = result.issues;
  const member = [place, v.getDotPath(issue)].filter(Boolean).join('.') || 'body';
  if (issue.received === 'undefined') return err(`\`${member}\` is missing`);
  const wanted = issue.kind === 'schema' && issue.type !== 'custom' ? issue.expected : issue.message;
  return err(`\`${member}\` is not ${wanted}`);
}

/**
 * Parses each entry of the list by itself, so that one malformed entry does not make the whole list invalid.
 * `readable` reads the valid members of a malformed entry, and must accept any record.
 */
export function decodeEntries<Entry extends object>(
  json: unknown,
  list: string,
  schema: v.GenericSchema<unknown, Entry>,
  readable: v.GenericSchema<unknown, { readonly [Member in keyof Entry]?: Entry[Member] | undefined }>,
): Decoded<readonly ListEntry<Entry>[]> {
  const decoded = decode(v.object({ [list]: v.array(v.unknown()) }), json);
  if (!decoded.ok) return decoded;
  return ok(
    (decoded.value[list] ?? []).map((item, index) => {
      const entry = decode(schema, item, `${list}.${index}`);
      if (entry.ok) return entry.value;
      const shown = v.safeParse(readable, item);
      return { fault: entry.error, readable: shown.success ? shown.output : {} };
    }),
  );
}
