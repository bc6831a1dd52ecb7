import type { Name } from '../../sandbox/contract/names.ts';

/** A member of a body. */
export interface Member {
  /** The JSON types of its value. Empty if they are unknown. */
  readonly types: readonly string[];
  /** False if the contract documents the member. */
  readonly assumed: boolean;
  /** The enum values of the member. The value is false if the contract documents it. */
  readonly values: Map<string, boolean>;
}

/** The members of a body, keyed by their path: `items[].id`. An outer member comes before its inner members. */
export type Members = ReadonlyMap<string, Member>;

export function membersOf(names: readonly Name[]): Members {
  const members = new Map<string, Member>();
  for (const { at, word, types, assumed } of names) {
    const path = at.join('.').replaceAll('.[]', '[]');
    const known = members.get(path);
    if (word !== undefined) known?.values.set(word, assumed !== undefined);
    else if (known === undefined)
      members.set(path, { types, assumed: assumed !== undefined, values: new Map() });
    else members.set(path, { ...known, types: [...new Set([...known.types, ...types])] });
  }
  return members;
}

/** The path of the record that holds the member: `items[]` for `items[].id`. Empty if that is the body itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** The path of the member whose value is the record that holds the member: `items` for `items[].id`. */
export function recordOf(path: string): string {
  return parentOf(path).replace(/(?:\[\])+$/, '');
}

/**
 * True if the two lists of JSON types have a type in common. Unknown types count as a match, and an integer is also a
 * number.
 */
export function mayBe(ours: readonly string[], theirs: readonly string[]): boolean {
  const plain = (types: readonly string[]) => types.map((type) => (type === 'integer' ? 'number' : type));
  return ours.length === 0 || theirs.length === 0 || plain(ours).some((type) => plain(theirs).includes(type));
}
