import { visibleLines } from '../text/visible-text.ts';
import { renderCodeSpans } from './code-spans.ts';
import { BLANK_LINE, codeBlock, join, LINE_BREAK, md, type SafeMarkdown } from './markdown.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Our choice. Deeper indentation would only move the text out of view. */
const DEEPEST_INDENT = 40;

/**
 * Renders paragraphs of foreign text. Keeps line breaks and indentation. Code fences and text between backticks become
 * code; everything else is literal.
 */
export function renderUntrustedText(text: string): SafeMarkdown {
  const blocks: SafeMarkdown[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const endBlock = () => {
    if (fence !== undefined) blocks.push(codeBlock(lines.join('\n')));
    else blocks.push(join(lines.map(proseLine), LINE_BREAK));
    lines = [];
  };
  for (const line of visibleLines(text).split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      endBlock();
      fence = fence === undefined ? mark : undefined;
    } else if (fence === undefined && line.trim() === '') endBlock();
    else lines.push(line);
  }
  endBlock();
  return join(blocks, BLANK_LINE);
}

function proseLine(line: string): SafeMarkdown {
  const text = line.trimStart();
  const indent = line.slice(0, line.length - text.length).replaceAll('\t', '  ').length;
  const spaces = Array.from({ length: Math.min(indent, DEEPEST_INDENT) }, () => md`&#160;`);
  return md`${spaces}${renderCodeSpans(text)}`;
}
