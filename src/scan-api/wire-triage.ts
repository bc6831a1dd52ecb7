import * as v from 'valibot';
import { err, ok } from '../domain/result.ts';
import { type Decoded, decode } from './decode.ts';
import { type ForeignRecord, firstOf, isRecord, text } from './lookup.ts';

// The names of what triage writes, and of what it reads to find out whether that was done.

/** Names to look for, in order: the contract does not show the fields of a note. */
export const ASSUMED_NOTE = {
  notes: ['notes'],
  content: ['content', 'body', 'text', 'markdown'],
} as const;

const changed = v.object({ findingId: v.string(), resolutionStatus: v.string() });
const detail = v.object({ finding: v.custom<ForeignRecord>(isRecord, 'an object') });

/** Never `reason`: the service ignores it beside a note. */
export function resolutionBody(resolutionStatus: string, content: string): ForeignRecord {
  return { resolutionStatus, note: { content } };
}

/** An answer that names another finding or another status than was sent is an error. */
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

/** What the service shows of earlier changes. */
export interface FindingNotes {
  readonly resolution: string | undefined;
  /** Undefined: not all of them can be read. */
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
