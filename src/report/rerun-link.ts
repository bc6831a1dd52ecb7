import { renderCodeSpans } from './code-spans.ts';
import { allowedLinks, checksUrl } from './links.ts';
import { link, md, type SafeMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

const RERUN = /(re-run this job)/i;

/** Renders our sentences, which may hold foreign text. */
export type RenderSentences = (text: string) => SafeMarkdown;

/**
 * Renders sentences for the check run and the job summary. The words "re-run this job" link to the run, whose page
 * has a button for this.
 */
export function linkingRun(report: Report): RenderSentences {
  return linking(report.runUrl, report);
}

/**
 * Renders sentences for the comment. The words "re-run this job" link to the checks of the pull request, whose page
 * also has a button for this. A link to the run would change the comment on every attempt, even if the result is the
 * same.
 */
export function linkingChecks(report: Report): RenderSentences {
  return linking(checksUrl(report), report);
}

function linking(page: string | undefined, report: Report): RenderSentences {
  if (page === undefined) return (text) => renderCodeSpans(text);
  const allowed = allowedLinks(report);
  const linked = (text: string) =>
    text.split(RERUN).map((piece, index) => (index % 2 === 1 ? link(piece, page, allowed) : md`${piece}`));
  return (text) => renderCodeSpans(text, (piece) => md`${linked(piece)}`);
}
