import { byteLength, cutCharacters, visibleLines } from '../text/visible-text.ts';
import { allowedLinks, checksUrl, docsPage, TOOL } from './links.ts';
import {
  BLANK_LINE,
  codeBlock,
  inlineCode,
  join,
  LINE_BREAK,
  link,
  md,
  NOTHING,
  type SafeMarkdown,
  toText,
} from './markdown.ts';
import type { Report } from './report.ts';

/** Matches text between backticks, and addresses that `docsPage` makes. */
const SPECIAL = new RegExp(`(\`[^\`]+\`|${docsPage('[a-z-]+').replaceAll('.', '\\.')}(?:#[a-z-]+)?)`);

/**
 * Renders one line of foreign text. Text between backticks becomes code. The address of a page of our documentation
 * becomes a link, which shows the page or the heading of the section. Everything else is literal.
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
  if (piece.startsWith('`')) return inlineCode(piece.slice(1, -1));
  const [page, section] = piece.slice(piece.lastIndexOf('docs/')).split('#');
  const heading = section?.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  return link(heading ?? page ?? '', piece, [`${TOOL.informationUri}/`]);
}

/**
 * Renders one line of foreign text in at most the given number of bytes. Escaping can turn one character into 18 bytes.
 * Text between backticks becomes code. An ellipsis marks a cut.
 */
export function truncateText(
  text: string,
  bytes: number,
  render: (text: string) => SafeMarkdown = (line) => renderCodeSpans(line),
): SafeMarkdown {
  let fitting = NOTHING;
  let shortest = 0;
  let longest = Math.min(text.length, bytes);
  // The loop first tries the whole text. Then bisection finds the greatest length that fits.
  for (let length = longest; shortest <= longest; length = Math.floor((shortest + longest) / 2)) {
    const written = render(cutCharacters(text, length));
    if (byteLength(toText(written)) <= bytes) {
      fitting = written;
      shortest = length + 1;
    } else longest = length - 1;
  }
  return fitting;
}

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

const RERUN = /(re-run this job)/i;

/** Renders our sentences, which may hold foreign text. */
export type RenderSentences = (text: string) => SafeMarkdown;

/**
 * Renders sentences for the check run and the job summary. The words "re-run this job" link to the run, whose page
 * has a button for this.
 */
export function linkingRun(report: Report): RenderSentences {
  return linking(report.runUrl, report);
}

/**
 * Renders sentences for the comment. The words "re-run this job" link to the checks of the pull request, whose page
 * also has a button for this. A link to the run would change the comment on every attempt, even if the result is the
 * same.
 */
export function linkingChecks(report: Report): RenderSentences {
  return linking(checksUrl(report), report);
}

function linking(page: string | undefined, report: Report): RenderSentences {
  if (page === undefined) return (text) => renderCodeSpans(text);
  const allowed = allowedLinks(report);
  const linked = (text: string) =>
    text.split(RERUN).map((piece, index) => (index % 2 === 1 ? link(piece, page, allowed) : md`${piece}`));
  return (text) => renderCodeSpans(text, (piece) => md`${linked(piece)}`);
}
