import { randomBytes } from 'node:crypto';
import { textAt } from '../../json.ts';
import { conflict } from '../refusal.ts';
import { showGuidance } from '../serializers.ts';
import { onRepository } from '../visibility.ts';

export const readGuidance = onRepository((_, repository) => ({
  status: 200,
  body: showGuidance(repository),
}));

/**
 * Writes the stored guidance. Refuses if the stored guidance is not what the caller expects. Nothing is awaited between
 * this check and the write. So no other request can write in between.
 */
export const writeGuidance = onRepository(({ body, state }, { id: repositoryId, guidance }) => {
  const content = textAt(body, 'content') ?? null;
  const { expectedContent } = body;
  if (expectedContent !== undefined && expectedContent !== guidance.content) {
    return conflict('The guidance is not what expectedContent says; read it again. Nothing was written.');
  }
  if (content === guidance.content) {
    return { status: 200, body: { repositoryId, revisionId: null, unchanged: true } };
  }
  const revisionId = `rev_${randomBytes(9).toString('hex')}`;
  guidance.content = content;
  guidance.revisions.push({ id: revisionId, content, at: state.now() });
  return { status: 200, body: { repositoryId, revisionId, unchanged: false } };
});
