import { foreignLine } from './foreign-text.ts';

/** Our choice. A longer list would make the sentence unreadable. */
const MOST_SHOWN = 20;

/** Joins foreign values for a sentence. Shows the first 20 values, and counts the rest. */
export function listed(values: readonly string[]): string {
  const shown = values.slice(0, MOST_SHOWN).map((word) => foreignLine(word));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
