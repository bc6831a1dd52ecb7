import type { Answer } from '../../faults/interception.ts';
import { badRequest, notFound, Refusal } from '../refusal.ts';
import { showNote } from '../serializers.ts';
import type { Call, FindingRecord, NoteRecord, ServiceState } from '../state.ts';
import { findFinding } from '../visibility.ts';

export function createNote(call: Call): Answer | Refusal {
  const finding = findFinding(call);
  if (finding instanceof Refusal) return finding;
  const { content } = call.body;
  if (typeof content !== 'string' || content === '') return badRequest('content must be a string with text.');
  const note = addNote(call.state, finding, content);
  return { status: 201, body: { note: showNote(finding, note) } };
}

/** Pins the note that explains the resolution. Only one note is pinned at a time. */
export function pinNote(call: Call): Answer | Refusal {
  const finding = findFinding(call);
  if (finding instanceof Refusal) return finding;
  if (call.body['kind'] !== 'resolution') return badRequest('kind must be resolution.');
  const note = finding.notes.find((one) => one.id === call.params['noteId']);
  if (note === undefined) return notFound('The note');
  finding.pinnedNoteId = note.id;
  return { status: 200, body: { findingId: finding.id, noteId: note.id } };
}

export function addNote(state: ServiceState, finding: FindingRecord, content: string): NoteRecord {
  const id = `note_${finding.notes.length + 1}_${finding.id}`;
  const note = { id, content, createdAt: state.now() };
  finding.notes.push(note);
  return note;
}
