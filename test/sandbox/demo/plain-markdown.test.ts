import { expect, test } from 'vitest';
import { plainMarkdown } from '../../../sandbox/demo/plain-markdown.ts';

test.each([
  ['an entity', 'FALSE&#95;POSITIVE &lt;a&gt; &amp; &#x5f;', 'FALSE_POSITIVE <a> & _'],
  ['an escaped entity', '&amp;#95;', '&#95;'],
  ['code', '<code>WONT&#95;FIX</code> or <code>&#36;1</code>', '`WONT_FIX` or `$1`'],
  ['bold text with line breaks', '🔴 <b>Critical: a</b><br>b', '🔴 Critical: a\n  b'],
  ['a link', '[<code>a.js</code> line 6](http://127.0.0.1:1/a#L6) · x', '`a.js` line 6 · x'],
  [
    'a folded section',
    '<details><summary>Details and fix</summary>\n\ntext\n\n</details>\n\nnext',
    'Details and fix:\n\ntext\n\nnext',
  ],
  ['small text', '<sub>scan &#95;1</sub>', 'scan _1'],
  ['a character that prevents a link', 'a@&#8203;b and &#64;c', 'a@b and @c'],
  ['a comment with hidden lines', '<!-- scangate:v1 x -->\n<!-- scangate-state y -->\ntext', 'text'],
])('plain Markdown shows %s as a reader of GitHub sees it', (_name, markdown, shown) => {
  expect(plainMarkdown(markdown)).toBe(shown);
});

test.each([
  ['an unknown entity', '&unknown; &#9999999;'],
  ['a control character', '&#27;[2J &#x9b; &#8238;'],
  ['a foreign tag', '<!-- a -->\n<img src=x>'],
])('plain Markdown does not change %s', (_name, markdown) => {
  expect(plainMarkdown(markdown)).toBe(markdown);
});
