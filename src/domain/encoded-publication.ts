import type { Seal } from './seal.ts';

/** The published page of a scan, as a comment holds it for the runs that read the scan again. */
export interface KnownPublication {
  readonly scanId: string;
  readonly publicId: string;
  /** The page asks for a password. */
  readonly gated: boolean;
}

/** `encodeURIComponent` leaves no `:`, `;` or `>` behind. */
const WORD = /^p1:([^:]{1,800}):([^:]{1,800}):([01]):([\w-]{43})$/;

/** One word of visible ASCII without `>` and `;`, proven by an HMAC-SHA-256 with the API token. */
export function encodePublication(known: KnownPublication, seal: Seal): string {
  const text = `p1:${encodeURIComponent(known.scanId)}:${encodeURIComponent(known.publicId)}:${Number(known.gated)}`;
  return `${text}:${seal.macOf(signed(text))}`;
}

/** @returns undefined for what is none, is of another scan, or was not made with this seal */
export function readPublication(word: string, scanId: string, seal: Seal): KnownPublication | undefined {
  const [, scan = '', page = '', gated, mac = ''] = WORD.exec(word) ?? [];
  if (!seal.isMacOf(mac, signed(word.slice(0, -mac.length - 1)))) return undefined;
  return scan === encodeURIComponent(scanId)
    ? { scanId, publicId: decodeURIComponent(page), gated: gated === '1' }
    : undefined;
}

/** What the MAC is made of: that of no other word. */
function signed(text: string): string {
  return `publication ${text}`;
}
