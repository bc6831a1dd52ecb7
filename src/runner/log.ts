import * as core from '@actions/core';
import type { CheckAnnotation } from '../domain/check-output.ts';
import { inChunks, logLine, logLines } from '../text/log-text.ts';

/** The log of the step. Only this module escapes texts for the log. */
export interface Log {
  /** Prints one line. */
  info(text: string): void;
  /** Prints one line. */
  warning(text: string): void;
  /** Prints one annotation: the text, then the lines of `more` below it. */
  error(text: string, more?: readonly string[]): void;
  /** Prints lines in a group that has a title. */
  group(title: string, lines: readonly string[]): void;
  /**
   * Prints an annotation by a workflow command. Used if the token may not write check runs. Prints nothing and returns
   * false if GitHub's limit is reached.
   */
  annotate(annotation: CheckAnnotation): boolean;
  /** Masks a secret in everything that the job prints from now on. */
  mask(secret: string): void;
  /** Prints a line. Undefined if the job runs without step debug logging. */
  readonly debug?: ((text: string) => void) | undefined;
}

/**
 * GitHub documents for workflow commands: "10 warning annotations, 10 error annotations, and 10 notice annotations per
 * step". This includes warnings and errors that name no file and line. Further annotations appear only in the log.
 */
const ANNOTATIONS_PER_LEVEL = 10;
/** A failed verdict is printed as the last error. One error is reserved, so that GitHub does not drop the verdict. */
const KEPT_FOR_VERDICT = { failure: 1, warning: 0, notice: 0 };

/** Creates the log of this step. @param isDebug true if the job runs with step debug logging */
export function createRunnerLog(isDebug = core.isDebug()): Log {
  const used = { failure: 0, warning: 0, notice: 0 };
  return {
    info: (text) => core.info(logLine(text)),
    warning: (text) => {
      used.warning += 1;
      core.warning(logLine(text));
    },
    error: (text, more = []) => {
      used.failure += 1;
      core.error([text, ...more].map(logLine).join('\n'));
    },
    group: (title, lines) => {
      core.startGroup(logLine(title));
      const ended = lines.map((line) => `${logLine(line)}\n`);
      // The toolkit adds a line break of its own to each text.
      for (const chunk of inChunks(ended)) core.info(chunk.slice(0, -1));
      core.endGroup();
    },
    annotate: ({ path, startLine, endLine, level, title, message }) => {
      if (used[level] >= ANNOTATIONS_PER_LEVEL - KEPT_FOR_VERDICT[level]) return false;
      used[level] += 1;
      const place = { file: path, startLine, endLine, title: logLine(title) };
      // The indentation shows which lines come from the service, and which lines are ours.
      const text = logLines(message).replaceAll('\n', '\n  ');
      if (level === 'failure') core.error(text, place);
      else if (level === 'warning') core.warning(text, place);
      else core.notice(text, place);
      return true;
    },
    mask: (secret) => {
      if (secret !== '') core.setSecret(secret);
    },
    debug: isDebug ? (text) => core.debug(logLine(text)) : undefined,
  };
}

/** Logs each sentence at once, and keeps it for the report. Ignores a sentence that it has logged before. */
export type Warn = (...sentences: readonly string[]) => void;

export interface Warnings {
  readonly warn: Warn;
  /** Returns the warnings in the order in which they were given. */
  readonly list: () => readonly string[];
}

export function createWarnings(log: Log): Warnings {
  const kept = new Set<string>();
  return {
    warn: (...sentences) => {
      for (const sentence of sentences) {
        if (!kept.has(sentence)) log.warning(sentence);
        kept.add(sentence);
      }
    },
    list: () => [...kept],
  };
}
