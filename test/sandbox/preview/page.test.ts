import { expect, test } from 'vitest';
import { mergeBox } from '../../../sandbox/preview/check-view.ts';
import { filesView } from '../../../sandbox/preview/diff-view.ts';
import { commentBox } from '../../../sandbox/preview/pull-request-page.ts';

const CHECK = {
  name: 'Security scan',
  conclusion: 'neutral',
  output: { title: 'Passed: 1 finding below high', summary: '', text: null },
  annotations: [],
} as const;
const ANNOTATION = {
  ...({ path: 'b.js', start_line: 1, end_line: 1, annotation_level: 'failure' } as const),
  ...{ title: 'Critical', message: 'why' },
};

test.each([
  [
    'pull_request',
    'success',
    [CHECK],
    ['✓ All checks have passed', '✓ Scangate / scangate (pull_request) Successful Required'],
  ],
  [
    'pull_request',
    'failure',
    [],
    ['✕ Some checks were not successful', '✕ Scangate / scangate (pull_request) Failing Required'],
  ],
  ...['push', 'schedule', 'workflow_dispatch'].map(
    (event) =>
      [
        event,
        'failure',
        [],
        ['✕ Some checks were not successful', `✕ Scangate (branch) / scangate-branch (${event}) Failing`],
      ] as const,
  ),
] as const)(
  'the list of checks of a %s event shows the job with %s above the check run',
  (event, conclusion, checks, rows) => {
    const { html } = mergeBox({ event, conclusion }, checks);
    const texts = html.split(/<\/(?:h3|p)>/).map((row) => row.replace(/<[^>]*>/g, '').trim());
    const ofCheck = checks.map(({ name, output }) => `■ ${name} ${output.title}`);
    expect(texts.filter((text) => text !== '')).toEqual([...rows, ...ofCheck]);
  },
);

test('the page folds the files without a finding', () => {
  const lines = [{ kind: 'added', before: undefined, after: 1, text: 'one' } as const];
  const files = ['a.js', 'b.js'].map((path) => ({ path, hunks: [{ heading: '', lines }] }));
  const { html } = filesView(files, [ANNOTATION]);
  expect(html.match(/<details[^>]*><summary><code>[^<]*/g)).toEqual([
    '<details class="box file"><summary><code>a.js',
  ]);
  expect(html).toContain(
    '<section class="box file" aria-label="Changed file"><header><code>b.js</code></header>',
  );
});

test('the frame of a comment shows the footer of the demo below the comment, if there is one', () => {
  const comment = { author: 'github-actions[bot]', body: '## Blocked' };
  expect(commentBox(comment, { footer: 'It read 1 of 2 <files>.' }).html).toMatch(
    /<h2>Blocked<\/h2><\/div>\n<footer class="quiet">It read 1 of 2 &lt;files&gt;\.<\/footer>\n<\/section>$/,
  );
  expect(commentBox(comment).html).not.toContain('footer');
});
