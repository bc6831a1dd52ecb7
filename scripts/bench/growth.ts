import { codeBlock, inlineCode, md, toText } from '../../src/report/markdown.ts';
import { renderUntrustedText } from '../../src/report/prose.ts';
import { plainText } from '../../src/report/sarif-rules.ts';
import { escapeJsonForLog, logLine, logLines } from '../../src/text/log-text.ts';
import { redactor } from '../../src/text/redact.ts';
import type { Measured } from './figures.ts';
import { MOST_GROWTH } from './goals.ts';

const TOKEN = 'svc_proj_key1_0123456789abcdef';

const ESCAPERS: Readonly<Record<string, (text: string) => string>> = {
  'a line of the log': logLine,
  'lines of the log': logLines,
  'text in markdown': (text) => toText(md`${text}`),
  'code in a line': (text) => toText(inlineCode(text)),
  'a block of code': (text) => toText(codeBlock(text)),
  'untrusted text': (text) => toText(renderUntrustedText(text)),
  'text in SARIF': plainText,
  'a JSON file': (text) => escapeJsonForLog(JSON.stringify(text)),
  'an answer of the service': redactor(TOKEN),
};
/**
 * A hostile text repeats one of these pieces. At each piece, a badly written regular expression looks ahead,
 * looks back or starts again.
 */
const PIECES = [
  '`',
  '`a',
  '`\n',
  '```\n',
  ' ',
  '\n',
  ':a',
  'a:b:',
  '##[',
  '#1 ',
  '@',
  '[',
  '<!--',
  '$x$',
  'http://x.y ',
  'abcdef0',
  '\u202e',
  '\ud800',
  TOKEN.slice(0, -1),
];

const SMALL = 16 * 1024;
/**
 * The long text is this many times as long as the short one. Linear time grows by the same factor, quadratic time by
 * its square.
 */
const TIMES = 16;
/** Our choice. Below this time, other work of the machine would distort the ratio. */
const LEAST_MS = 1;

/**
 * Measures each escaper: by which factor its time grows if a text becomes 16 times as long. Returns only the piece with
 * the greatest growth.
 */
export function measureGrowth(): Measured[] {
  return Object.entries(ESCAPERS).map(([name, render]) => {
    const growths = PIECES.map((piece) => ({ piece, growth: growthOf(render, piece) }));
    const worst = growths.reduce((a, b) => (b.growth > a.growth ? b : a));
    const what = `Growth: ${name} of ${JSON.stringify(worst.piece)}, to its ${TIMES}th part`;
    return [{ what, kind: 'ratio', most: MOST_GROWTH }, worst.growth];
  });
}

function growthOf(render: (text: string) => string, piece: string): number {
  const text = (length: number) => piece.repeat(length / piece.length);
  const [small, large] = [costOf(render, text(SMALL)), costOf(render, text(SMALL * TIMES))];
  return large / Math.max(small, LEAST_MS);
}

/**
 * Returns the processor time of `render` in milliseconds. Takes the least of a few runs, because other work
 * may use the machine.
 */
function costOf(render: (text: string) => string, text: string): number {
  const times = [1, 2, 3, 4].map(() => {
    const before = process.threadCpuUsage();
    render(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
