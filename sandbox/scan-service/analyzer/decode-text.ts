import type { LineRange } from './vulnerability.ts';

type Utf16 = 'utf-16le' | 'utf-16be';

/** Git looks for a NUL byte in this many bytes at the start of a file. A file with a NUL byte there is binary. */
const BINARY_PROBE_BYTES = 8000;
const LINE_FEED = 0x0a;

/** Decodes a file in UTF-8 or UTF-16. Undefined for a binary file. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) {
    const text = new TextDecoder(utf16).decode(bytes);
    return text.includes('\0') ? undefined : text;
  }
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0) ? undefined : new TextDecoder().decode(bytes);
}

/**
 * Recognizes UTF-16 by its byte order mark. Without this mark, at least half of the 16-bit units must contain a NUL
 * byte. It must be the first byte in all of these units, or the second byte in all of them.
 */
function utf16Of(bytes: Uint8Array): Utf16 | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.length % 2 === 1) return undefined;
  const probe = bytes.subarray(0, BINARY_PROBE_BYTES);
  let [even, odd] = [0, 0];
  for (const [index, byte] of probe.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  if (even === 0 && odd * 4 >= probe.length) return 'utf-16le';
  return odd === 0 && even * 4 >= probe.length && even > 0 ? 'utf-16be' : undefined;
}

/** Converts git's line numbers into line numbers of the text. Git counts bytes that are line feeds, even in UTF-16. */
export function textLines(bytes: Uint8Array, ranges: readonly LineRange[]): readonly LineRange[] {
  const utf16 = utf16Of(bytes);
  if (utf16 === undefined) return ranges;
  const rawEnds: number[] = [];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) rawEnds.push(at);
  const feeds = lineFeedsOf(bytes, utf16);
  const startOf = (line: number) => (line <= 1 ? 0 : (rawEnds[line - 2] ?? bytes.length) + 1);
  const lastOf = (line: number) => rawEnds[line - 1] ?? bytes.length;
  return ranges.map(({ start, end }) => ({
    start: 1 + feeds.filter((feed) => feed < startOf(start)).length,
    end: 1 + feeds.filter((feed) => feed + 1 < lastOf(end)).length,
  }));
}

/** Finds the positions of the line feeds in a UTF-16 text. */
function lineFeedsOf(bytes: Uint8Array, encoding: Utf16): number[] {
  const [high, low] = encoding === 'utf-16le' ? [1, 0] : [0, 1];
  const feeds: number[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + high] === 0 && bytes[at + low] === LINE_FEED) feeds.push(at);
  }
  return feeds;
}
