/**
 * Our choice: the minimum length of a chunk, in characters. Ten thousand small writes would take longer than all other
 * work.
 */
const CHUNK = 64 * 1024;

/** Joins pieces into chunks of at least 64 Ki characters. The last chunk can be shorter. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
