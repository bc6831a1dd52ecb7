import { sentencesOf } from '../domain/result.ts';
import { countOf } from '../report/headline.ts';
import {
  BLANK_LINE,
  inlineCode,
  join,
  link,
  md,
  NOTHING,
  type SafeMarkdown,
  toText,
} from '../report/markdown.ts';
import { renderCodeSpans } from '../report/prose.ts';
import { cutCharacters } from '../text/visible-text.ts';
import { BY_SERVICE } from './change-refusal.ts';
import type { Command } from './command.ts';
import type { Refusal } from './refusal.ts';
import type { Place, Rechecked, Swept } from './rerun-gate.ts';

const LONGEST_SENTENCE = 1_000;
const LONGEST_NAME = 100;
/** Our choice: the number of rows in the summary. Further pull requests are only counted. */
const MOST_ROWS = 100;

/** Makes one line about a pull request. The caller escapes the line for the log. */
export function resultLine(done: Rechecked): string {
  if (done.kind === 'rerun')
    return `#${done.pullRequest}: re-ran the job \`${done.job}\` of run ${done.runId}.`;
  return `#${done.pullRequest}: not re-run. ${sentencesOf(done.refusal)}`;
}

/** Renders the reply to a command whose re-run was refused. */
export function renderReply(done: Extract<Rechecked, { readonly kind: 'refused' }>, place: Place): string {
  const { refusal, pullRequest, runId } = done;
  const said = md`**Not re-run.** ${renderCodeSpans(cutCharacters(sentencesOf(refusal), LONGEST_SENTENCE))}`;
  const run =
    runId === undefined
      ? md`the failed job in the ${toPullRequest('checks', pullRequest, place, '/checks')}`
      : toRun('the run', runId, place);
  const byHand = refusal.byHand
    ? md`To re-run the job by hand, open ${run} and choose **Re-run jobs → Re-run failed jobs**.`
    : NOTHING;
  return toText(join([said, byHand], BLANK_LINE));
}

/** Renders the reply to a command that changed no finding. */
export function renderNotChanged(refusal: Refusal): string {
  const why = renderCodeSpans(cutCharacters(sentencesOf(refusal), LONGEST_SENTENCE));
  const byHand = NOT_BY_HAND.has(refusal.reason) ? NOTHING : renderCodeSpans(BY_SERVICE);
  return toText(join([md`**No finding was changed.** ${why}`, byHand], BLANK_LINE));
}

/**
 * For a refusal with one of these reasons, the reply does not advise to change findings by hand. The `nextStep` of the
 * refusal is enough.
 */
const NOT_BY_HAND: ReadonlySet<Refusal['reason']> = new Set([
  'unclear',
  'closed',
  'head-moved',
  'replayed',
  'edited',
  'deleted',
]);

/** Renders the summary of a sweep, or of a command. */
export function renderSummary(swept: Swept, place: Place): string {
  const { rechecked, left, more, fault } = swept;
  const rerun = rechecked.filter(({ kind }) => kind === 'rerun').length;
  const rows = rechecked.filter((done) => !isQuiet(done));
  const shown = rows.slice(0, MOST_ROWS).map((done) => row(done, place));
  const table =
    shown.length === 0 ? NOTHING : md`| Pull request | Result |\n| --- | --- |\n${join(shown, md`\n`)}`;
  const quiet = rechecked.length - rows.length;
  const notes = [
    rows.length > MOST_ROWS ? md`${rows.length - MOST_ROWS} more are in the log.` : NOTHING,
    quiet === 0 ? NOTHING : md`${countOf(quiet, 'pull request')} on which triage changes nothing yet.`,
    left === 0 ? NOTHING : md`${countOf(left, 'pull request')} not looked at, because of the last error.`,
    more ? md`There are more open pull requests than were looked at.` : NOTHING,
  ];
  const failed =
    fault !== undefined && rechecked.length === 0 ? md`${renderCodeSpans(sentencesOf(fault))}` : NOTHING;
  const heading = md`## Triage: ${rerun === 0 ? md`no job` : md`${countOf(rerun, 'job')}`} re-run`;
  return `${toText(join([heading, failed, table, join(notes, md` `)], BLANK_LINE))}\n`;
}

/** True for results that are normal in every sweep. The summary only counts them. */
function isQuiet(done: Rechecked): boolean {
  return done.kind === 'refused' && ['still-blocked', 'nothing-blocked'].includes(done.refusal.reason);
}

function row(done: Rechecked, place: Place): SafeMarkdown {
  const number = toPullRequest(`#${done.pullRequest}`, done.pullRequest, place);
  if (done.kind === 'refused') {
    const why = renderCodeSpans(cutCharacters(sentencesOf(done.refusal), LONGEST_SENTENCE));
    return md`| ${number} | Not re-run. ${why} |`;
  }
  const job = inlineCode(cutCharacters(done.job, LONGEST_NAME));
  return md`| ${number} | Re-ran the job ${job} of ${toRun(`run ${done.runId}`, done.runId, place)} |`;
}

export function toRun(text: string, runId: number, place: Place): SafeMarkdown {
  return toPlace(text, `actions/runs/${runId}`, place);
}

function toPullRequest(text: string, number: number, place: Place, below = ''): SafeMarkdown {
  return toPlace(text, `pull/${number}${below}`, place);
}

function toPlace(text: string, path: string, place: Place): SafeMarkdown {
  const root = rootOf(place);
  return link(text, `${root}${path}`, [root]);
}

/** Returns the address of the repository, with a `/` at the end. */
function rootOf({ serverUrl, owner, repo }: Place): string {
  return `${serverUrl}/${owner}/${repo}/`;
}

export function toPullRequestUrl(number: number, place: Place): string {
  return `${rootOf(place)}pull/${number}`;
}

/** Returns the address of a comment on a pull request. */
export function toCommentUrl(pullRequest: number, commentId: number, place: Place): string {
  return `${toPullRequestUrl(pullRequest, place)}#issuecomment-${commentId}`;
}

const LONGEST_LOGIN = 40;

/** Names the author of a command. */
export function authorOf({ author }: Command): SafeMarkdown {
  return inlineCode(cutCharacters(author.login, LONGEST_LOGIN));
}

/** Links to the comment with a command. */
export function toCommand({ pullRequest, commentId }: Command, place: Place): SafeMarkdown {
  return link('command', toCommentUrl(pullRequest, commentId, place), [rootOf(place)]);
}
