import { foreignLine } from './foreign-text.ts';

/** Chosen: more would hide the sentence they stand in. */
const MOST_SHOWN = 20;

/** Foreign values as one list in a sentence. The rest is counted. */
export function listed(values: readonly string[]): string {
  const shown = values.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
