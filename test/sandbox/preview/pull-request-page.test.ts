import { expect, test } from 'vitest';
import { commentBox } from '../../../sandbox/preview/pull-request-page.ts';

const COMMENT = { author: 'github-actions[bot]', body: '## Blocked' };

test('ends the frame of a comment with the demo’s footer, outside of the comment itself', () => {
  const { html } = commentBox(COMMENT, { footer: 'It read 1 of 2 <files>.' });
  expect(html).toMatch(
    /<h2>Blocked<\/h2><\/div>\n<footer class="quiet">It read 1 of 2 &lt;files&gt;\.<\/footer>\n<\/section>$/,
  );
});

test('shows no footer in the frame of a comment if there is none', () => {
  expect(commentBox(COMMENT).html).not.toContain('footer');
});
