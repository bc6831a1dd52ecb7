/** Characters. Our choice: with ten thousand small writes, writing takes longer than everything else. */
const CHUNK = 64 * 1024;

/** Joins pieces to chunks of at least 64 Ki characters. The last chunk is shorter. */
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
