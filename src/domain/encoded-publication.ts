import type { Seal } from './seal.ts';

/**
 * The published page of a scan. The comment stores the id of the page. A later run that reuses the scan can then link
 * to the page.
 */
export interface KnownPublication {
  readonly scanId: string;
  readonly publicId: string;
  /** True if the page asks for a password. */
  readonly gated: boolean;
}

/** The separator is `:`. `encodeURIComponent` encodes both ids, so they contain no `:`, `;` or `>`. */
const WORD = /^p1:([^:]{1,800}):([^:]{1,800}):([01]):([\w-]{43})$/;

/** Encodes the page as one word of visible ASCII. The word contains no `>` and no `;`, and ends with a signature. */
export function encodePublication(known: KnownPublication, seal: Seal): string {
  const text = `p1:${encodeURIComponent(known.scanId)}:${encodeURIComponent(known.publicId)}:${Number(known.gated)}`;
  return `${text}:${seal.macOf(signed(text))}`;
}

/**
 * Decodes a page.
 * @returns undefined if the word is no page of this scan, or if this seal did not sign the word
 */
export function readPublication(word: string, scanId: string, seal: Seal): KnownPublication | undefined {
  const [, scan = '', page = '', gated, mac = ''] = WORD.exec(word) ?? [];
  if (!seal.isMacOf(mac, signed(word.slice(0, -mac.length - 1)))) return undefined;
  return scan === encodeURIComponent(scanId)
    ? { scanId, publicId: decodeURIComponent(page), gated: gated === '1' }
    : undefined;
}

/** The text that is signed. It begins with the kind of the entry, so that the signature is valid only for this kind. */
function signed(text: string): string {
  return `publication ${text}`;
}
