import { inlineCode, md, type SafeMarkdown } from './markdown.ts';

const CODE_SPAN = /(`[^`]+`)/;

/**
 * One line of foreign text: what stands between backticks is shown as code, nothing else in it means anything.
 * @param renderRest renders what does not stand between backticks
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
