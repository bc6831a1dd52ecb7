import { renderCodeSpans } from './code-spans.ts';
import { allowedLinks, checksUrl } from './links.ts';
import { link, md, type SafeMarkdown } from './markdown.ts';
import type { Report } from './report.ts';

const RERUN = /(re-run this job)/i;

/** Renders sentences of ours, which may hold foreign text. */
export type RenderSentences = (text: string) => SafeMarkdown;

/** For the check run and the job summary: "re-run this job" leads to the run, where GitHub shows the button. */
export function linkingRun(report: Report): RenderSentences {
  return linking(report.runUrl, report);
}

/**
 * For the comment: it leads to the checks of the pull request, which have the button too. Each attempt has another check
 * run, and the comment says the same for the same result.
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
