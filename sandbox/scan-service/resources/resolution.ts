import type { Answer } from '../../faults/interception.ts';
import { badRequest, notFound, Refusal } from '../refusal.ts';
import type { Call, FindingRecord, NoteRecord } from '../state.ts';
import { findFinding } from '../visibility.ts';
import { addNote } from './notes.ts';

/** The seven statuses, each with the reasons that it accepts. Null means that the status ignores reasons. */
export const RESOLUTION_REASONS: ReadonlyMap<string, readonly string[] | null> = new Map([
  ['NOT_STARTED', null],
  ['IN_PROGRESS', null],
  ['RESOLVED', ['fixed_in_code', 'fixed_upstream', 'code_removed']],
  ['MITIGATED', ['compensating_control', 'limited_exposure', 'monitored']],
  [
    'FALSE_POSITIVE',
    ['not_reachable', 'guarded_elsewhere', 'intended_behavior', 'misread_code', 'bad_assumption'],
  ],
  ['WONT_FIX', ['risk_accepted', 'out_of_scope', 'not_worth_fixing', 'code_being_removed']],
  ['DUPLICATE', ['duplicate_of_finding', 'same_root_cause']],
]);

/**
 * Changes the resolution of a finding. If the request has a note, pins the note, because it explains the resolution.
 */
export function changeResolution(call: Call): Answer | Refusal {
  const finding = findFinding(call);
  if (finding instanceof Refusal) return finding;
  const { resolutionStatus, note, reason } = call.body;
  const reasons = typeof resolutionStatus === 'string' ? RESOLUTION_REASONS.get(resolutionStatus) : undefined;
  if (typeof resolutionStatus !== 'string' || reasons === undefined) {
    return badRequest(`resolutionStatus must be one of ${[...RESOLUTION_REASONS.keys()].join(', ')}.`);
  }
  const comment =
    note === undefined ? commentOfReason(resolutionStatus, reasons, reason) : readNote(finding, note);
  if (comment instanceof Refusal) return comment;
  finding.resolutionStatus = resolutionStatus;
  const written = typeof comment === 'string' ? addNote(call.state, finding, comment) : comment;
  // A comment that only names the reason is not pinned.
  if (note !== undefined && written !== undefined) finding.pinnedNoteId = written.id;
  return { status: 200, body: { findingId: finding.id, resolutionStatus } };
}

/**
 * Makes the comment that names the reason. Undefined if the request has no reason, or if the status ignores reasons.
 */
function commentOfReason(
  status: string,
  reasons: readonly string[] | null,
  reason: unknown,
): string | undefined | Refusal {
  if (reason === undefined || reasons === null) return undefined;
  if (typeof reason === 'string' && reasons.includes(reason)) return `Resolution ${status}: ${reason}`;
  return badRequest(`reason must be one of ${reasons.join(', ')} for ${status}.`);
}

/** Reads the text of a new note, or finds an existing note. */
function readNote(finding: FindingRecord, note: unknown): string | NoteRecord | Refusal {
  if (typeof note !== 'object' || note === null || Array.isArray(note))
    return badRequest('note must be an object.');
  const { content, existingNoteId }: { content?: unknown; existingNoteId?: unknown } = note;
  if (typeof existingNoteId === 'string' && content === undefined) {
    return finding.notes.find((one) => one.id === existingNoteId) ?? notFound('The note');
  }
  return typeof content === 'string' && content !== '' && existingNoteId === undefined
    ? content
    : badRequest('note must have either content, a string with text, or existingNoteId, the id of a note.');
}
