import type { Seal } from './seal.ts';

/** The data in a hidden line of our comment. Later runs read it. */
export interface CommentState {
  /** Identifies the scan that the comment reports. */
  readonly mark: string | undefined;
  /** The findings of the last two scanned heads. */
  readonly history: string | undefined;
  /** The published page of the scan that the comment reports. */
  readonly publication: string | undefined;
  /** The result that the comment shows. */
  readonly result?: string | undefined;
}

const HISTORY = 'h1:';
const PUBLICATION = 'p1:';
const RESULT = 'r1:';

/** Joins the entries with `;`. Returns undefined if there are none. */
export function joinState({ mark, history, publication, result }: CommentState): string | undefined {
  const entries = [mark, history, publication, result].filter((word) => word !== undefined);
  return entries.length === 0 ? undefined : entries.join(';');
}

/**
 * Splits the state into its entries. Does not check their signatures. Users who may edit the comment can change an
 * entry.
 */
export function splitState(state: string | undefined): CommentState {
  const entries = state?.split(';') ?? [];
  const named = (prefix: string) => entries.find((word) => word.startsWith(prefix));
  return {
    mark: entries.find((word) => ![HISTORY, PUBLICATION, RESULT].some((prefix) => word.startsWith(prefix))),
    history: named(HISTORY),
    publication: named(PUBLICATION),
    result: named(RESULT),
  };
}

/** Encodes the result as one word. @param badness one digit; 0 is the best result */
export function encodeResult(badness: number): string {
  return `${RESULT}${badness}`;
}

/** Reads how bad the result is that a comment shows. A state without a result counts as the best one. */
export function readBadness(state: string | undefined): number {
  return Number(/^r1:(\d)$/.exec(splitState(state).result ?? '')?.[1] ?? 0);
}

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
