import { sentencesOf } from '../domain/result.ts';
import { countOf } from '../report/headline.ts';
import { BLANK_LINE, inlineCode, join, md, NOTHING, type SafeMarkdown, toText } from '../report/markdown.ts';
import { renderCodeSpans } from '../report/prose.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import { classify } from '../scan-api/retry.ts';
import { cutCharacters, visibleLine } from '../text/visible-text.ts';
import type { Changed, FindingResult } from './change-command.ts';
import { BY_SERVICE } from './change-refusal.ts';
import type { Place } from './rerun-gate.ts';
import { authorOf, toCommand, toRun } from './texts.ts';

const LONGEST_CELL = 600;
const LONGEST_TITLE = 70;
const LONGEST_WORD = 40;
/** The most characters of a cause. Twenty causes of this length fit into a comment, even if they are escaped. */
const LONGEST_CAUSE = 200;

/** Renders the reply to a command that changed findings, or tried to. */
export function renderChanged(changed: Changed, place: Place): string {
  const { command, change, results, showsTitles } = changed;
  const { status, reason } = change;
  const done = results.filter(({ kind }) => kind === 'changed').length;
  const head = md`**${countOf(done, 'finding')} of ${results.length} set to ${inlineCode(status)}**${reason === undefined ? NOTHING : md` (${inlineCode(reason)})`} by ${authorOf(command)} (${toCommand(command, place)}).`;
  const rows = results.map((result) => {
    const title = showsTitles ? md` ${cutCharacters(visibleLine(result.title), LONGEST_TITLE)}` : NOTHING;
    const said = renderCodeSpans(cutCharacters(sentenceOf(result, status), LONGEST_CELL));
    return md`| ${inlineCode(cutCharacters(result.label, LONGEST_WORD))}${title} | ${said} |`;
  });
  const table = md`| Finding | Result |\n| --- | --- |\n${join(rows, md`\n`)}`;
  const byHand = results.some(({ kind }) => kind === 'failed') ? renderCodeSpans(BY_SERVICE) : NOTHING;
  return toText(join([head, table, byHand, jobSentence(changed, place)], BLANK_LINE));
}

function quoted(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** Makes one line for each finding. The caller escapes the lines for the log. */
export function changedLines({ command, change, results }: Changed): readonly string[] {
  const by = `(by ${command.author.login})`;
  return results.map((result) => `${result.label}: ${sentenceOf(result, change.status)} ${by}`);
}

function jobSentence({ rechecked, results, change }: Changed, place: Place): SafeMarkdown {
  if (rechecked?.kind === 'rerun')
    return md`${toRun('The job of the gate', rechecked.runId, place)} runs again.`;
  const why =
    rechecked === undefined
      ? md`The job of the gate is not re-run, because not every finding of the command was changed. When the cause is fixed, write a new comment for these findings.`
      : md`The job of the gate is not re-run. ${renderCodeSpans(cutCharacters(sentencesOf(rechecked.refusal), LONGEST_CELL))}`;
  const isReopened = change.status === 'NOT_STARTED' && results.some(({ kind }) => MAYBE_DONE.has(kind));
  return join([why, isReopened ? NOT_COUNTED : NOTHING], md` `);
}

const MAYBE_DONE: ReadonlySet<FindingResult['kind']> = new Set(['changed', 'not-known']);
/** The reply to `reopen` ends with this sentence, because the check may be green although findings are open again. */
const NOT_COUNTED = md`Until it runs again, its check does not count the reopened findings.`;

function causeOf(error: ApiError): string {
  return cutCharacters(explainChange(error), LONGEST_CAUSE);
}

function sentenceOf(result: FindingResult, status: string): string {
  switch (result.kind) {
    case 'failed':
      return result.error.operation === 'read a finding'
        ? `Not changed, because the notes of the finding cannot be read. ${causeOf(result.error)}`
        : `Not changed. ${causeOf(result.error)}`;
    case 'refused':
      return `Not changed. ${sentencesOf(result.refusal)}`;
    case 'not-known':
      return `It is not known whether the finding was changed: the answer of the service was lost, and the finding does not show a note of this command. ${causeOf(result.error)} Look at the finding in the service before you write the command again.`;
    case 'other-status':
      return `The service has the note of this command, and shows the finding as ${result.shown === undefined ? 'no known status' : quoted(result.shown)}. Look at the finding in the service.`;
    case 'changed':
      return `Set to \`${status}\`.${notesSentence(result.notes)}`;
  }
}

function notesSentence(notes: number | undefined): string {
  if (notes === 1) return '';
  return notes === undefined
    ? ' An answer of the service was lost, so the finding may have the note of this command twice.'
    : ` An answer of the service was lost, so the finding has ${notes} notes of this command.`;
}

/**
 * Explains an error of the service. Errors about the token have their own sentences here: `explainApiError` would name
 * `api-token` instead of `triage-token`.
 */
function explainChange(error: ApiError): string {
  if (classify(error) === 'rate-limited')
    return 'The service accepts no more requests for now (429). Write the command again later.';
  if (error.kind !== 'refused') return explainApiError(error).cause;
  switch (error.code) {
    case 'unauthorized':
      return 'The service rejected `triage-token`: it is invalid, expired or revoked. A maintainer has to replace it.';
    case 'forbidden':
      return '`triage-token` needs the scopes `read` and `findings:write`. A maintainer has to replace it.';
    case 'not_found':
      return 'The service does not show this finding to `triage-token`. Check that it is a token of the same project.';
    default:
      return explainApiError(error).cause;
  }
}
