import type { IncomingMessage } from 'node:http';

/**
 * Our choice. Larger bodies are answered with 400. The old and the new guidance fit into one body, even if every
 * character is escaped.
 */
const LARGEST_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads the whole body. Returns undefined if it is too large. Reads it to its end even then, because otherwise the
 * client would not get the answer.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= LARGEST_BODY_BYTES) chunks.push(bytes);
  }
  return size > LARGEST_BODY_BYTES ? undefined : Buffer.concat(chunks);
}
