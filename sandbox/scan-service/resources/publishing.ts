import { randomBytes } from 'node:crypto';
import type { Answer } from '../../faults/interception.ts';
import { badRequest, notFound, Refusal } from '../refusal.ts';
import type { Call, Publication } from '../state.ts';
import { findFinding, findScan } from '../visibility.ts';

export function publishScan(call: Call): Answer | Refusal {
  const scan = findScan(call, call.params['scanId'] ?? '');
  if (scan instanceof Refusal) return scan;
  if (scan.status !== 'COMPLETED')
    return badRequest(`Only a COMPLETED scan can be published; this one is ${scan.status}.`);
  return publish(call, 'scan', scan.id, null);
}

export function publishFinding(call: Call): Answer | Refusal {
  const finding = findFinding(call);
  if (finding instanceof Refusal) return finding;
  const { noteId } = call.body;
  if (noteId !== undefined && typeof noteId !== 'string') return badRequest('noteId must be a string.');
  if (noteId !== undefined && !finding.notes.some((note) => note.id === noteId)) return notFound('The note');
  return publish(call, 'finding', finding.id, noteId ?? null);
}

/**
 * Publishes a scan or a finding. If it is published already, the page keeps its address, and gets the new password and
 * note.
 */
function publish(
  { state, body }: Call,
  kind: Publication['kind'],
  subjectId: string,
  noteId: string | null,
): Answer | Refusal {
  const { withPassword = false } = body;
  if (typeof withPassword !== 'boolean') return badRequest('withPassword must be true or false.');
  let publication = state.publications.find((one) => one.kind === kind && one.subjectId === subjectId);
  if (publication === undefined) {
    const [artifactId, publicId] = [
      `art_${randomBytes(9).toString('hex')}`,
      randomBytes(12).toString('base64url'),
    ];
    const tries = { startedAt: 0, wrong: 0 };
    publication = { kind, subjectId, artifactId, publicId, accessPassword: null, noteId, tries };
    state.publications.push(publication);
  }
  publication.accessPassword = withPassword ? randomBytes(12).toString('base64url') : null;
  publication.noteId = noteId;
  const { artifactId, publicId, accessPassword } = publication;
  return { status: 200, body: { artifactId, publicId, accessPassword } };
}
