import { expect, test } from 'vitest';
import { describeFindings, describeRun } from '../../../sandbox/demo/print-run.ts';

const RUN = { annotations: [], log: 'the log\n', outputs: { outcome: 'passed', reason: '' }, summary: '' };

function withComment(body: string) {
  return {
    checkRuns: [],
    comments: [
      {
        id: 1,
        issue: 7,
        author: 'github-actions[bot]',
        type: 'Bot' as const,
        body,
        createdAt: '',
        updatedAt: '',
        htmlUrl: '',
      },
    ],
  };
}

function sectionOf(text: string, title: string): string | undefined {
  const sections = text.split(/^─+\n/m);
  return sections[sections.findIndex((part) => part.startsWith(title)) + 1]?.trim();
}

test('the demo prints the comment without its hidden lines', () => {
  const body = '<!-- scangate:v1 check=1 -->\n<!-- scangate-state v1:x -->\n## Passed\n\n<!-- a -->\nWords';
  expect(sectionOf(describeRun(RUN, withComment(body)), 'Comment on the pull request')).toBe(
    '## Passed\n\n<!-- a -->\nWords',
  );
});

test('below the comment, the demo says how much the fake service read', () => {
  const shown = describeRun(RUN, withComment('## Blocked'), 'It read 1 of 2 files.');
  expect(sectionOf(shown, 'Comment on the pull request')).toBe(
    '## Blocked\n\n(Added by the demo: It read 1 of 2 files.)',
  );
  const none = describeRun(RUN, { checkRuns: [], comments: [] }, 'It read 1 of 2 files.');
  expect(sectionOf(none, 'Comment on the pull request')).toBe('(none)');
});

test('the demo prints the job summary with every finding, but without collapsed details', () => {
  const summary = [
    '### Reported',
    '**one**',
    '',
    '<details><summary>What it is</summary>',
    '',
    'long',
    '</details>',
    '',
    '### Below medium',
    '**two**',
    '',
  ].join('\n');
  expect(sectionOf(describeRun({ ...RUN, summary }, withComment('')), 'Job summary')).toBe(
    '### Reported\n**one**\n\n### Below medium\n**two**',
  );
});

test('the demo truncates a long job summary, and states how much is left out', () => {
  const summary = `${Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n')}\n`;
  const shown = sectionOf(describeRun({ ...RUN, summary }, withComment('')), 'Job summary') ?? '';
  expect(shown).toMatch(/^line 60\n\(40 more lines are /m);
  expect(shown).not.toContain('line 61');
});

test('describeRun prints the comment and the job summary as text', () => {
  const markdown = '**a** <code>WONT&#95;FIX</code>';
  const shown = describeRun({ ...RUN, summary: markdown }, withComment(markdown));
  for (const title of ['Comment on the pull request', 'Job summary'])
    expect(sectionOf(shown, title)).toBe('**a** `WONT_FIX`');
});

test('describeRun prints the log with its groups expanded', () => {
  const log = 'a\n##[group]Findings\nb\n##[endgroup]\nc\n##[warning]d\n##[error]e\n';
  const shown = describeRun({ ...RUN, log }, { checkRuns: [], comments: [] });
  expect(sectionOf(shown, 'Log')).toBe('a\n▾ Findings\n  b\nc\nWarning: d\nError: e');
});

test.each([
  [
    'the findings',
    'a\n##[group]Findings (2)\nb\nc\n##[endgroup]\n##[error]Blocked',
    '\nFindings (2)\n  b\n  c\n',
  ],
  [
    'how many findings are not listed',
    '##[group]Findings (1)\nb\n##[endgroup]\nNot listed here: 2 findings below medium. See the list.\nBlocked.',
    '\nFindings (1)\n  b\nNot listed here: 2 findings below medium. See the list.\n',
  ],
  ['the error of a run without a scan', 'a\n##[error]Not scanned: timed out.', '\nNot scanned: timed out.\n'],
  ['that there is none', 'a\nPassed: no findings.', '\nThe run reported no findings.\n'],
])('describeFindings prints %s', (_what, log, shown) => {
  expect(describeFindings(log)).toBe(shown);
});

test('describeRun prints no location for an annotation without a file', () => {
  const place = { title: undefined, file: undefined, line: undefined, endLine: undefined };
  const annotations = [
    { ...place, level: 'error', message: 'Blocked' },
    { ...place, level: 'warning', message: 'Old', file: 'a.js', line: 3 },
  ] as const;
  const shown = describeRun({ ...RUN, annotations: [...annotations] }, { checkRuns: [], comments: [] });
  expect(sectionOf(shown, 'Annotations')).toBe('error (log)  Blocked\nwarning (log)  a.js:3  Old');
});

test('describeRun prints "(none)" for a missing check run, comment or job summary', () => {
  const text = describeRun(RUN, { checkRuns: [], comments: [] });
  for (const title of ['Check run', 'Comment on the pull request', 'Job summary'])
    expect(sectionOf(text, title)).toBe('(none)');
});
