/** Characters. Chosen: ten thousand small writes cost more than all the rest of them. */
const CHUNK = 64 * 1024;

/** Joins pieces to chunks of at least 64 Ki characters; the last one is shorter. */
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
