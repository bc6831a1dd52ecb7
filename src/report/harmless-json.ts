/** What a reader of the file could not see; the line feeds are ours. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** The same values, written so that the runner obeys nothing when a later step prints the file. */
export function harmlessJson(json: string): string {
  return json.replaceAll('##[', '##\\u005b').replace(INVISIBLE, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
