import type { FakeGitHub } from '../github/server.ts';
import type { ActionRun } from '../runner/action-run.ts';
import { plainMarkdown } from './plain-markdown.ts';

const RULE = '─'.repeat(78);
/** The most lines of the job summary that are printed. Our choice: about two screens. The preview shows all lines. */
const MOST_SUMMARY_LINES = 60;

/**
 * Describes the results of a run as plain text: log, annotations, comment, job summary, outputs.
 * @param coverage a text that says how much the fake service read. The demo prints it below the comment
 */
export function describeRun(
  run: Pick<ActionRun, 'annotations' | 'log' | 'outputs' | 'summary'>,
  github: Pick<FakeGitHub, 'checkRuns' | 'comments'>,
  coverage?: string,
): string {
  const annotations = [
    ...github.checkRuns.flatMap((checkRun) =>
      checkRun.annotations.map(
        ({ annotation_level: level, path, start_line: line, title }) =>
          `${level}  ${path}:${line}  ${title ?? ''}`,
      ),
    ),
    ...run.annotations.map(
      ({ level, file, line, message }) =>
        `${level} (log)  ${file === undefined ? '' : `${file}:${line ?? ''}  `}${message}`,
    ),
  ];
  const checks = github.checkRuns.map(
    ({ name, conclusion, output }) => `${name}: ${conclusion} (${output?.title ?? ''})`,
  );
  return [
    ...section('Log', [shownLog(run.log.trimEnd())]),
    ...section('Check run', checks),
    ...section('Annotations', annotations),
    ...section(
      'Comment on the pull request (as text, without hidden lines)',
      github.comments.flatMap(({ body }) => [
        plainMarkdown(withoutHiddenLines(body)),
        ...(coverage === undefined ? [] : ['', `(Added by the demo: ${coverage})`]),
      ]),
    ),
    ...section('Job summary (as text, without folded details)', shortSummary(run.summary)),
    ...section(
      'Outputs',
      Object.entries(run.outputs)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `${name}: ${value}`),
    ),
  ].join('\n');
}

/** Returns the part of the log that lists and counts the findings, or the error that ended the run. */
export function describeFindings(log: string): string {
  const [, group] = /^##\[group\](Findings [\s\S]*?)\n##\[endgroup\]$/m.exec(log) ?? [];
  const [, error] = /^##\[error\](.*)$/m.exec(log) ?? [];
  const [unlisted] = /^Not listed here: .*$/m.exec(log) ?? [];
  const more = unlisted === undefined ? '' : `\n${unlisted}`;
  return `\n${group?.replaceAll('\n', '\n  ') ?? error ?? 'The run reported no findings.'}${more}\n`;
}

/**
 * Renders the log as GitHub shows it when all groups are open. Lines of a group are indented. Errors begin with
 * `Error:`, and warnings with `Warning:`.
 */
function shownLog(log: string): string {
  let indent = '';
  const lines: string[] = [];
  for (const line of log.split('\n')) {
    const [, command, text = ''] = /^##\[(\w+)\](.*)$/.exec(line) ?? [];
    if (command === 'group') lines.push(`▾ ${text}`);
    else if (command === 'error') lines.push(`Error: ${text}`);
    else if (command === 'warning') lines.push(`Warning: ${text}`);
    else if (command !== 'endgroup') lines.push(`${indent}${line}`);
    if (command === 'group') indent = '  ';
    if (command === 'endgroup') indent = '';
  }
  return lines.join('\n');
}

/** Removes the hidden lines by which the action recognizes its comment. GitHub does not show them either. */
function withoutHiddenLines(body: string): string {
  return body.replace(/^(?:<!-- .* -->\n)+/, '');
}

function shortSummary(summary: string): string[] {
  const lines = plainMarkdown(summary.replace(/<details>.*?<\/details>\n*/gs, '')).split('\n');
  const left = lines.length - MOST_SUMMARY_LINES;
  if (left <= 0) return lines;
  return [...lines.slice(0, MOST_SUMMARY_LINES), `(${left} more lines are on the page named below)`];
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', RULE, title, RULE, ...(lines.some((line) => line !== '') ? lines : ['(none)'])];
}
