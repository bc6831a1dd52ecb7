import { inlineCode, link, md, type SafeMarkdown } from './markdown.ts';
import { docsPage, TOOL } from './tool.ts';

/** Matches text between backticks, and addresses that `docsPage` makes. */
const SPECIAL = new RegExp(`(\`[^\`]+\`|${docsPage('[a-z-]+').replaceAll('.', '\\.')})`);

/**
 * Renders one line of foreign text. Text between backticks becomes code, and the address of a page of our documentation
 * becomes a link. Everything else is literal.
 * @param renderRest renders everything else
 */
export function renderCodeSpans(
  text: string,
  renderRest = (rest: string): SafeMarkdown => md`${rest}`,
): SafeMarkdown {
  const pieces = text
    .split(SPECIAL)
    .map((piece, index) => (index % 2 === 1 ? renderSpecial(piece) : renderRest(piece)));
  return md`${pieces}`;
}

function renderSpecial(piece: string): SafeMarkdown {
  return piece.startsWith('`')
    ? inlineCode(piece.slice(1, -1))
    : link(piece.slice(piece.lastIndexOf('docs/')), piece, [`${TOOL.informationUri}/`]);
}
