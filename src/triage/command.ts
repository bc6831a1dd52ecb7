import { type Finding, REASON_CODES, type ResolutionStatus } from '../domain/finding.ts';
import type { CommentAuthor, IssueComment } from '../github/comment-list.ts';
import type { CurrentComment } from '../github/reply.ts';
import { cutCharacters, visibleLine } from '../text/visible-text.ts';

/** Every command starts with this. Nothing may come before it in the comment. */
export const PREFIX = '/scangate';

/** The command that re-runs the job of the gate. It needs no token that can change findings. */
export const COMMAND = `${PREFIX} recheck`;

/**
 * Our choice: the maximum number of labels in a command. A user who pastes more labels has probably not decided about
 * each of them.
 */
export const MOST_LABELS = 20;

/**
 * The commands that change the status of findings, each with the status that it sets. There is no `resolved`, because
 * the gate ignores that status.
 */
export const CHANGE_COMMANDS = {
  'false-positive': 'FALSE_POSITIVE',
  'wont-fix': 'WONT_FIX',
  mitigated: 'MITIGATED',
  duplicate: 'DUPLICATE',
  reopen: 'NOT_STARTED',
} as const satisfies Readonly<Record<string, ResolutionStatus>>;
export type ChangeWord = keyof typeof CHANGE_COMMANDS;

/** A command that changes the status of findings, as the user wrote it. */
export interface Change {
  readonly word: ChangeWord;
  readonly status: ResolutionStatus;
  /** From 1 to 20 labels as the user wrote them, without duplicates. Foreign text. */
  readonly labels: readonly string[];
  /** A reason code that this status accepts. */
  readonly reason: string | undefined;
  /** The text after the command; empty if there is none. Foreign text. */
  readonly note: string;
}

/** What a comment asks for. */
export type Wanted =
  | { readonly kind: 'recheck' }
  | { readonly kind: 'change'; readonly change: Change }
  /** Not a valid command. `cause` is a sentence that may contain foreign text. */
  | { readonly kind: 'unclear'; readonly cause: string };

const ALL_CODES: ReadonlySet<string> = new Set(Object.values(REASON_CODES).flat());
/**
 * Matches a word that looks like a reason code: letters with underscores between them. Does not match a word of eight
 * characters, because that can be a label.
 */
const LIKE_A_CODE = /^(?!.{8}$)[a-z]+(?:_[a-z]+)+$/i;

/**
 * Reads the command in the first line of a comment. Undefined if the comment does not begin with our prefix. Pure.
 */
export function parseCommand(body: string): Wanted | undefined {
  const end = body.search(/\r?\n/);
  const line = (end < 0 ? body : body.slice(0, end)).replace(/[ \t]+$/, '');
  if (line !== PREFIX && !/^\/scangate[ \t]/.test(line)) return undefined;
  const [word = '', ...rest] = line
    .slice(PREFIX.length)
    .split(/[ \t,]+/)
    .filter(Boolean);
  if (word === 'recheck')
    return rest.length === 0
      ? { kind: 'recheck' }
      : unclear(`\`${COMMAND}\` takes nothing else on its line.`);
  if (!isChangeWord(word))
    return unclear(word === '' ? 'The command is missing.' : `There is no command ${shown(word)}.`);
  return parseChange(word, rest, end < 0 ? '' : body.slice(end).trim());
}

function parseChange(word: ChangeWord, given: readonly string[], note: string): Wanted {
  const status = CHANGE_COMMANDS[word];
  const codes = given.filter(isCode);
  const labels = [...new Set(given.filter((text) => !isCode(text)))];
  const [reason] = codes;
  if (codes.length > 1) return unclear('The command has more than one reason code.');
  if (reason !== undefined && !REASON_CODES[status].includes(reason))
    return unclear(`${shown(reason)} is not a reason code of \`${word}\`. ${legalCodes(status)}`);
  if (labels.length === 0) return unclear(`\`${PREFIX} ${word}\` names no finding.`);
  if (labels.length > MOST_LABELS)
    return unclear(`The command names ${labels.length} findings. A command takes up to ${MOST_LABELS}.`);
  return { kind: 'change', change: { word, status, labels, reason, note } };
}

function isCode(text: string): boolean {
  return ALL_CODES.has(text) || LIKE_A_CODE.test(text);
}

function isChangeWord(word: string): word is ChangeWord {
  return Object.hasOwn(CHANGE_COMMANDS, word);
}

function legalCodes(status: ResolutionStatus): string {
  const codes = REASON_CODES[status].map((code) => `\`${code}\``);
  return codes.length === 0 ? 'It takes none.' : `Its codes are ${codes.join(', ')}.`;
}

function unclear(cause: string): Wanted {
  return { kind: 'unclear', cause };
}

const LONGEST_WORD = 60;

/** Shows a word of a command as code, on one line. */
export function shown(word: string): string {
  return `\`${cutCharacters(visibleLine(word), LONGEST_WORD).replaceAll('`', "'")}\``;
}

/** A command in a comment. Whether the author may give this command is not checked yet. */
export interface Command {
  readonly pullRequest: number;
  readonly commentId: number;
  readonly author: CommentAuthor;
  readonly createdAt: Date;
  /** The text of the comment when it was written. Foreign text. */
  readonly body: string;
  readonly wanted: Wanted;
}

/** True if the comment is still as its author wrote it. Pure. */
export function isAsWritten({ author, body }: Command, now: CurrentComment): boolean {
  return now.authorId === author.id && inLines(now.body) === inLines(body);
}

function inLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Reads the command in a comment. If the comment is ignored, the log shows `why`. Pure. */
export function readCommand(
  comment: IssueComment,
):
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'ignored'; readonly why: string } {
  const { action, pullRequest, id, body, author, senderId, createdAt, updatedAt } = comment;
  const ignored = (why: string) => ({ kind: 'ignored', why }) as const;
  if (action !== 'created' || updatedAt.getTime() !== createdAt.getTime()) {
    return ignored('the comment is not new');
  }
  if (pullRequest === undefined) return ignored('the comment is not on a pull request');
  const wanted = parseCommand(body);
  if (wanted === undefined) return ignored(`the first line does not begin with ${PREFIX}`);
  if (author?.type !== 'User' || comment.byApp || senderId !== author.id) {
    return ignored('a user did not write the comment');
  }
  return { kind: 'command', command: { pullRequest, commentId: id, author, createdAt, body, wanted } };
}

/** The finding that a label of a command names, or the reason why the label names no single finding. */
export type Chosen =
  | { readonly kind: 'finding'; readonly label: string; readonly id: string; readonly title: string }
  | { readonly kind: 'unknown' | 'ambiguous'; readonly label: string };

/** The number of characters after `ZK-` in a label. They are the last characters of the finding's id. */
const LABEL_LENGTH = 8;

/**
 * Finds the findings of one scan that the labels name. Returns a finding once, even if two labels name it. Pure.
 *
 * A label is the full id of a finding, or its last eight characters with or without `ZK-`. If no id ends in exactly
 * these eight characters, upper and lower case do not matter.
 */
export function chooseFindings(labels: readonly string[], findings: readonly Finding[]): readonly Chosen[] {
  const titles = new Map(findings.flatMap(({ id, title }) => (id === undefined ? [] : [[id, title]])));
  const chosen = new Map<string, Chosen>();
  for (const label of labels) {
    const found = chooseOne(label, titles);
    chosen.set(found.kind === 'finding' ? `finding ${found.id}` : `label ${label}`, found);
  }
  return [...chosen.values()];
}

function chooseOne(label: string, titles: ReadonlyMap<string, string>): Chosen {
  const ids = [...titles.keys()];
  const short = label.replace(/^zk-/i, '');
  const exact = ids.filter((id) => shortOf(id) === short);
  const folded = exact.length > 0 ? exact : ids.filter((id) => isSame(shortOf(id), short));
  const [id, other] = titles.has(label) ? [label] : folded;
  if (id === undefined) return { kind: 'unknown', label };
  if (other !== undefined) return { kind: 'ambiguous', label };
  return { kind: 'finding', label: `ZK-${shortOf(id)}`, id, title: titles.get(id) ?? '' };
}

function shortOf(id: string): string {
  return [...id].slice(-LABEL_LENGTH).join('');
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
