import { StringDecoder } from 'node:string_decoder';

export interface LineReader {
  push(chunk: Buffer): void;
  /** Returns the last line if the output did not end with a line break. */
  end(): void;
}

/**
 * Splits a byte stream into lines as the runner does, at `\n`, `\r` and `\r\n`. A UTF-8 character may span two chunks.
 */
export function createLineReader(onLine: (line: string) => void): LineReader {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let afterReturn = false;
  const take = (text: string) => {
    // Skips the line feed of a `\r\n` that two chunks share.
    const fresh = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') afterReturn = text.endsWith('\r');
    const lines = (pending + fresh).split(/\r\n|\n|\r/);
    pending = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
  return {
    push: (chunk) => take(decoder.write(chunk)),
    end: () => {
      take(decoder.end());
      if (pending !== '') onLine(pending);
      pending = '';
    },
  };
}
