import * as v from 'valibot';
import type { HistoryOwner } from '../domain/history.ts';
import type { Result } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import type { GitHubError } from '../github/errors.ts';
import type { GitHubClient } from '../github/octokit.ts';
import { type ReplyContent, syncReply } from '../github/reply.ts';
import { countOf } from '../report/headline.ts';
import { inlineCode, join, link, md, type SafeMarkdown, toText } from '../report/markdown.ts';
import { renderCodeSpans } from '../report/prose.ts';
import { cutCharacters, visibleLine } from '../text/visible-text.ts';
import type { Command } from './command.ts';
import { type Place, rootOf, toCommentUrl } from './texts.ts';

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

export interface Answer {
  /** Markdown. */
  readonly body: string;
  /** One sentence about this command, for the list in later replies. It may hold foreign text. */
  readonly line: string;
}

export interface ReplyDeps {
  readonly github: GitHubClient;
  readonly seal: Seal;
  readonly place: Place;
  readonly checkName: string;
}

/** Our choice: how many commands the reply keeps. Pull requests rarely have more. */
const MOST_ENTRIES = 20;
const LONGEST_LINE = 400;
const LONGEST_NAME = 40;
/**
 * The most characters of the hidden line and of the whole reply. Our choice: a little less than the limits, which are
 * 20,000 for our hidden line and 65,536 for a comment on GitHub.
 */
const LONGEST_STATE = 19_000;
const LONGEST_REPLY = 65_000;

/** Answers a command. A pull request has one reply, which keeps the results of earlier commands. */
export function answerInReply(
  { github, seal, place, checkName }: ReplyDeps,
  { pullRequest, commentId }: Command,
  { body, line }: Answer,
  signal: AbortSignal,
): Promise<Result<undefined, GitHubError>> {
  const owner = { pullRequest, checkName };
  const own = { commentId, text: cutCharacters(visibleLine(line), LONGEST_LINE) };
  const contentFor = (states: readonly string[]) => composeReply({ own, body, states, owner, seal, place });
  return syncReply(github, { pullRequest, checkName, contentFor }, signal);
}

/**
 * Composes the reply: the answer, and below it one line for each earlier command. The newest of these commands comes
 * first. If the reply would be too long, the oldest commands are left out. Pure.
 */
export function composeReply({
  own,
  body,
  states,
  owner,
  seal,
  place,
}: {
  readonly own: ReplyEntry;
  /** Markdown. */
  readonly body: string;
  /** The signed histories in the replies that exist already. */
  readonly states: readonly string[];
  readonly owner: HistoryOwner;
  readonly seal: Seal;
  readonly place: Place;
}): ReplyContent {
  const known = new Map(
    states.flatMap((state) => readReplyHistory(state, owner, seal)).map((entry) => [entry.commentId, entry]),
  );
  known.delete(own.commentId);
  const others = [...known.values()].toSorted((a, b) => b.commentId - a.commentId).slice(0, MOST_ENTRIES - 1);
  for (let count = others.length; ; count -= 1) {
    const kept = others.slice(0, count);
    const entries = [own, ...kept].toSorted((a, b) => b.commentId - a.commentId);
    const state = encodeReplyHistory(entries, owner, seal);
    const shown = kept.length === 0 ? body : `${body}\n\n${toText(listOf(kept, owner.pullRequest, place))}`;
    const fits = state.length <= LONGEST_STATE && state.length + shown.length <= LONGEST_REPLY;
    if (fits || count === 0) return { state, body: shown };
  }
}

function listOf(entries: readonly ReplyEntry[], pullRequest: number, place: Place): SafeMarkdown {
  const items = entries.map(
    ({ commentId, text }) => md`- ${renderCodeSpans(text)} (${toCommand(pullRequest, commentId, place)})`,
  );
  return md`<details><summary>${countOf(entries.length, 'other command')}</summary>\n\n${join(items, md`\n`)}\n\n</details>`;
}

/**
 * Makes the answer for a refusal. The answer links to the command, because all commands of a pull request share one
 * reply.
 */
export function refusalAnswer(
  { author, pullRequest, commentId }: Command,
  { said, why, markdown }: { readonly said: string; readonly why: string; readonly markdown: string },
  place: Place,
): Answer {
  const login = cutCharacters(author.login, LONGEST_NAME);
  const answered = md`This answers the ${toCommand(pullRequest, commentId, place)} of ${inlineCode(login)}.`;
  return { body: `${markdown}\n\n${toText(answered)}`, line: `${said} for \`${login}\`. ${why}` };
}

function toCommand(pullRequest: number, commentId: number, place: Place): SafeMarkdown {
  return link('command', toCommentUrl(pullRequest, commentId, place), [rootOf(place)]);
}
