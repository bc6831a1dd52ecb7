import { describe, expect, test } from 'vitest';
import { githubMarkdown } from '../../../sandbox/preview/github-markdown.ts';
import { pageLinks } from '../../../sandbox/preview/page-links.ts';
import { parseDiff } from '../../../sandbox/preview/read-diff.ts';

const DIFF = [
  'diff --git a/a b.js b/a b.js',
  '--- a/a b.js\t',
  '+++ b/a b.js\t',
  '@@ -1,2 +1,2 @@',
  ' same',
  '-before',
  '+after',
  '',
].join('\n');
const GITHUB = 'http://127.0.0.1:1';
const SERVICE = 'http://127.0.0.1:2';
const links = pageLinks({
  repository: 'octo-org/shop',
  files: parseDiff(DIFF),
  fakeOrigins: [GITHUB, SERVICE],
});

describe('a link to a fake server', () => {
  test.each([
    ['the line of a finding', 'blob/abc/a%20b.js#L2', '#file-1-line-2'],
    ['the first of several lines', 'blob/abc/a%20b.js#L1-L2', '#file-1-line-1'],
    ['a line of a rendered file', 'blob/abc/a%20b.js?plain=1#L2', '#file-1-line-2'],
    ['the run of the workflow', 'actions/runs/9000000001', '#job-summary'],
    ['the check run', 'runs/1001', '#checks'],
    ['the comment', 'pull/7#issuecomment-1', '#conversation'],
  ])('a link to a fake server leads to the section for %s', (_, path, place) => {
    expect(links(`${GITHUB}/octo-org/shop/${path}`)).toBe(place);
  });

  test.each([
    `${GITHUB}/octo-org/shop/blob/abc/a%20b.js#L3`,
    `${GITHUB}/octo-org/shop/blob/abc/a%20b.js`,
    `${GITHUB}/octo-org/shop/blob/abc/other.js#L1`,
    `${GITHUB}/octo-org/shop/settings`,
    `${GITHUB}/octo-org/elsewhere/runs/1`,
    `${SERVICE}/public/scans/pub_1`,
  ])(
    'a link to a fake server becomes plain text if the page has no section for its target: %s',
    (address) => {
      expect(links(address)).toBeUndefined();
      const shown = githubMarkdown(`[words](${address})`, true, links).html;
      expect(shown).toContain('words');
      expect(shown).not.toContain('href');
    },
  );
});

test.each(['https://example.com/octo-org/shop/runs/1', '#files'])(
  'a link to another server, or to a place in the page, does not change: %s',
  (address) => {
    expect(links(address)).toBe(address);
    expect(githubMarkdown(`[words](${address})`, true, links).html).toContain(`href="${address}"`);
  },
);
