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

/** Returns the different values that the reader accepts, in the order of the candidates. */
export function allOf<T>(record: unknown, candidates: readonly string[], read: Reader<T>): T[] {
  const values = candidates.map((candidate) => read(at(record, candidate)));
  return [...new Set(values.filter((value) => value !== undefined))];
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
