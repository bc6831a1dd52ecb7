import { expect, test } from 'vitest';
import { describeCoverage } from '../../../sandbox/demo/describe-coverage.ts';
import { describeFindings, describeRun } from '../../../sandbox/demo/print-run.ts';

const place = { title: undefined, file: undefined, line: undefined, endLine: undefined };
const COMMENT = {
  id: 1,
  issue: 7,
  author: 'github-actions[bot]',
  type: 'Bot',
  createdAt: '',
  updatedAt: '',
  htmlUrl: '',
} as const;
const HIDDEN = '<!-- scangate:v1 check=1 -->\n<!-- scangate-state v1:x -->\n';
const FOLDED = '<details><summary>What it is</summary>\n\nlong\n</details>\n\n';

const LOGS: Readonly<Record<string, string>> = {
  'the findings': 'a\n##[group]Findings (2)\nb\nc\n##[endgroup]\n##[error]Blocked',
  'findings that are not listed':
    '##[group]Findings (1)\nb\n##[endgroup]\nNot listed here: 2 findings below medium. See the list.\nBlocked.',
  'a run without a scan': 'a\n##[error]Not scanned: timed out.',
  'no findings': 'a\nPassed: no findings.',
};

test('the demo prints what a run left as plain text, without hidden lines and folded details', async () => {
  const summary = `### Reported\n**one** <code>WONT&#95;FIX</code>\n\n${FOLDED}### Below medium\n**two**\n`;
  const run = {
    annotations: [
      { ...place, level: 'error', message: 'Blocked' },
      { ...place, level: 'warning', message: 'Old', file: 'a.js', line: 3 },
    ],
    log: 'a\n##[group]Findings\nb\n##[endgroup]\nc\n##[warning]d\n##[error]e\n',
    outputs: { outcome: 'passed', reason: '' },
    summary,
  } satisfies Parameters<typeof describeRun>[0];
  const body = `${HIDDEN}## Passed <code>WONT&#95;FIX</code>\n\n<!-- a -->\nWords`;
  const github = { checkRuns: [], comments: [{ ...COMMENT, body }] };
  const nothing = { annotations: [], log: '', outputs: {}, summary: '' };
  const long = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`).join('\n');
  const coverages = [
    { filesRead: 4, codeFilesRead: 0, filesSkipped: 0 },
    { filesRead: 3, codeFilesRead: 2, filesSkipped: 1 },
    { filesRead: 1, codeFilesRead: 1, filesSkipped: 0 },
    undefined,
  ];
  const text = [
    describeRun(run, github, 'It read 1 of 2 files.'),
    '\n# Nothing',
    describeRun(nothing, { checkRuns: [], comments: [] }, 'It read 1 of 2 files.'),
    '\n# The end of a long job summary',
    ...describeRun({ ...nothing, summary: long }, github)
      .split('\n')
      .slice(-10),
    '\n# Without --all',
    ...Object.entries(LOGS).map(([name, log]) => `## ${name}${describeFindings(log)}`),
    '# Coverage',
    ...coverages.map(describeCoverage),
  ];
  await expect(`${text.join('\n').trim()}\n`).toMatchFileSnapshot('print-run.golden.txt');
});
