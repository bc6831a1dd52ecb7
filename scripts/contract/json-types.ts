/** A name and the JSON types of its value. The list is empty if the types are unknown. */
export interface Typed {
  readonly name: string;
  readonly types: readonly string[];
}

/**
 * True if the two names have a type in common. Unknown types count as a match, and an integer is also a
 * number.
 */
export function mayBe(ours: Typed, theirs: Typed): boolean {
  const plain = (types: readonly string[]) => types.map((type) => (type === 'integer' ? 'number' : type));
  const isUnknown = ours.types.length === 0 || theirs.types.length === 0;
  return isUnknown || plain(ours.types).some((type) => plain(theirs.types).includes(type));
}
