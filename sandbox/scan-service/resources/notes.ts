import { textAt } from '../../json.ts';
import type { NoteRecord } from '../records.ts';
import { notFound } from '../refusal.ts';
import { showNote } from '../serializers.ts';
import type { FindingRecord, ServiceState } from '../state.ts';
import { onFinding } from '../visibility.ts';

export const createNote = onFinding(({ state, body }, finding) => {
  const note = addNote(state, finding, textAt(body, 'content') ?? '');
  return { status: 201, body: { note: showNote(finding, note) } };
});

/** Pins the note that explains the resolution. Only one note is pinned at a time. */
export const pinNote = onFinding(({ params }, finding) => {
  const note = finding.notes.find((one) => one.id === params['noteId']);
  if (note === undefined) return notFound('The note');
  finding.pinnedNoteId = note.id;
  return { status: 200, body: { findingId: finding.id, noteId: note.id } };
});

export function addNote(state: ServiceState, finding: FindingRecord, content: string): NoteRecord {
  const id = `note_${finding.notes.length + 1}_${finding.id}`;
  const note = { id, content, createdAt: state.now() };
  finding.notes.push(note);
  return note;
}
