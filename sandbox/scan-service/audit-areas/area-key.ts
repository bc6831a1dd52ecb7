const ACCENTS = /\p{Mn}/gu;

/** The stable slug that a name asks for: lower-case ASCII letters and digits between hyphens. */
export function keyOfName(name: string): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  // A name without any such letter has to be called something.
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'area';
}

/** The name's key, or, where that is taken, the first one free of those with a number behind. */
export function freeKey(name: string, taken: ReadonlySet<string>): string {
  const wanted = keyOfName(name);
  let key = wanted;
  for (let number = 2; taken.has(key); number += 1) key = `${wanted}-${number}`;
  return key;
}
