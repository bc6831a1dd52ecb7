import { isPlain } from './visible-text.ts';

/** Characters that a reader of the file cannot see. The line feeds are ours. */
const INVISIBLE = /(?:(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])+/gu;

/** The same JSON, escaped so that the runner does not execute commands when a later step prints the file. */
export function escapeJsonForLog(json: string): string {
  const text = json.replaceAll('##[', '##\\u005b');
  if (isPlain(text)) return text;
  // Hostile text may contain a megabyte of these. A cache makes that much faster.
  const known = new Map<string, string>();
  return text.replace(INVISIBLE, (characters) => {
    let written = '';
    for (const character of characters) {
      const escaped = known.get(character) ?? escapeOf(character);
      known.set(character, escaped);
      written += escaped;
    }
    return written;
  });
}

/** The JSON escape: four hexadecimal digits for each UTF-16 unit. */
function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
