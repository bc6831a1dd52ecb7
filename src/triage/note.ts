import type { ResolutionStatus } from '../domain/resolution.ts';
import { cutCharacters } from '../text/text-limit.ts';
import { visibleLine, visibleLines } from '../text/visible-text.ts';

/** The facts that a note records. The service knows only the token, and not the person who wrote the command. */
export interface NoteFacts {
  readonly status: ResolutionStatus;
  readonly reason: string | undefined;
  readonly login: string;
  readonly pullRequestUrl: string;
  readonly headSha: string;
  /** The address of the comment with the command. Only the notes of this command contain this address. */
  readonly commentUrl: string;
  /** The text of the comment after the command. Foreign text. */
  readonly text: string;
}

/**
 * Our choice: the maximum length of the user's text in a note, in characters. The comment on GitHub keeps the full
 * text.
 */
const LONGEST_TEXT = 10_000;

/**
 * Writes the note that the service stores with the new status of a finding, in markdown. The user's text is a
 * quotation, so that readers cannot take it for our text. Pure.
 */
export function noteOf(facts: NoteFacts): string {
  const { status, reason = 'none given', login, pullRequestUrl, headSha, commentUrl, text } = facts;
  const lines = [
    `Set to ${status} by ${visibleLine(login)} with a comment on GitHub.`,
    '',
    `- Reason code: ${reason}`,
    `- Pull request: ${pullRequestUrl}`,
    `- Head commit: ${headSha}`,
    lineOf(commentUrl),
  ];
  if (text === '') return lines.join('\n');
  const isCut = text.length > LONGEST_TEXT;
  const quoted = visibleLines(cutCharacters(text, LONGEST_TEXT))
    .split('\n')
    .map((line) => `> ${line}`.trimEnd());
  return [...lines, '', ...quoted, ...(isCut ? ['', 'The comment has the rest of this text.'] : [])].join(
    '\n',
  );
}

/** Counts the notes of the command in this comment. Pure. */
export function countNotesOf(commentUrl: string, notes: readonly string[]): number {
  const wanted = lineOf(commentUrl);
  return notes.filter((note) => note.split(/\r?\n/).some((line) => line.trimEnd() === wanted)).length;
}

function lineOf(commentUrl: string): string {
  return `- Comment: ${commentUrl}`;
}
