export type ForeignRecord = Readonly<Record<string, unknown>>;

/** An object, but no list. */
export function isRecord(value: unknown): value is ForeignRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads one member; undefined means "not this one". */
export type Reader<T> = (value: unknown) => T | undefined;

/** The first of the candidates, each a dotted path of own members (`0` is a list's first), that the reader accepts. */
export function firstOf<T>(record: unknown, candidates: readonly string[], read: Reader<T>): T | undefined {
  for (const candidate of candidates) {
    const value = read(at(record, candidate));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The different values of all candidates that the reader accepts, in the order of the candidates. */
export function allOf<T>(record: unknown, candidates: readonly string[], read: Reader<T>): T[] {
  const values = candidates.map((candidate) => read(at(record, candidate)));
  return [...new Set(values.filter((value) => value !== undefined))];
}

/** The members of each candidate. They are ours, so there are few, and the same ones for ten thousand findings. */
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

/** A text that is not empty. */
export const text: Reader<string> = (value) =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A text in upper case, for the service's enum values. */
export const word: Reader<string> = (value) => text(value)?.toUpperCase();

/** A commit id, possibly abbreviated; a branch name in its place is not one. */
export const commitId: Reader<string> = (value) => {
  const id = text(value);
  return id !== undefined && /^[0-9a-f]{7,64}$/i.test(id) ? id.toLowerCase() : undefined;
};

/** The number of a weakness, written as `CWE-78`, `78` or 78, perhaps with its name after it. */
export const cweNumber: Reader<number> = (value) => {
  const digits = /^(?:CWE[- ]?)?([1-9]\d{0,4})(?![\w.])/i.exec(
    typeof value === 'number' ? String(value) : (text(value) ?? ''),
  )?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** A whole number of at least `least`. */
export function whole(least: number): Reader<number> {
  return (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** A share as 0..1, whether it was written as 0..1 or as 0..100. */
export const share: Reader<number> = (value) => {
  if (typeof value !== 'number' || !(value >= 0 && value <= 100)) return undefined;
  return value <= 1 ? value : value / 100;
};

/** A list of texts; of records, their `id`. What is neither is left out. */
export const ids: Reader<readonly string[]> = (value) =>
  Array.isArray(value)
    ? value.flatMap((item: unknown) => text(item) ?? firstOf(item, ['id'], text) ?? [])
    : undefined;
