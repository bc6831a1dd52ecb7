import { randomBytes } from 'node:crypto';
import type { Answer } from '../../faults/interception.ts';
import { badRequest, conflict, Refusal } from '../refusal.ts';
import { showGuidance } from '../serializers.ts';
import type { Call } from '../state.ts';
import { isLongerThan } from '../text-length.ts';
import { findRepository } from '../visibility.ts';

/** The most characters in stored guidance, and in the guidance of one scan. */
export const LONGEST_GUIDANCE = 100_000;

export function readGuidance(call: Call): Answer | Refusal {
  const repository = findRepository(call);
  return repository instanceof Refusal ? repository : { status: 200, body: showGuidance(repository) };
}

/**
 * Writes the stored guidance. Refuses if the stored guidance is not what the caller expects. Nothing is awaited between
 * this check and the write. So no other request can write in between.
 */
export function writeGuidance(call: Call): Answer | Refusal {
  const repository = findRepository(call);
  if (repository instanceof Refusal) return repository;
  const { content, expectedContent } = call.body;
  if (
    content === undefined ||
    !isText(content) ||
    (content !== null && isLongerThan(content, LONGEST_GUIDANCE))
  ) {
    return badRequest(
      `content must be a string of at most ${LONGEST_GUIDANCE} characters, or null to clear.`,
    );
  }
  if (expectedContent !== undefined && !isText(expectedContent)) {
    return badRequest('expectedContent must be a string, or null where none is expected.');
  }
  const { guidance } = repository;
  if (expectedContent !== undefined && expectedContent !== guidance.content) {
    return conflict('The guidance is not what expectedContent says; read it again. Nothing was written.');
  }
  const repositoryId = repository.id;
  if (content === guidance.content) {
    return { status: 200, body: { repositoryId, revisionId: null, unchanged: true } };
  }
  const revisionId = `rev_${randomBytes(9).toString('hex')}`;
  guidance.content = content;
  guidance.revisions.push({ id: revisionId, content, at: call.state.now() });
  return { status: 200, body: { repositoryId, revisionId, unchanged: false } };
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
