import { html, type Markup } from '../markup.ts';
import type { PageModel } from './build-page-model.ts';
import { checkPage, mergeBox } from './check-view.ts';
import { filesView } from './diff-view.ts';
import { githubMarkdown } from './github-markdown.ts';
import { page } from './page.ts';
import { type LinkMap, pageLinks, SAME_LINKS } from './page-links.ts';
import type { PageComment } from './page-model.ts';

/** Shows a pull request on one page. Each of GitHub's tabs becomes a section of this page. */
export function pullRequestPage(model: PageModel): string {
  const { repository, number, title, author, baseRef, headRef, checks, comments, files, summary } = model;
  const links = pageLinks(model);
  const annotations = checks.flatMap((check) => check.annotations);
  return page(
    `${title} · Pull Request #${number} · ${repository}`,
    html`<main>
<p class="quiet">${repository} · preview, made from what the fake servers received</p>
<p class="quiet caveat">${model.caveat}</p>
<h1>${title} <span class="quiet">#${number}</span></h1>
<p><span class="state">Open</span> <b>${author}</b> wants to merge <code>${headRef}</code> into <code>${baseRef}</code></p>
<nav><a href="#conversation">Conversation</a> <a href="#files">Files changed</a> <a href="#checks">Checks</a> <a href="#job-summary">Job summary</a></nav>
<h2 id="conversation">Conversation</h2>
${comments.map((comment) => commentBox(comment, { links, footer: model.coverage }))}
${mergeBox(model.job, checks)}
<h2 id="files">Files changed</h2>
${filesView(files, annotations)}
<h2 id="checks">Checks</h2>
${checks.map((check) => checkPage(check, links))}
<h2 id="job-summary">Job summary</h2>
<section class="box"><div class="body markdown-body">${githubMarkdown(summary, false, links)}</div></section>
</main>`,
  );
}

/** Shows a comment in its frame. @param footer plain text that the preview adds below the comment */
export function commentBox(
  { author, body }: PageComment,
  { links = SAME_LINKS, footer }: { readonly links?: LinkMap; readonly footer?: string | undefined } = {},
): Markup {
  const name = author.replace(/\[bot\]$/, '');
  const bot = name === author ? '' : 'bot';
  return html`<section class="box comment" aria-label="Comment">
<header><b>${name}</b> <span class="label">${bot}</span> <span class="quiet">commented</span></header>
<div class="body markdown-body">${githubMarkdown(body, true, links)}</div>
${footer === undefined ? '' : html`<footer class="quiet">${footer}</footer>`}
</section>`;
}
