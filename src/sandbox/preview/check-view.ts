import { html, type Markup, NO_MARKUP } from '../markup.ts';
import { githubMarkdown } from './github-markdown.ts';
import type { SceneAnnotation, SceneCheck } from './scene.ts';

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

/** The checks as they stand above the merge button. */
export function mergeBox(checks: readonly SceneCheck[]): Markup {
  const failing = checks.filter(({ conclusion }) => conclusion === 'failure').length;
  const heading =
    checks.length === 0
      ? 'There are no checks'
      : failing > 0
        ? 'Some checks were not successful'
        : 'All checks have passed';
  return html`<section class="box merge" aria-label="Checks of this pull request">
<h3>${sign(failing > 0 ? 'failure' : 'success')} ${heading}</h3>
${checks.map(
  ({ name, conclusion, title }) =>
    html`<p class="check-line">${sign(conclusion)} <b><bdi>${name}</bdi></b> <span class="quiet">${title}</span></p>\n`,
)}</section>`;
}

/** The check run's own page: its output, then its annotations. */
export function checkPage({ name, conclusion, title, summary, text, annotations }: SceneCheck): Markup {
  const { words } = CONCLUSIONS.get(conclusion) ?? { words: conclusion ?? '' };
  return html`<section class="box check" aria-label="Check run">
<header>${sign(conclusion)} <b><bdi>${name}</bdi></b> <span class="quiet">${words}</span></header>
<div class="body">
<h3 class="check-title">${title}</h3>
<div class="markdown">${githubMarkdown(summary, false)}</div>
${text === '' ? NO_MARKUP : html`<h4>Details</h4><div class="markdown">${githubMarkdown(text, false)}</div>`}
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

function sign(conclusion: string | undefined): Markup {
  const shown = CONCLUSIONS.get(conclusion)?.sign ?? '?';
  return html`<span class="sign ${conclusion ?? 'running'}" aria-hidden="true">${shown}</span>`;
}
