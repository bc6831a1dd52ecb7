import { randomBytes } from 'node:crypto';
import type { Answer } from '../../faults/interception.ts';
import { textAt } from '../../json.ts';
import type { Publication } from '../records.ts';
import { badRequest, notFound } from '../refusal.ts';
import type { Call } from '../state.ts';
import { onFinding, onScan } from '../visibility.ts';

export const publishScan = onScan((call, scan) =>
  scan.status === 'COMPLETED'
    ? publish(call, 'scan', scan.id, null)
    : badRequest(`Only a COMPLETED scan can be published; this one is ${scan.status}.`),
);

export const publishFinding = onFinding((call, finding) => {
  const noteId = textAt(call.body, 'noteId') ?? null;
  if (noteId !== null && !finding.notes.some((note) => note.id === noteId)) return notFound('The note');
  return publish(call, 'finding', finding.id, noteId);
});

/**
 * Publishes a scan or a finding. If it is published already, the page keeps its address, and gets the new password and
 * note.
 */
function publish(
  { state, body }: Call,
  kind: Publication['kind'],
  subjectId: string,
  noteId: string | null,
): Answer {
  let publication = state.publications.find((one) => one.kind === kind && one.subjectId === subjectId);
  if (publication === undefined) {
    publication = {
      kind,
      subjectId,
      artifactId: `art_${randomBytes(9).toString('hex')}`,
      publicId: randomBytes(12).toString('base64url'),
      accessPassword: null,
      noteId,
      tries: { startedAt: 0, wrong: 0 },
    };
    state.publications.push(publication);
  }
  publication.accessPassword = body['withPassword'] === true ? randomBytes(12).toString('base64url') : null;
  publication.noteId = noteId;
  const { artifactId, publicId, accessPassword } = publication;
  return { status: 200, body: { artifactId, publicId, accessPassword } };
}
