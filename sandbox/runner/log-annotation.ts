import { isAbsolute, relative } from 'node:path';
import type { WorkflowCommand } from './workflow-command.ts';

/** An annotation that a step creates by a log command. It has the form in which GitHub stores it. */
export interface LogAnnotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly message: string;
  readonly title: string | undefined;
  /** Relative to the workspace if the file is inside. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly endLine: number | undefined;
}

/**
 * Makes an annotation from a log command, like GitHub's runner. If only the end line is given, the annotation also
 * starts there. If the end line is before the start line, both are dropped.
 */
export function toAnnotation(
  level: LogAnnotation['level'],
  { data, properties }: WorkflowCommand,
  workspace: string,
): LogAnnotation {
  const start = integer(properties.get('line'));
  const end = integer(properties.get('endline'));
  const backwards = start !== undefined && end !== undefined && end < start;
  const file = properties.get('file');
  return {
    level,
    message: data,
    title: properties.get('title'),
    file: file === undefined ? undefined : insideWorkspace(file, workspace),
    line: backwards ? undefined : (start ?? end),
    endLine: backwards ? undefined : end,
  };
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*[+-]?\d{1,9}\s*$/.test(text) ? Number(text) : undefined;
}

function insideWorkspace(file: string, workspace: string): string {
  if (!isAbsolute(file)) return file;
  const inside = relative(workspace, file);
  return inside.startsWith('..') || isAbsolute(inside) ? file : inside.replaceAll('\\', '/');
}
