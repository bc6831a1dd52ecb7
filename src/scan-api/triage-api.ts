import * as v from 'valibot';
import { err, ok } from '../domain/result.ts';
import { type CallerOptions, type CallOptions, createCaller } from './call.ts';
import {
  type Decoded,
  decode,
  type ForeignRecord,
  firstOf,
  isRecord,
  pathSegment as segment,
  text,
} from './lookup.ts';

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
function resolutionBody(resolutionStatus: string, content: string): ForeignRecord {
  return { resolutionStatus, note: { content } };
}

/**
 * Reads the answer to the request that changes the status of a finding. Fails if the answer names another finding or
 * another status than the request.
 */
function decodeChanged(
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

function decodeNotes(json: unknown): Decoded<FindingNotes> {
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

/** A new status and a note for one finding. */
export interface ResolutionChange {
  readonly findingId: string;
  /** A status from the service's contract. */
  readonly status: string;
  /** Markdown with at least one character. */
  readonly note: string;
}

/** The triage action's requests about findings. They use a token of their own, which the gate does not have. */
export type TriageApi = ReturnType<typeof createTriageApi>;

export function createTriageApi(options: CallerOptions) {
  const { call } = createCaller(options);
  const findingPath = (projectId: string, findingId: string) =>
    `/projects/${segment(projectId)}/findings/${segment(findingId)}`;

  return {
    /**
     * Changes the status of one finding, in one attempt and without a wait. If the answer does not show whether the
     * service acted, the caller has to read the finding again.
     *
     * A 200 answer that names another finding, or another status than the new one, is an error.
     */
    changeResolution: (
      projectId: string,
      { findingId, status, note }: ResolutionChange,
      until: CallOptions,
    ) =>
      call(until, {
        operation: 'change the resolution of a finding',
        method: 'PATCH',
        path: `${findingPath(projectId, findingId)}/resolution`,
        body: resolutionBody(status, note),
        attempts: 1,
        atOnce: true,
        decode: (json) => decodeChanged(json, { findingId, status }),
      }),

    /** Reads the status and the notes of one finding, in up to four attempts. */
    readNotes: (projectId: string, findingId: string, until: CallOptions) =>
      call(until, {
        operation: 'read a finding',
        path: findingPath(projectId, findingId),
        decode: decodeNotes,
      }),
  };
}
