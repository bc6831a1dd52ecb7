import { expect, test } from 'vitest';
import { commentBox } from '../../../sandbox/preview/pull-request-page.ts';

const COMMENT = { author: 'github-actions[bot]', body: '## Blocked' };

test('the frame of a comment shows the footer of the demo below the comment', () => {
  const { html } = commentBox(COMMENT, { footer: 'It read 1 of 2 <files>.' });
  expect(html).toMatch(
    /<h2>Blocked<\/h2><\/div>\n<footer class="quiet">It read 1 of 2 &lt;files&gt;\.<\/footer>\n<\/section>$/,
  );
});

test('the frame of a comment has no footer if the demo gives none', () => {
  expect(commentBox(COMMENT).html).not.toContain('footer');
});
