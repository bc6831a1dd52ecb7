import { expect, test } from 'vitest';
import { filesView } from '../../../sandbox/preview/diff-view.ts';

const LINE = { kind: 'added', before: undefined, after: 1, text: 'one' } as const;
const file = (path: string) => ({ path, hunks: [{ heading: '', lines: [LINE] }] });
const annotation = {
  path: 'b.js',
  start_line: 1,
  end_line: 1,
  annotation_level: 'failure',
  title: 'Critical',
  message: 'why',
} as const;

test('the page folds the files without a finding', () => {
  const { html } = filesView([file('a.js'), file('b.js')], [annotation]);
  expect(html).toContain('<details class="box file"><summary><code>a.js</code></summary>');
  expect(html).toContain(
    '<section class="box file" aria-label="Changed file"><header><code>b.js</code></header>',
  );
  expect(html.match(/<details/g)).toHaveLength(1);
});
