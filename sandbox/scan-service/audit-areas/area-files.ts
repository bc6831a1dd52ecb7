import type { AuditArea } from '../records.ts';

/** Each of these folders only groups packages, or contains the whole code. The folders inside it are the areas. */
const CONTAINERS = /^(?:apps|crates|lib|libs|modules|packages|plugins|services|source|src)$/;
const COMMON_TERMS =
  /^(?:all|and|are|code|everything|file|files|for|from|that|the|this|what|where|which|with)$/;
const SHORTEST_WORD = 3;
const TOP_LEVEL = 'Top level';

/**
 * Returns the name of a file's area. Each file belongs to exactly one area. So the sizes of all areas add up to the
 * total.
 */
export function areaNameOf(path: string): string {
  const [first = '', second, third] = path.split('/');
  if (second === undefined) return TOP_LEVEL;
  return CONTAINERS.test(first) && third !== undefined ? `${first}/${second}` : first;
}

export function describeArea(name: string): string {
  return name === TOP_LEVEL ? 'The files at the top of the repository.' : `The files below ${name}/.`;
}

/**
 * True if an area includes a path. A discovered area includes its folder. A custom area includes every path that
 * contains a search term of its name or description.
 */
export function covers(area: AuditArea, path: string): boolean {
  if (area.source === 'discovered') return areaNameOf(path) === area.name;
  const wanted = searchTermsOf(`${area.name} ${area.description ?? ''}`);
  return searchTermsOf(path).some((word) => wanted.includes(word));
}

/** Makes search terms from a text, in lower case and in the singular. Leaves out terms that match nearly every path. */
function searchTermsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= SHORTEST_WORD && !COMMON_TERMS.test(word) && !CONTAINERS.test(word))
    .map((word) => word.replace(/s$/, ''));
}
