import { objectAt, textAt } from '../../json.ts';
import { notFound } from '../refusal.ts';
import { onFinding } from '../visibility.ts';
import { addNote } from './notes.ts';

/** These statuses ignore reasons. */
const WITHOUT_REASON = ['NOT_STARTED', 'IN_PROGRESS'];

/**
 * Changes the resolution of a finding. If the request has a note, pins the note, because it explains the resolution. A
 * comment that only names the reason is not pinned.
 */
export const changeResolution = onFinding(({ state, body }, finding) => {
  const resolutionStatus = textAt(body, 'resolutionStatus') ?? '';
  const reason = textAt(body, 'reason');
  const note = objectAt(body, 'note');
  const [content, existing] = [textAt(note, 'content'), textAt(note, 'existingNoteId')];
  if (existing !== undefined && !finding.notes.some(({ id }) => id === existing)) return notFound('The note');
  finding.resolutionStatus = resolutionStatus;
  if (existing !== undefined) finding.pinnedNoteId = existing;
  else if (content !== undefined) finding.pinnedNoteId = addNote(state, finding, content).id;
  else if (reason !== undefined && !WITHOUT_REASON.includes(resolutionStatus))
    addNote(state, finding, `Resolution ${resolutionStatus}: ${reason}`);
  return { status: 200, body: { findingId: finding.id, resolutionStatus } };
});
