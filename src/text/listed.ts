import { foreignLine } from './foreign-text.ts';

/** Ours: more would hide the sentence they stand in. */
const MOST_SHOWN = 20;

/** Foreign words as one list for a sentence; what is left out is counted. */
export function listed(words: readonly string[]): string {
  const shown = words.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
  const more = words.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
