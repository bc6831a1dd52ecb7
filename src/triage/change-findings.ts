import type { Clock } from '../clock.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { classifyWrite } from '../scan-api/retry.ts';
import type { ResolutionChange, TriageApi } from '../scan-api/triage-api.ts';
import { countNotesOf } from './note.ts';

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
