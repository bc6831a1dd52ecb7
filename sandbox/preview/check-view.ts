import type { StoredAnnotation } from '../github/check-run-request.ts';
import { html, type Markup, NO_MARKUP } from '../markup.ts';
import { githubMarkdown } from './github-markdown.ts';
import { type LinkMap, SAME_LINKS } from './page-links.ts';
import type { PageCheck, PageJob } from './page-model.ts';

const CONCLUSIONS: ReadonlyMap<string | null, { readonly sign: string; readonly label: string }> = new Map([
  [null, { sign: '●', label: 'In progress' }],
  ['success', { sign: '✓', label: 'Successful' }],
  ['failure', { sign: '✕', label: 'Failing' }],
  ['neutral', { sign: '■', label: 'Neutral' }],
  ['cancelled', { sign: '⊘', label: 'Cancelled' }],
]);

const LEVELS: Readonly<Record<StoredAnnotation['annotation_level'], string>> = {
  failure: 'Failure',
  warning: 'Warning',
  notice: 'Notice',
};

/** Shows the job and the check runs, like the box at the merge button. */
export function mergeBox(job: PageJob, checks: readonly PageCheck[]): Markup {
  const failing = [job, ...checks].some(({ conclusion }) => conclusion === 'failure');
  const heading = failing ? 'Some checks were not successful' : 'All checks have passed';
  return html`<section class="box merge" aria-label="Checks of this pull request">
<h3>${sign(failing ? 'failure' : 'success')} ${heading}</h3>
${jobLine(job)}
${checks.map(
  ({ name, conclusion, output: { title } }) =>
    html`<p class="check-line">${sign(conclusion)} <b><bdi>${name}</bdi></b> <span class="quiet">${title ?? ''}</span></p>\n`,
)}</section>`;
}

/** The events of a branch. docs/events.md has a separate job for these events. This job is not required. */
const BRANCH_EVENTS: ReadonlySet<string> = new Set(['push', 'schedule', 'workflow_dispatch']);

/**
 * Shows the names of the workflow and the job. They are the names in README's quick start, whose job is required. For a
 * branch event, they are the names in docs/events.md.
 */
function jobLine({ event, conclusion }: PageJob): Markup {
  const isRequired = !BRANCH_EVENTS.has(event);
  const name = isRequired ? 'Scangate / scangate' : 'Scangate (branch) / scangate-branch';
  const required = isRequired ? html` <span class="label">Required</span>` : NO_MARKUP;
  return html`<p class="check-line">${sign(conclusion)} <b>${name} (${event})</b> <span class="quiet">${labelOf(conclusion)}</span>${required}</p>`;
}

/** Shows the page of a check run: its output, then its annotations. */
export function checkPage(
  { name, conclusion, output: { title, summary, text }, annotations }: PageCheck,
  links: LinkMap = SAME_LINKS,
): Markup {
  return html`<section class="box check" aria-label="Check run">
<header>${sign(conclusion)} <b><bdi>${name}</bdi></b> <span class="quiet">${labelOf(conclusion)}</span></header>
<div class="body">
<h3 class="check-title">${title ?? ''}</h3>
<div class="markdown-body">${githubMarkdown(summary ?? '', false, links)}</div>
${!text ? NO_MARKUP : html`<h4>Details</h4><div class="markdown-body">${githubMarkdown(text, false, links)}</div>`}
${annotations.length === 0 ? NO_MARKUP : html`<h4>Annotations (${annotations.length})</h4>`}
${annotations.map((one) => html`<p class="place"><code>${one.path}</code> ${linesOf(one)}</p>${annotationBox(one)}`)}
</div>
</section>`;
}

/** Shows one annotation. */
export function annotationBox({
  annotation_level: level,
  title = '',
  message,
  raw_details: details = '',
}: StoredAnnotation): Markup {
  const more =
    details === ''
      ? NO_MARKUP
      : html`<details><summary>Show raw details</summary><pre>${details}</pre></details>`;
  return html`<div class="annotation ${level}"><p><b>${LEVELS[level]}</b> <b class="annotation-title">${title}</b></p>
<pre class="message">${message}</pre>${more}</div>\n`;
}

function linesOf({ start_line: startLine, end_line: endLine }: StoredAnnotation): string {
  return endLine > startLine ? `lines ${startLine} to ${endLine}` : `line ${startLine}`;
}

function labelOf(conclusion: string | null): string {
  return CONCLUSIONS.get(conclusion)?.label ?? conclusion ?? '';
}

function sign(conclusion: string | null): Markup {
  const shown = CONCLUSIONS.get(conclusion)?.sign ?? '?';
  return html`<span class="sign ${conclusion ?? 'running'}" aria-hidden="true">${shown}</span>`;
}
