import type { FakeGitHub } from '../github/server.ts';
import type { ActionRun } from '../runner/action-run.ts';

const RULE = '─'.repeat(78);
/** About two screens; the preview has the rest. */
const MOST_SUMMARY_LINES = 60;

/**
 * The results of a run as plain text: log, annotations, comment, job summary, outputs.
 * @param coverage how much the fake service read; the service's documentation has no such count, so that the comment
 * itself cannot show it
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
      ({ level, file, line, message }) => `${level} (log)  ${file ?? ''}:${line ?? ''}  ${message}`,
    ),
  ];
  const checks = github.checkRuns.map(
    ({ name, conclusion, output }) => `${name}: ${conclusion} (${output?.title ?? ''})`,
  );
  return [
    ...section('Log', [run.log.trimEnd()]),
    ...section('Check run', checks),
    ...section('Annotations', annotations),
    ...section(
      'Comment on the pull request (markdown, without hidden lines)',
      github.comments.flatMap(({ body }) => [
        withoutHiddenLines(body),
        ...(coverage === undefined ? [] : ['', `(Added by the demo: ${coverage})`]),
      ]),
    ),
    ...section('Job summary (markdown, without folded details)', shortSummary(run.summary)),
    ...section(
      'Outputs',
      Object.entries(run.outputs)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `${name}: ${value}`),
    ),
  ].join('\n');
}

/** The action recognizes its comment by these lines. GitHub does not show them. */
function withoutHiddenLines(body: string): string {
  return body.replace(/^(?:<!-- .* -->\n)+/, '');
}

function shortSummary(summary: string): string[] {
  const lines = summary
    .replace(/<details>.*?<\/details>\n*/gs, '')
    .trimEnd()
    .split('\n');
  const left = lines.length - MOST_SUMMARY_LINES;
  if (left <= 0) return lines;
  return [...lines.slice(0, MOST_SUMMARY_LINES), `(${left} more lines are on the page named below)`];
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', RULE, title, RULE, ...(lines.some((line) => line !== '') ? lines : ['(none)'])];
}
