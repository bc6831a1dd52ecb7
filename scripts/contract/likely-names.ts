import { similarity } from './similarity.ts';

/** Chosen: less alike names are another thing, more often than not. */
const LEAST_SIMILARITY = 0.45;

/** A name with the JSON types of what it names; no types: nothing is said of them. */
export interface Typed {
  readonly name: string;
  readonly types: readonly string[];
}

/**
 * What names of ours, which a record of theirs does not have, are likely called there. A name is given away once, the
 * most alike first; among what is left over, a sole name of the type is taken for the sole one of ours.
 * @param aliases other names for the same thing, as good as alike
 */
export function likelyNames(
  missing: readonly Typed[],
  unknown: readonly Typed[],
  aliases: (name: string) => readonly string[],
): Map<string, string> {
  const likely = new Map<string, string>();
  const given = new Set<string>();
  const give = (ours: Typed, theirs: Typed) => {
    likely.set(ours.name, theirs.name);
    given.add(theirs.name);
  };
  const pairs = missing.flatMap((ours) =>
    unknown
      .filter((theirs) => mayBe(ours, theirs))
      .map((theirs) => ({
        ours,
        theirs,
        score: aliases(ours.name).includes(theirs.name) ? 1 : similarity(ours.name, theirs.name),
      })),
  );
  for (const { ours, theirs, score } of pairs.sort((a, b) => b.score - a.score)) {
    const isFree = !likely.has(ours.name) && !given.has(theirs.name);
    if (score >= LEAST_SIMILARITY && isFree) give(ours, theirs);
  }
  const left = missing.filter((ours) => !likely.has(ours.name));
  for (const ours of left) {
    const [sole, ...more] = unknown.filter((theirs) => !given.has(theirs.name) && isSameType(ours, theirs));
    const rivals = left.filter((other) => other !== ours && sole !== undefined && isSameType(other, sole));
    if (sole !== undefined && more.length === 0 && rivals.length === 0) give(ours, sole);
  }
  return likely;
}

/** May the one be the other, as far as their types are known? A whole number is a number. */
export function mayBe(ours: Typed, theirs: Typed): boolean {
  return ours.types.length === 0 || theirs.types.length === 0 || isSameType(ours, theirs);
}

function isSameType(ours: Typed, theirs: Typed): boolean {
  const plain = (types: readonly string[]) => types.map((type) => (type === 'integer' ? 'number' : type));
  return plain(ours.types).some((type) => plain(theirs.types).includes(type));
}
