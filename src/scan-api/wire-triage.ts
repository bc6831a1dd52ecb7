import * as v from 'valibot';
import { err, ok } from '../domain/result.ts';
import { type Decoded, decode } from './decode.ts';
import { type ForeignRecord, firstOf, isRecord, text } from './lookup.ts';

// This module names the members of the request that changes a finding's status, and of the answer that shows the
// change.

/**
 * The names to try for the list of notes and for the text of a note, in this order. The contract does not show these
 * members.
 */
export const ASSUMED_NOTE = {
  notes: ['notes'],
  content: ['content', 'body', 'text', 'markdown'],
} as const;

const changed = v.object({ findingId: v.string(), resolutionStatus: v.string() });
const detail = v.object({ finding: v.custom<ForeignRecord>(isRecord, 'an object') });

/**
 * Makes the body of the request that changes the status of a finding. It has no `reason`, because the service ignores
 * a `reason` beside a note.
 */
export function resolutionBody(resolutionStatus: string, content: string): ForeignRecord {
  return { resolutionStatus, note: { content } };
}

/**
 * Reads the answer to the request that changes the status of a finding. Fails if the answer names another finding or
 * another status than the request.
 */
export function decodeChanged(
  json: unknown,
  sent: { readonly findingId: string; readonly status: string },
): Decoded<undefined> {
  const decoded = decode(changed, json);
  if (!decoded.ok) return decoded;
  const { findingId, resolutionStatus } = decoded.value;
  if (findingId !== sent.findingId) return err('`findingId` is another finding');
  return resolutionStatus === sent.status
    ? ok(undefined)
    : err('`resolutionStatus` is not the one that was sent');
}

/** The status of a finding, and its notes. */
export interface FindingNotes {
  readonly resolution: string | undefined;
  /** Undefined if the list or one of its notes cannot be read. */
  readonly notes: readonly string[] | undefined;
}

export function decodeNotes(json: unknown): Decoded<FindingNotes> {
  const decoded = decode(detail, json);
  if (!decoded.ok) return decoded;
  const { finding } = decoded.value;
  const list = firstOf(finding, ASSUMED_NOTE.notes, (value) => (Array.isArray(value) ? value : undefined));
  const notes = list?.map((note: unknown) => text(note) ?? firstOf(note, ASSUMED_NOTE.content, text));
  const isWhole = notes?.every((note) => note !== undefined) === true;
  return ok({
    resolution: firstOf(finding, ['resolutionStatus'], text),
    notes: isWhole ? notes.filter((note) => note !== undefined) : undefined,
  });
}
