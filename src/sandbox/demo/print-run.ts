import type { GitHubStandIn } from '../github/server.ts';
import type { ActionRun } from '../runner/run-action.ts';

const RULE = '─'.repeat(78);

/** What a person would look at after the run, as plain text: log, annotations, comment, verdict. */
export function describeRun(run: ActionRun, github: GitHubStandIn): string {
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
  const comments = github.comments.map(({ body }) => body);
  return [
    ...section('The log, as the job shows it', [run.log.trimEnd()]),
    ...section('Check run', checks),
    ...section('Annotations', annotations),
    ...section('The comment on the pull request (markdown)', comments),
    ...section(
      'Outputs',
      Object.entries(run.outputs)
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `${name}: ${value}`),
    ),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return ['', RULE, title, RULE, ...(lines.length > 0 ? lines : ['(none)'])];
}
