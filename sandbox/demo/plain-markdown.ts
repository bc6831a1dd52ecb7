/** An invisible character. GitHub does not turn text with this character into a link. */
const ZERO_WIDTH_SPACE = 0x200b;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['nbsp', ' '],
]);

/**
 * Converts our Markdown to plain text for a terminal. Tags are removed or replaced, and entities are decoded. Hidden
 * lines at the start are removed. Links keep only their text, because they lead to servers that have stopped. Headings,
 * tables and lists stay as they are.
 */
export function plainMarkdown(markdown: string): string {
  return markdown
    .replace(/^(?:<!-- scangate[^>]*-->\n)+/, '')
    .replace(/<summary>(.*?)<\/summary>/gs, '$1:')
    .replace(/<\/?code>/g, '`')
    .replace(/<br>/g, '\n  ')
    .replace(/<\/?(?:b|sub|details)>/g, '')
    .replace(/(?<!!)\[([^\]\n]+)\]\(https?:[^)\s]*\)/g, '$1')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, decoded)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function decoded(entity: string, decimal?: string, hex?: string, name = ''): string {
  if (decimal === undefined && hex === undefined) return NAMED.get(name) ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  if (code === ZERO_WIDTH_SPACE) return '';
  const character = code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
  // A terminal would execute control characters.
  return /^[^\p{C}\p{Zl}\p{Zp}]$/u.test(character) ? character : entity;
}
