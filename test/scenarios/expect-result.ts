import { ALLOWABLE_REASONS } from '../../src/domain/result.ts';
import { allNodes, parseGfm } from '../unit/report/gfm.ts';

/** Inputs that allow every reason that can be allowed. */
export const EVERYTHING_ALLOWED = { 'allow-unscanned': ALLOWABLE_REASONS.join(', ') };

/** The sentences that a reader of the Markdown does not see. */
export function unseenIn(markdown: string, sentences: readonly string[]): readonly string[] {
  const without = (text: string, all: readonly string[]) =>
    all.filter((sentence) => !text.includes(sentence.replace(/\.$/, '')));
  // Most sentences are in the source as they are. It takes long to parse the Markdown, so only the others need that.
  const shown = markdown.replaceAll(/<!--.*?-->/gs, '');
  const others = without(plain(shown), sentences);
  return others.length === 0 ? [] : without(readable(markdown), others);
}

/** The text of the Markdown that a reader sees. */
function readable(markdown: string): string {
  const text = allNodes(parseGfm(markdown)).map((node) =>
    node.type === 'text' || node.type === 'inlineCode' || node.type === 'code'
      ? node.value
      : node.type === 'paragraph' || node.type === 'heading'
        ? '\n'
        : '',
  );
  return plain(text.join(''));
}

/** Removes backticks, and the invisible characters that keep GitHub from linking. */
export function plain(text: string): string {
  return text.replaceAll(/[`\u200b]/g, '');
}
