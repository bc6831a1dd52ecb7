import * as v from 'valibot';
import type { HistoryOwner } from '../domain/encoded-history.ts';
import type { Seal } from '../domain/seal.ts';

/** What the reply still shows about an earlier command. */
export interface ReplyEntry {
  /** The id of the comment with the command. */
  readonly commentId: number;
  /** One line of at most 400 characters. It may hold foreign text. */
  readonly text: string;
}

const WORD = /^r1:([\w-]+):([\w-]{43})$/;
const Entries = v.array(
  v.object({
    commentId: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    text: v.pipe(v.string(), v.maxLength(400)),
  }),
);

/** Encodes the entries as one word of visible ASCII, signed by an HMAC-SHA-256 with the API token. */
export function encodeReplyHistory(entries: readonly ReplyEntry[], owner: HistoryOwner, seal: Seal): string {
  const text = Buffer.from(JSON.stringify(entries)).toString('base64url');
  return `r1:${text}:${seal.macOf(signed(text, owner))}`;
}

/**
 * Decodes the entries.
 * @returns an empty list if the word is not a history, or was not made for this owner with this seal
 */
export function readReplyHistory(word: string, owner: HistoryOwner, seal: Seal): readonly ReplyEntry[] {
  const [, text = '', mac = ''] = WORD.exec(word) ?? [];
  if (!seal.isMacOf(mac, signed(text, owner))) return [];
  const read = v.safeParse(
    v.pipe(v.string(), v.parseJson(), Entries),
    Buffer.from(text, 'base64url').toString(),
  );
  return read.success ? read.output : [];
}

function signed(text: string, { pullRequest, checkName }: HistoryOwner): string {
  return JSON.stringify(['replies', pullRequest, checkName, text]);
}
