import { expect, test } from 'vitest';
import { commentBox } from '../../../sandbox/preview/pull-request-page.ts';

const COMMENT = { author: 'github-actions[bot]', body: '## Blocked' };

test('the frame of a comment ends with the demo’s footer, outside the text of the comment', () => {
  const { html } = commentBox(COMMENT, { footer: 'It read 1 of 2 <files>.' });
  expect(html).toMatch(
    /<h2>Blocked<\/h2><\/div>\n<footer class="quiet">It read 1 of 2 &lt;files&gt;\.<\/footer>\n<\/section>$/,
  );
});

test('the frame of a comment ends without a footer if the demo gives none', () => {
  expect(commentBox(COMMENT).html).not.toContain('footer');
});
