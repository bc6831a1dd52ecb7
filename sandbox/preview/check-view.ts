import { html, type Markup, NO_MARKUP } from '../markup.ts';
import { githubMarkdown } from './github-markdown.ts';
import { type LinkMap, SAME_LINKS } from './page-links.ts';
import type { SceneAnnotation, SceneCheck, SceneJob } from './scene.ts';

const CONCLUSIONS: ReadonlyMap<string | undefined, { readonly sign: string; readonly words: string }> =
  new Map([
    [undefined, { sign: '●', words: 'In progress' }],
    ['success', { sign: '✓', words: 'Successful' }],
    ['failure', { sign: '✕', words: 'Failing' }],
    ['neutral', { sign: '■', words: 'Neutral' }],
    ['cancelled', { sign: '⊘', words: 'Cancelled' }],
  ]);

const LEVELS: Readonly<Record<SceneAnnotation['level'], string>> = {
  failure: 'Failure',
  warning: 'Warning',
  notice: 'Notice',
};

/** The job and the check runs as they stand above the merge button. */
export function mergeBox(job: SceneJob, checks: readonly SceneCheck[]): Markup {
  const failing = [job, ...checks].some(({ conclusion }) => conclusion === 'failure');
  const heading = failing ? 'Some checks were not successful' : 'All checks have passed';
  return html`<section class="box merge" aria-label="Checks of this pull request">
<h3>${sign(failing ? 'failure' : 'success')} ${heading}</h3>
${jobLine(job)}
${checks.map(
  ({ name, conclusion, title }) =>
    html`<p class="check-line">${sign(conclusion)} <b><bdi>${name}</bdi></b> <span class="quiet">${title}</span></p>\n`,
)}</section>`;
}

/** Workflow and job have the names of the quick start, which has this job required. */
function jobLine({ event, conclusion }: SceneJob): Markup {
  return html`<p class="check-line">${sign(conclusion)} <b>Scangate / scangate (${event})</b> <span class="quiet">${wordsOf(conclusion)}</span> <span class="label">Required</span></p>`;
}

/** The check run's own page: its output, then its annotations. */
export function checkPage(
  { name, conclusion, title, summary, text, annotations }: SceneCheck,
  links: LinkMap = SAME_LINKS,
): Markup {
  return html`<section class="box check" aria-label="Check run">
<header>${sign(conclusion)} <b><bdi>${name}</bdi></b> <span class="quiet">${wordsOf(conclusion)}</span></header>
<div class="body">
<h3 class="check-title">${title}</h3>
<div class="markdown">${githubMarkdown(summary, false, links)}</div>
${text === '' ? NO_MARKUP : html`<h4>Details</h4><div class="markdown">${githubMarkdown(text, false, links)}</div>`}
${annotations.length === 0 ? NO_MARKUP : html`<h4>Annotations (${annotations.length})</h4>`}
${annotations.map((one) => html`<p class="place"><code>${one.path}</code> ${linesOf(one)}</p>${annotationBox(one)}`)}
</div>
</section>`;
}

/** One annotation, as it stands under its line. */
export function annotationBox({ level, title, message, details }: SceneAnnotation): Markup {
  const more =
    details === ''
      ? NO_MARKUP
      : html`<details><summary>Show raw details</summary><pre>${details}</pre></details>`;
  return html`<div class="annotation ${level}"><p><b>${LEVELS[level]}</b> <b class="annotation-title">${title}</b></p>
<pre class="message">${message}</pre>${more}</div>\n`;
}

function linesOf({ startLine, endLine }: SceneAnnotation): string {
  return endLine > startLine ? `lines ${startLine} to ${endLine}` : `line ${startLine}`;
}

function wordsOf(conclusion: string | undefined): string {
  return CONCLUSIONS.get(conclusion)?.words ?? conclusion ?? '';
}

function sign(conclusion: string | undefined): Markup {
  const shown = CONCLUSIONS.get(conclusion)?.sign ?? '?';
  return html`<span class="sign ${conclusion ?? 'running'}" aria-hidden="true">${shown}</span>`;
}
