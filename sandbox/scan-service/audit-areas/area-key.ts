const ACCENTS = /\p{Mn}/gu;

/**
 * Makes a key from a name. The key has lower-case ASCII letters and digits. Hyphens replace the characters between
 * them.
 */
export function keyOfName(name: string): string {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').toLowerCase();
  // A name without ASCII letters and digits gets the key `area`.
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'area';
}

/** Returns a key for a name. If the key is taken, adds the first free number. */
export function freeKey(name: string, taken: ReadonlySet<string>): string {
  const wanted = keyOfName(name);
  let key = wanted;
  for (let number = 2; taken.has(key); number += 1) key = `${wanted}-${number}`;
  return key;
}
