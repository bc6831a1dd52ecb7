import type { CheckAnnotation } from '../src/domain/annotation.ts';
import type { SinceLastPush } from '../src/domain/since-last-push.ts';
import { toAnnotations } from '../src/report/annotations.ts';
import { renderCheckOutput } from '../src/report/check-output.ts';
import { renderComment } from '../src/report/comment.ts';
import type { Report } from '../src/report/report.ts';
import { renderSummary } from '../src/report/summary.ts';
import { html, type Markup } from '../src/sandbox/markup.ts';
import { checkPage, mergeBox } from '../src/sandbox/preview/check-view.ts';
import { githubMarkdown } from '../src/sandbox/preview/github-markdown.ts';
import { page } from '../src/sandbox/preview/page.ts';
import { commentBox } from '../src/sandbox/preview/pull-request-page.ts';
import type { SceneAnnotation, SceneCheck } from '../src/sandbox/preview/scene.ts';

/** A report, and what the comment alone knows beside it. */
export interface GalleryState {
  readonly report: Report;
  readonly since?: SinceLastPush | undefined;
}

/** Every state on one page: the comment, the check with its annotations, the job summary. */
export function galleryPage(states: Readonly<Record<string, GalleryState>>): string {
  const names = Object.keys(states);
  return page(
    'Every state',
    html`<main>
<h1>Every state</h1>
<p class="quiet">What people see on a pull request, made by the action's own renderers.</p>
<nav>${names.map((name) => html`<a href="#${name}">${name}</a> `)}</nav>
${Object.entries(states).map(([name, state]) => stateView(name, state))}
</main>`,
  );
}

function stateView(name: string, { report, since }: GalleryState): Markup {
  const check = checkOf(report);
  return html`<article class="gallery" id="${name}">
<h2>${name}</h2>
${commentBox({ author: 'github-actions[bot]', body: renderComment(report, { since }) })}
${mergeBox([check])}
<details><summary>Check run</summary>${checkPage(check)}</details>
<details><summary>Job summary</summary>
<section class="box"><div class="body markdown">${githubMarkdown(renderSummary(report), false)}</div></section>
</details>
</article>
`;
}

function checkOf(report: Report): SceneCheck {
  const annotated = toAnnotations(report);
  return {
    name: report.checkName,
    conclusion: report.verdict.conclusion,
    ...renderCheckOutput(report, annotated),
    annotations: annotated.annotations.map(annotationOf),
  };
}

function annotationOf({ rawDetails, ...annotation }: CheckAnnotation): SceneAnnotation {
  return { ...annotation, details: rawDetails ?? '' };
}
