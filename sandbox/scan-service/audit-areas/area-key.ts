const ACCENTS = /\p{Mn}/gu;

/** The stable slug of a name: lower-case ASCII letters and digits between hyphens. */
export function keyOfName(name: string): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  // Used if the name has no such character.
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'area';
}

/** The key for a name. If it is taken, the first free key with a number. */
export function freeKey(name: string, taken: ReadonlySet<string>): string {
  const wanted = keyOfName(name);
  let key = wanted;
  for (let number = 2; taken.has(key); number += 1) key = `${wanted}-${number}`;
  return key;
}
