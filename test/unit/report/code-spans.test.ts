import { expect, test } from 'vitest';
import { renderCodeSpans } from '../../../src/report/code-spans.ts';
import { toText } from '../../../src/report/markdown.ts';
import { docsPage } from '../../../src/report/tool.ts';

const FORKS = docsPage('forks');

test('renderCodeSpans renders the address of a page of the documentation as a link', () => {
  expect(toText(renderCodeSpans(`Set \`a\`, as ${FORKS} shows.`))).toBe(
    `Set <code>a</code>, as [docs/forks.md](${FORKS}) shows.`,
  );
});

test.each([
  FORKS.replace('github.com', 'github-com'),
  FORKS.replace('github.com', 'evil.example'),
  FORKS.replace('docs/', 'docs/../../'),
  FORKS.replace('.md', '.html'),
  FORKS.replace('.md', '-md'),
  FORKS.replace('/v', '/w'),
])('renderCodeSpans makes no link of %s', (address) => {
  expect(toText(renderCodeSpans(`See ${address}.`))).not.toContain('](');
});

test('renderCodeSpans makes no link in code', () => {
  expect(toText(renderCodeSpans(`See \`${FORKS}\`.`))).not.toContain('](');
});
