import { type FindingHistory, readHistory, writeHistory } from './history.ts';
import type { Seal } from './seal.ts';

/** The data in a hidden line of our comment. Later runs read it. */
export interface CommentState {
  /** The mark of the scan that the comment reports. It has a signature of its own. */
  readonly mark: string | undefined;
  /** How bad the result is that the comment shows; 0 is the best result. It is not signed. */
  readonly badness: number;
  readonly history: FindingHistory | undefined;
  readonly publication: KnownPublication | undefined;
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

/** The pull request and the check that a state belongs to. Its signature is valid only there. */
export interface StateOwner {
  readonly pullRequest: number;
  readonly checkName: string;
}

/**
 * Encodes the state as visible ASCII without `>`: the mark, the badness, and the signed rest, with `;` between them.
 * `encodeURIComponent` encodes ids, so they contain none of the separators.
 */
export function encodeState(state: CommentState, owner: StateOwner, seal: Seal): string {
  const { mark = '', badness, history, publication: page } = state;
  const ofPage = page && [page.scanId, page.publicId, Number(page.gated)].map(encodeURIComponent).join(':');
  const text = `${history ? writeHistory(history) : ''}/${ofPage ?? ''}`;
  return `${mark};${badness};${text}/${seal.macOf(signed(text, owner))}`;
}

/**
 * Decodes a state. Users who may edit the comment can change it, so the history and the publication are undefined unless
 * this seal signed them for this owner.
 */
export function decodeState(state: string, owner: StateOwner, seal: Seal): CommentState {
  const [history = '', page = '', mac = ''] = (state.split(';')[2] ?? '').split('/');
  const isOurs = seal.isMacOf(mac, signed(`${history}/${page}`, owner));
  const [scanId = '', publicId = '', gated] = isOurs ? page.split(':').map(decodeURIComponent) : [];
  return {
    mark: markIn(state) || undefined,
    badness: badnessIn(state),
    history: isOurs && history !== '' ? readHistory(history) : undefined,
    publication: scanId === '' ? undefined : { scanId, publicId, gated: gated === '1' },
  };
}

/** The text that is signed. It begins with its kind, so that the signature is valid only for states. */
function signed(text: string, { pullRequest, checkName }: StateOwner): string {
  return JSON.stringify(['state', pullRequest, checkName, text]);
}

/** Returns the mark in a state. Does not check its signature. Empty if there is none. */
export function markIn(state = ''): string {
  return state.split(';', 1)[0] ?? '';
}

/** Returns how bad the result is that a state records. A state without a result counts as the best one. */
export function badnessIn(state = ''): number {
  return Number(/^[^;]*;(\d);/.exec(state)?.[1] ?? 0);
}
