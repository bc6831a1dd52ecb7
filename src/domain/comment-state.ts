import { type FindingHistory, readHistory, writeHistory } from './history.ts';
import type { Seal } from './seal.ts';

/**
 * The data in a hidden line of our comment. Later runs read it. It is visible ASCII without `>`: these entries in this
 * order, with `;` between them.
 */
export interface CommentState {
  /** The mark of the scan that the comment reports. It has a signature of its own. Empty if there is none. */
  readonly mark: string;
  /** How bad the result is that the comment shows; 0 is the best result. It is not signed. */
  readonly badness: number;
  /** The findings and the page, as `sealFacts` encodes them. Empty if there are none. */
  readonly sealed: string;
}

export function joinState({ mark, badness, sealed }: CommentState): string {
  return `${mark};${badness};${sealed}`;
}

/**
 * Splits a state. Does not check its signatures. Users who may edit the comment can change it. A state without a result
 * counts as the best one.
 */
export function splitState(state = ''): CommentState {
  const [mark = '', badness = '', sealed = ''] = state.split(';');
  return { mark, badness: /^\d$/.test(badness) ? Number(badness) : 0, sealed };
}

/** What a comment stores about the scan that it reports. */
export interface CommentFacts {
  readonly history?: FindingHistory | undefined;
  readonly publication?: KnownPublication | undefined;
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

/** The pull request and the check that the facts belong to. Their signature is valid only there. */
export interface StateOwner {
  readonly pullRequest: number;
  readonly checkName: string;
}

/** Encodes and signs the facts. `encodeURIComponent` encodes ids, so they contain none of the separators. */
export function sealFacts(
  { history, publication: page }: CommentFacts,
  owner: StateOwner,
  seal: Seal,
): string {
  const ofPage = page && [page.scanId, page.publicId, Number(page.gated)].map(encodeURIComponent).join(':');
  const text = `${history ? writeHistory(history) : ''}/${ofPage ?? ''}`;
  return `${text}/${seal.macOf(signed(text, owner))}`;
}

/** Reads sealed facts. Returns none if this seal did not sign them for this owner. */
export function readFacts(sealed: string, owner: StateOwner, seal: Seal): CommentFacts {
  const [history = '', page = '', mac = ''] = sealed.split('/');
  if (!seal.isMacOf(mac, signed(`${history}/${page}`, owner))) return {};
  const [scanId = '', publicId = '', gated] = page.split(':').map(decodeURIComponent);
  return {
    history: history === '' ? undefined : readHistory(history),
    publication: page === '' ? undefined : { scanId, publicId, gated: gated === '1' },
  };
}

/** The text that is signed. It begins with its kind, so that the signature is valid only for these facts. */
function signed(text: string, { pullRequest, checkName }: StateOwner): string {
  return JSON.stringify(['facts', pullRequest, checkName, text]);
}
