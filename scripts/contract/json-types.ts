/** A name with the JSON types of what it names; no types: nothing is said of them. */
export interface Typed {
  readonly name: string;
  readonly types: readonly string[];
}

/** May the one be the other, as far as their types are known? A whole number is a number. */
export function mayBe(ours: Typed, theirs: Typed): boolean {
  const plain = (types: readonly string[]) => types.map((type) => (type === 'integer' ? 'number' : type));
  const isUnknown = ours.types.length === 0 || theirs.types.length === 0;
  return isUnknown || plain(ours.types).some((type) => plain(theirs.types).includes(type));
}
