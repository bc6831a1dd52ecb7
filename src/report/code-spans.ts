import { inlineCode, md, type SafeMarkdown } from './markdown.ts';

const CODE_SPAN = /(`[^`]+`)/;

/**
 * Renders one line of foreign text. Text between backticks becomes code; everything else is literal.
 * @param renderRest renders the text outside of the backticks
 */
export function renderCodeSpans(
  text: string,
  renderRest = (rest: string): SafeMarkdown => md`${rest}`,
): SafeMarkdown {
  const pieces = text
    .split(CODE_SPAN)
    .map((piece, index) => (index % 2 === 1 ? inlineCode(piece.slice(1, -1)) : renderRest(piece)));
  return md`${pieces}`;
}
