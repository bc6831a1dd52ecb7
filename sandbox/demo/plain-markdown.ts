/** GitHub does not link text that contains it. It is invisible. */
const ZERO_WIDTH_SPACE = 0x200b;

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['nbsp', ' '],
]);

/**
 * Converts our markdown for a terminal: tags and entities become what a reader of the rendered page sees, without our
 * hidden lines at the start. Links keep
 * their text only, because they lead to servers that have stopped. Headings, tables and lists stay as they are.
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
  // A terminal would execute a control character.
  return /^[^\p{C}\p{Zl}\p{Zp}]$/u.test(character) ? character : entity;
}
