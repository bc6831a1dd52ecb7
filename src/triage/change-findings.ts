import type { Clock } from '../clock.ts';
import type { Finding, ResolutionStatus } from '../domain/finding.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { classifyWrite } from '../scan-api/retry.ts';
import type { ResolutionChange, TriageApi } from '../scan-api/triage-api.ts';
import { cutCharacters, visibleLine, visibleLines } from '../text/visible-text.ts';

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

/** The finding that a label of a command names, or the reason why the label names no single finding. */
export type Chosen =
  | { readonly kind: 'finding'; readonly label: string; readonly id: string }
  | { readonly kind: 'unknown' | 'ambiguous'; readonly label: string };

/** The number of characters after `ZK-` in a label. They are the last characters of the finding's id. */
const LABEL_LENGTH = 8;

/**
 * Finds the findings of one scan that the labels name. Returns a finding once, even if two labels name it. Pure.
 *
 * A label is the full id of a finding, or its last eight characters with or without `ZK-`. If no id ends in exactly
 * these eight characters, upper and lower case do not matter.
 */
export function chooseFindings(labels: readonly string[], findings: readonly Finding[]): readonly Chosen[] {
  const ids = [...new Set(findings.flatMap(({ id }) => id ?? []))];
  const chosen = new Map<string, Chosen>();
  for (const label of labels) {
    const found = chooseOne(label, ids);
    chosen.set(found.kind === 'finding' ? `finding ${found.id}` : `label ${label}`, found);
  }
  return [...chosen.values()];
}

function chooseOne(label: string, ids: readonly string[]): Chosen {
  if (ids.includes(label)) return named(label);
  const short = label.replace(/^zk-/i, '');
  const exact = ids.filter((id) => shortOf(id) === short);
  const folded = exact.length > 0 ? exact : ids.filter((id) => isSame(shortOf(id), short));
  const [id, other] = folded;
  if (id === undefined) return { kind: 'unknown', label };
  return other === undefined ? named(id) : { kind: 'ambiguous', label };
}

function named(id: string): Chosen {
  return { kind: 'finding', label: `ZK-${shortOf(id)}`, id };
}

function shortOf(id: string): string {
  return [...id].slice(-LABEL_LENGTH).join('');
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

export type ChangeResult =
  /**
   * `notes` is the number of notes of this command that the service shows. It is undefined if the request was sent
   * twice and the service shows no such note.
   */
  | { readonly kind: 'changed'; readonly notes: number | undefined }
  | { readonly kind: 'failed'; readonly error: ApiError }
  /** The answer was lost, and the service does not show whether it acted. */
  | { readonly kind: 'not-known'; readonly error: ApiError }
  /** The finding has the note of this command, but not the status that the command sets. */
  | { readonly kind: 'other-status'; readonly shown: string | undefined };

export interface ChangeDeps {
  readonly api: TriageApi;
  readonly projectId: string;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
}

/** Our choice: the wait after a lost answer. If the service acted, it shows the note after this time. */
const PAUSE_MS = 3_000;
/** The request is sent a second time only after a lost answer or a conflict. */
const MOST_SENDS = 2;

/**
 * Changes the status of one finding. After a lost answer or a conflict, checks whether the finding has the note of
 * this command. The status alone proves nothing, because it may have been the same before. If the notes cannot be
 * read, the request is not repeated.
 */
export async function changeFinding(
  deps: ChangeDeps,
  change: ResolutionChange,
  commentUrl: string,
): Promise<ChangeResult> {
  const { api, projectId, signal, clock } = deps;
  let isLost = false;
  for (let sends = 1; ; sends += 1) {
    const sent = await api.changeResolution(projectId, change, { signal });
    if (sent.ok)
      return sends === 1 ? ONCE : { kind: 'changed', notes: await countNotes(deps, change, commentUrl) };
    const { error } = sent;
    const isConflict = error.kind === 'refused' && error.code === 'conflict';
    const isAmbiguous = !isConflict && classifyWrite(error) === 'ambiguous';
    isLost ||= isAmbiguous;
    const undone: ChangeResult = { kind: isLost ? 'not-known' : 'failed', error };
    if (!isConflict && !isAmbiguous) return undone;
    if (isAmbiguous) await clock.sleep(PAUSE_MS, signal);
    const now = await api.readNotes(projectId, change.findingId, { signal });
    if (!now.ok || now.value.notes === undefined) return undone;
    const notes = countNotesOf(commentUrl, now.value.notes);
    if (notes > 0) {
      const { resolution: shown } = now.value;
      return shown === change.status ? { kind: 'changed', notes } : { kind: 'other-status', shown };
    }
    if (sends === MOST_SENDS) return undone;
  }
}

const ONCE: ChangeResult = { kind: 'changed', notes: 1 };

/**
 * Counts the notes of this command after a second request. There can be two, because the service may have acted late on
 * the first request.
 */
async function countNotes(
  { api, projectId, signal }: ChangeDeps,
  { findingId }: ResolutionChange,
  commentUrl: string,
): Promise<number | undefined> {
  const now = await api.readNotes(projectId, findingId, { signal });
  const notes = now.ok && now.value.notes !== undefined ? countNotesOf(commentUrl, now.value.notes) : 0;
  // The service has just accepted a note. If it shows no note, it shows notes in a form that we do not know.
  return notes === 0 ? undefined : notes;
}
