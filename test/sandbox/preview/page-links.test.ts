import { expect, test } from 'vitest';
import { githubMarkdown } from '../../../sandbox/preview/github-markdown.ts';
import { pageLinks } from '../../../sandbox/preview/page-links.ts';
import { parseDiff } from '../../../sandbox/preview/read-diff.ts';

const DIFF = `diff --git a/a b.js b/a b.js
--- a/a b.js\t
+++ b/a b.js\t
@@ -1,2 +1,2 @@
 same
-before
+after
`;
const SHOP = 'http://127.0.0.1:1/octo-org/shop';
const links = pageLinks({
  repository: 'octo-org/shop',
  files: parseDiff(DIFF),
  fakeOrigins: ['http://127.0.0.1:1', 'http://127.0.0.1:2'],
});

// A link to a fake server leads to a section of the page, or becomes plain text. Other links do not change.
test.each([
  [`${SHOP}/blob/abc/a%20b.js#L2`, '#file-1-line-2'],
  [`${SHOP}/blob/abc/a%20b.js#L1-L2`, '#file-1-line-1'],
  [`${SHOP}/blob/abc/a%20b.js?plain=1#L2`, '#file-1-line-2'],
  [`${SHOP}/actions/runs/9000000001`, '#job-summary'],
  [`${SHOP}/runs/1001`, '#checks'],
  [`${SHOP}/pull/7#issuecomment-1`, '#conversation'],
  [`${SHOP}/blob/abc/a%20b.js#L3`, undefined],
  [`${SHOP}/blob/abc/a%20b.js`, undefined],
  [`${SHOP}/blob/abc/other.js#L1`, undefined],
  [`${SHOP}/settings`, undefined],
  ['http://127.0.0.1:1/octo-org/elsewhere/runs/1', undefined],
  ['http://127.0.0.1:2/public/scans/pub_1', undefined],
  ['https://example.com/octo-org/shop/runs/1', 'https://example.com/octo-org/shop/runs/1'],
  ['#files', '#files'],
])('the link %s leads to %s', (address, target) => {
  expect(links(address)).toBe(target);
  const shown = githubMarkdown(`[words](${address})`, true, links).html;
  expect(shown).toContain('words');
  if (target === undefined) expect(shown).not.toContain('href');
  else expect(shown).toContain(`href="${target}"`);
});
