import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { describe, expect, test } from 'vitest';
import { codeBlock, inlineCode, link, md, type SafeMarkdown, toText } from '../../../src/report/markdown.ts';
import { renderUntrustedText } from '../../../src/report/prose.ts';
import { hasInvisible, visibleLine, visibleLines } from '../../../src/text/visible-text.ts';
import { rounds } from '../../support/rounds.ts';
import { allNodes, parseGfm, REFERENCES, textOutsideCode } from './gfm.ts';
import { hostileText, TOKENS } from './hostile.ts';

const RUNS = { numRuns: rounds(40, 500) };
const OUR_HTML = new Set(['<span>', '</span>', '<code>', '</code>', '<br>']);

const shape = (nodes: readonly Nodes[]) =>
  nodes.filter(({ type }) => type !== 'text' && type !== 'html').map(({ type }) => type);
const plainText = (nodes: Nodes[]) => nodes.map((node) => (node.type === 'text' ? node.value : '')).join('');
const squeezed = (text: string) => text.replaceAll('\u200b', '').replace(/ +/g, ' ').trim();

/** Places for a foreign value. At each place, a foreign value must give the same structure as a plain word. */
const CONTEXTS: Readonly<Record<string, (value: string) => SafeMarkdown>> = {
  'first on a line': (value) => md`${value}`,
  'after a line of text': (value) => md`text\n${value}`,
  'before other text': (value) => md`${value} text`,
  'list item': (value) => md`- ${value}`,
  heading: (value) => md`## ${value} end`,
  'table cell': (value) => md`| a | b |\n| - | - |\n| ${value} | y |`,
  'before a colon': (value) => md`x ${value}: x`,
  'bold text': (value) => md`**x ${value} x**`,
  'link text': (value) => link(md`x ${value} x`, 'https://ok.example/x', ['https://ok.example/']),
  'twice without a space': (value) => md`x${value}${value}x`,
};

describe.each(Object.entries(CONTEXTS))('foreign text: %s', (place, inContext) => {
  const expected = shape(allNodes(parseGfm(toText(inContext('word')))));
  const check = (value: string): void => {
    const source = toText(inContext(value));
    const nodes = allNodes(parseGfm(source));
    if (squeezed(visibleLine(value)) !== '') expect(shape(nodes), source).toEqual(expected);
    for (const node of nodes) if (node.type === 'html') expect(OUR_HTML).toContain(node.value);
    const text = textOutsideCode(nodes);
    for (const [name, reference] of Object.entries(REFERENCES))
      expect(text, `${name} in ${source}`).not.toMatch(reference);
    expect(source.isWellFormed()).toBe(true);
    expect(squeezed(plainText(nodes))).toContain(squeezed(visibleLine(value)));
  };

  test(`no token changes the structure of the Markdown (${place})`, () => TOKENS.forEach(check));
  test(`no foreign text changes the structure of the Markdown (${place})`, () =>
    fc.assert(fc.property(hostileText, check), RUNS));
});

describe('code', () => {
  test('inline code is plain text between one pair of tags, in a line and in a table cell', () => {
    fc.assert(
      fc.property(hostileText, (value) => {
        fc.pre(value.trim() !== '' && visibleLine(value).trim() !== '');
        for (const source of [md`a ${inlineCode(value)} b`, md`| a |\n| - |\n| ${inlineCode(value)} |`].map(
          toText,
        )) {
          const nodes = allNodes(parseGfm(source));
          expect(
            nodes
              .map(({ type }) => type)
              .filter((type) => !/^(?:root|paragraph|table.*|text|html)$/.test(type)),
          ).toEqual([]);
          expect(nodes.flatMap((node) => (node.type === 'html' ? [node.value] : []))).toEqual([
            '<code>',
            '</code>',
          ]);
          expect(squeezed(plainText(nodes))).toContain(squeezed(visibleLine(value)));
        }
      }),
      RUNS,
    );
  });

  test('a code block is one code node with the whole text', () => {
    fc.assert(
      fc.property(hostileText, (value) => {
        const root = parseGfm(`text\n\n${toText(codeBlock(value))}\n\ntext`);
        expect(root.children.map(({ type }) => type)).toEqual(['paragraph', 'code', 'paragraph']);
        const [, code] = root.children;
        expect(code).toMatchObject({
          lang: null,
          meta: null,
          value: visibleLines(value).replace(/\n+$/, ''),
        });
      }),
      RUNS,
    );
  });
});

describe('untrusted text', () => {
  test('untrusted text becomes only paragraphs and code', () => {
    fc.assert(
      fc.property(hostileText, (value) => {
        const root = parseGfm(`text\n\n${toText(renderUntrustedText(value))}\n\ntext`);
        expect(['paragraph', 'text']).toContain(root.children.at(-1)?.type);
        const nodes = allNodes(root);
        for (const node of nodes) {
          expect(['root', 'paragraph', 'text', 'html', 'code']).toContain(node.type);
          if (node.type === 'html') expect(OUR_HTML).toContain(node.value);
        }
        const text = textOutsideCode(nodes);
        for (const reference of Object.values(REFERENCES)) expect(text).not.toMatch(reference);
      }),
      RUNS,
    );
  });
});

describe('links', () => {
  const target = (url: string) => toText(link('x', url, ['https://scan.example/']));

  test('a link to an allowed address stays one link, whatever the address contains', () => {
    expect(target('https://scan.example/a)b(c|d<e>"f\'[g]{h}`i`\\j?k=1&copy=2#l')).toMatch(
      /^\[x\]\([^()|<>"'[\]{}`\\ ]+\)$/,
    );
    fc.assert(
      fc.property(hostileText, (value) => {
        const nodes = allNodes(parseGfm(`| a |\n| - |\n| ${target(`https://scan.example/a/${value}`)} |`));
        for (const node of nodes)
          if (node.type === 'link') expect(new URL(node.url).origin).toBe('https://scan.example');
        expect(nodes.filter(({ type }) => type === 'image' || type === 'html')).toEqual([]);
      }),
      RUNS,
    );
  });
});

test('of the invisible characters, visibleLine keeps none, and visibleLines keeps line breaks and tabs', () => {
  expect(visibleLine('a\u202eb\u001b[31mc\ud800d\te\nf\u{e0041}')).toBe(
    'a⟨U+202E⟩b⟨U+001B⟩[31mc\ufffdd e⟨U+000A⟩f⟨U+E0041⟩',
  );
  fc.assert(
    fc.property(hostileText, (value) => {
      expect(hasInvisible(visibleLine(value))).toBe(false);
      expect(hasInvisible(visibleLines(value).replaceAll(/[\n\t]/g, ''))).toBe(false);
    }),
    RUNS,
  );
});
