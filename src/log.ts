import * as core from '@actions/core';
import type { CheckAnnotation } from './domain/annotation.ts';
import { logLine, logLines } from './report/log-text.ts';

/** The step's log. Every text passes the log's escaper here, and nowhere else. */
export interface Log {
  info(text: string): void;
  warning(text: string): void;
  error(text: string): void;
  /** Several lines, folded under a title. */
  group(title: string, lines: readonly string[]): void;
  /** An annotation by workflow command, for a token that may not write a check run. */
  annotate(annotation: CheckAnnotation): void;
}

export const runnerLog: Log = {
  info: (text) => core.info(logLines(text)),
  warning: (text) => core.warning(logLines(text)),
  error: (text) => core.error(logLines(text)),
  group: (title, lines) => {
    core.startGroup(logLine(title));
    for (const line of lines) core.info(logLines(line));
    core.endGroup();
  },
  annotate: ({ path, startLine, endLine, level, title, message }) => {
    const place = { file: path, startLine, endLine, title: logLine(title) };
    const text = logLines(message);
    if (level === 'failure') core.error(text, place);
    else if (level === 'warning') core.warning(text, place);
    else core.notice(text, place);
  },
};
