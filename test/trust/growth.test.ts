import { describe, expect, test } from 'vitest';
import { redactor } from '../../src/domain/redact.ts';
import { harmlessJson } from '../../src/report/harmless-json.ts';
import { logLine, logLines } from '../../src/report/log-text.ts';
import { codeBlock, inlineCode, md, toText } from '../../src/report/markdown.ts';
import { prose } from '../../src/report/prose.ts';
import { plainText } from '../../src/report/sarif-text.ts';

const TOKEN = 'svc_proj_key1_0123456789abcdef';
const redact = redactor(TOKEN);

const ESCAPERS: Readonly<Record<string, (text: string) => string>> = {
  'a line of the log': logLine,
  'lines of the log': logLines,
  'text in markdown': (text) => toText(md`${text}`),
  'code in a line': (text) => toText(inlineCode(text)),
  'a block of code': (text) => toText(codeBlock(text)),
  prose: (text) => toText(prose(text)),
  'text in SARIF': plainText,
  'a JSON file': (text) => harmlessJson(JSON.stringify(text)),
  'an answer of the service': redact,
};
/** What makes a careless pattern look ahead, look back or begin again. */
const PIECES = [
  '`',
  '`a',
  '`\n',
  '```\n',
  ' ',
  '\n',
  ':a',
  '##[',
  '@',
  '[',
  'abcdef0',
  '\u202e',
  TOKEN.slice(0, -1),
];

const SMALL = 16 * 1024;
const TIMES = 16;
/** Linear is 16 times, quadratic 256 times; between them there is room for a busy machine. */
const MOST_TIMES = 64;
/** Below this the machine's own work counts more than ours. */
const LEAST_MS = 1;

/** This thread's own time, the best of a few: other work may share the machine. */
function costOf(render: (text: string) => string, text: string): number {
  const times = [1, 2, 3, 4].map(() => {
    const before = process.threadCpuUsage();
    render(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

describe.each(Object.entries(ESCAPERS))('%s', (_name, render) => {
  test.each(PIECES)('takes a time that grows as a text of nothing but %j does', (piece) => {
    const text = (length: number) => piece.repeat(length / piece.length);
    const [small, large] = [costOf(render, text(SMALL)), costOf(render, text(SMALL * TIMES))];
    expect(large / Math.max(small, LEAST_MS)).toBeLessThan(MOST_TIMES);
  });
});
