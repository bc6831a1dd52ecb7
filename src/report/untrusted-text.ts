import { visibleLines } from '../text/visible-text.ts';
import { renderCodeSpans } from './code-spans.ts';
import { BLANK_LINE, codeBlock, join, LINE_BREAK, md, type SafeMarkdown } from './markdown.ts';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Deeper indentation only pushes the text out of sight. */
const DEEPEST_INDENT = 40;

/**
 * Paragraphs of foreign text. Line breaks and indentation are kept, and what stands in a code fence or
 * between backticks is shown as code; nothing else in the text is markdown.
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
