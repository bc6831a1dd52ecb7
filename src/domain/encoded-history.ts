import type { KnownFinding } from './known-finding.ts';
import type { Seal } from './seal.ts';
import { type FindingHistory, MOST_KNOWN } from './since-last-push.ts';
import { isCommitId } from './target.ts';

/** The pull request that an entry of the comment's hidden state belongs to. The entry is valid only there. */
export interface EntryOwner {
  readonly pullRequest: number;
}

/** The pull request and the check that a history belongs to. The history is valid only there. */
export interface HistoryOwner extends EntryOwner {
  readonly checkName: string;
}

const LEVELS: ReadonlyMap<string, KnownFinding['level']> = new Map([
  ['u', 'unknown'],
  ['c', 'critical'],
  ['h', 'high'],
  ['m', 'medium'],
  ['l', 'low'],
  ['i', 'info'],
]);
const NO_ID = '.'.repeat(8);
const WORD = /^h1:([0-9a-f]{40,64}):([0-9a-f]{40,64}|-):([01])([01]):([\w,.-]*):([\w,.-]*):([\w-]{43})$/;
/** One encoded finding. The first character is the severity. It is in upper case if the finding blocked. */
const KNOWN = /^([uchmliUCHMLI])([\w.-]{8})([\w-]{8})([\w-]{0,12})$/;

/** Encodes the history as one word of visible ASCII. The word contains no `>` and no `;`, and ends with a signature. */
export function encodeHistory(history: FindingHistory, owner: HistoryOwner, seal: Seal): string {
  const { head, previousHead = '-', findings, previous, complete, previousComplete } = history;
  const flags = `${Number(complete)}${Number(previousComplete)}`;
  const list = (known: readonly KnownFinding[]) => known.map(write).join(',');
  const text = `h1:${head}:${previousHead}:${flags}:${list(findings)}:${list(previous)}`;
  return `${text}:${seal.macOf(signed(text, owner))}`;
}

/** Decodes a history. @returns undefined if the word is not a history that this seal signed for this owner */
export function readHistory(word: string, owner: HistoryOwner, seal: Seal): FindingHistory | undefined {
  const [, head = '', previousHead = '', complete, previousComplete, findings = '', previous = '', mac = ''] =
    WORD.exec(word) ?? [];
  if (!seal.isMacOf(mac, signed(word.slice(0, -mac.length - 1), owner))) return undefined;
  if (!isCommitId(head) || (previousHead !== '-' && !isCommitId(previousHead))) return undefined;
  return {
    head,
    previousHead: previousHead === '-' ? undefined : previousHead,
    findings: readList(findings),
    previous: readList(previous),
    complete: complete === '1',
    previousComplete: previousComplete === '1',
  };
}

function write({ id = NO_ID, fingerprint, level, label, blocks }: KnownFinding): string {
  const letter = level.charAt(0);
  return `${blocks ? letter.toUpperCase() : letter}${id}${fingerprint}${label}`;
}

function readList(list: string): KnownFinding[] {
  return list.split(',', MOST_KNOWN).flatMap((entry) => {
    const [, letter = '', id = '', fingerprint = '', label = ''] = KNOWN.exec(entry) ?? [];
    const small = letter.toLowerCase();
    const level = LEVELS.get(small);
    if (level === undefined) return [];
    return [{ level, id: id === NO_ID ? undefined : id, fingerprint, label, blocks: letter !== small }];
  });
}

/**
 * The text that is signed. It contains the owner and the kind of the entry, so that the signature is valid only for
 * this owner and kind.
 */
function signed(text: string, { pullRequest, checkName }: HistoryOwner): string {
  return JSON.stringify(['findings', pullRequest, checkName, text]);
}
