import { StringDecoder } from 'node:string_decoder';

/**
 * Splits bytes into lines at `\n`, `\r` and `\r\n`, like GitHub's runner. A UTF-8 character may begin in one chunk and
 * end in the next.
 */
export function createLineReader(onLine: (line: string) => void) {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let afterReturn = false;
  const take = (text: string) => {
    // The last chunk may have ended with `\r`. A `\n` at the start of this chunk then belongs to the same line break.
    const fresh = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') afterReturn = text.endsWith('\r');
    const lines = (pending + fresh).split(/\r\n|\n|\r/);
    pending = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
  return {
    push: (chunk: Buffer) => take(decoder.write(chunk)),
    /** Ends the output. If text follows the last line break, this text is a line too. */
    end: () => {
      take(decoder.end());
      if (pending !== '') onLine(pending);
      pending = '';
    },
  };
}
