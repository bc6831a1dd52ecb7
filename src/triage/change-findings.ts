import type { Clock } from '../clock.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import { userMayWrite } from '../github/people.ts';
import { readCurrentComment } from '../github/reply.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { classifyWrite } from '../scan-api/retry.ts';
import type { ResolutionChange, TriageApi } from '../scan-api/triage-api.ts';
import { cutCharacters, visibleLine, visibleLines } from '../text/visible-text.ts';
import { DELETED, EDITED, NO_ACCESS, NOTES_UNREADABLE, OVERTAKEN, TOO_SLOW } from './change-refusal.ts';
import { type Change, type Command, isAsWritten } from './command.ts';
import type { Subject } from './decide.ts';
import { type Refusal, unreadable } from './refusal.ts';
import { readHead } from './rerun-gate.ts';

/**
 * Refuses a command if its comment was edited or deleted, its author has lost access, or the pull request was closed or
 * has another head. Other users do not see an edited command as it was written.
 */
async function refuseLate(
  { github, signal }: GitHubAccess,
  command: Command,
  subject: Subject,
): Promise<Refusal | undefined> {
  const [comment, may, head] = await Promise.all([
    readCurrentComment(github.until(signal), command.commentId),
    userMayWrite(github.until(signal), command.author),
    readHead({ github, signal }, subject),
  ]);
  if (!comment.ok) return unreadable(comment.error);
  if (comment.value === undefined) return DELETED;
  if (!isAsWritten(command, comment.value)) return EDITED;
  if (!may.ok) return unreadable(may.error);
  if (!may.value) return NO_ACCESS;
  return head.ok ? undefined : head.error;
}

/**
 * Our choice: the maximum length of the user's text in a note, in characters. The comment on GitHub keeps the full
 * text.
 */
const LONGEST_TEXT = 10_000;

/**
 * Writes the note that the service stores with the new status of a finding, in markdown. The service knows only the
 * token, so the note names the person who wrote the command. The user's text is a quotation, so that readers cannot take
 * it for our text. Pure.
 */
export function noteOf(
  { command, commentUrl, subject }: Asked,
  { status, reason = 'none given', note: text }: Change,
  pullRequestUrl: string,
): string {
  const lines = [
    `Set to ${status} by ${visibleLine(command.author.login)} with a comment on GitHub.`,
    '',
    `- Reason code: ${reason}`,
    `- Pull request: ${pullRequestUrl}`,
    `- Head commit: ${subject.headSha}`,
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
  return notes.filter((note) => linesOf(note).includes(wanted)).length;
}

/**
 * True if a note is of a later comment than this one, on any pull request of the repository. GitHub gives later
 * comments larger ids. Pure.
 */
export function hasLaterNote(commentUrl: string, notes: readonly string[]): boolean {
  const [root = '', id = ''] = addressIn(lineOf(commentUrl));
  return notes.flatMap(linesOf).some((line) => {
    const [otherRoot, otherId] = addressIn(line);
    return otherRoot === root && Number(otherId) > Number(id);
  });
}

function addressIn(line: string): readonly string[] {
  return /^(- Comment: .+\/pull\/)\d+#issuecomment-(\d{1,15})$/.exec(line)?.slice(1) ?? [];
}

function linesOf(note: string): readonly string[] {
  return note.split(/\r?\n/).map((line) => line.trimEnd());
}

function lineOf(commentUrl: string): string {
  return `- Comment: ${commentUrl}`;
}

export type ChangeResult =
  /**
   * `notes` is the number of notes of this command that the service shows. It is undefined if the request was sent
   * twice and the service shows no such note.
   */
  | { readonly kind: 'changed'; readonly notes: number | undefined }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** No request was sent. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The answer was lost, and the service does not show whether it acted. */
  | { readonly kind: 'not-known'; readonly error: ApiError }
  /** The finding has the note of this command, but not the status that the command sets. */
  | { readonly kind: 'other-status'; readonly shown: string | undefined };

/** The command that changes findings. */
export interface Asked {
  readonly command: Command;
  /** The address of the comment with the command. Only the notes of this command contain this address. */
  readonly commentUrl: string;
  /** The head that the command is about. */
  readonly subject: Subject;
}

/** The command, and what its changes need. */
export interface Changing extends GitHubAccess, Asked {
  readonly api: TriageApi;
  readonly projectId: string;
  readonly clock: Clock;
}

/** Our choice: the wait after a lost answer. If the service acted, it shows the note after this time. */
const PAUSE_MS = 3_000;
/** The request is sent a second time only if it was not sent, after a lost answer or a conflict. */
const MOST_SENDS = 2;
/** Our choice: a last look that took longer is repeated, because it may be outdated. */
const LONGEST_LOOK_MS = 15_000;
const MOST_LOOKS = 3;

/**
 * Changes the status of one finding. Sends the request only right after a look that shows that the command still holds:
 * at the notes of the finding, the comment, the access of its author and the head. Nothing is waited for in between.
 *
 * After a lost answer or a conflict, the notes show whether the service acted. The status alone proves nothing, because
 * it may have been the same before. If the notes cannot be read, the request is not repeated.
 */
export async function changeFinding(changing: Changing, change: ResolutionChange): Promise<ChangeResult> {
  const { api, projectId, signal, clock } = changing;
  let undone: ChangeResult | undefined;
  for (let sends = 0; ; sends += 1) {
    const looked: ChangeResult | undefined = await lookAt(changing, change);
    if (looked !== undefined) {
      const isOwn = looked.kind === 'changed' || looked.kind === 'other-status';
      return undone?.kind === 'not-known' && !isOwn ? undone : looked;
    }
    if (undone !== undefined && sends === MOST_SENDS) return undone;
    const sent = await api.changeResolution(projectId, change, { signal });
    if (sent.ok)
      return sends === 0 ? ONCE : { kind: 'changed', notes: await countNotes(changing, change.findingId) };
    const { error } = sent;
    const isConflict = error.kind === 'refused' && error.code === 'conflict';
    const failure = isConflict ? 'not-sent' : classifyWrite(error);
    const isLost = failure === 'ambiguous' || undone?.kind === 'not-known';
    undone = isLost ? { kind: 'not-known', error } : { kind: 'failed', error };
    if (failure !== 'not-sent' && failure !== 'ambiguous') return undone;
    if (!isConflict) await clock.sleep(PAUSE_MS, signal);
  }
}

const ONCE: ChangeResult = { kind: 'changed', notes: 1 };

/**
 * Looks whether the command still holds. Repeats a look that took long. Returns undefined if the request may be sent
 * now.
 */
async function lookAt(
  changing: Changing,
  { findingId, status }: ResolutionChange,
): Promise<ChangeResult | undefined> {
  const { api, projectId, signal, clock, command, commentUrl, subject } = changing;
  for (let looks = 1; looks <= MOST_LOOKS; looks += 1) {
    const startedAt = clock.now();
    const now = await api.readNotes(projectId, findingId, { signal });
    if (!now.ok) return { kind: 'failed', error: now.error };
    const { notes, resolution: shown } = now.value;
    if (notes === undefined) return refused(NOTES_UNREADABLE);
    const own = countNotesOf(commentUrl, notes);
    if (own > 0) return shown === status ? { kind: 'changed', notes: own } : { kind: 'other-status', shown };
    if (hasLaterNote(commentUrl, notes)) return refused(OVERTAKEN);
    const late = await refuseLate(changing, command, subject);
    if (late !== undefined) return refused(late);
    if (clock.now() - startedAt <= LONGEST_LOOK_MS) return undefined;
  }
  return refused(TOO_SLOW);
}

function refused(refusal: Refusal): ChangeResult {
  return { kind: 'refused', refusal };
}

/**
 * Counts the notes of this command after a second request. There can be two, because the service may have acted late on
 * the first request.
 */
async function countNotes(
  { api, projectId, signal, commentUrl }: Changing,
  findingId: string,
): Promise<number | undefined> {
  const now = await api.readNotes(projectId, findingId, { signal });
  const notes = now.ok && now.value.notes !== undefined ? countNotesOf(commentUrl, now.value.notes) : 0;
  // The service has just accepted a note. If it shows no note, it shows notes in a form that we do not know.
  return notes === 0 ? undefined : notes;
}
