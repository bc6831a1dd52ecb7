import { isPlain } from './visible-text.ts';

/** Characters that readers of the file cannot see. Line feeds are allowed, because we write them. */
const INVISIBLE = /(?:(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])+/gu;

/** Escapes JSON, so that the runner finds no commands in the text if a later step prints it. */
export function escapeJsonForLog(json: string): string {
  const text = json.replaceAll('##[', '##\\u005b');
  if (isPlain(text)) return text;
  // Hostile text may contain a million invisible characters. A cache makes their replacement much faster.
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

/** Escapes a character for JSON: four hexadecimal digits for each UTF-16 unit. */
function escapeOf(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
