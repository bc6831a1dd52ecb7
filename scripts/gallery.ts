import { html, type Markup } from '../sandbox/markup.ts';
import { checkPage, mergeBox } from '../sandbox/preview/check-view.ts';
import { githubMarkdown } from '../sandbox/preview/github-markdown.ts';
import { page } from '../sandbox/preview/page.ts';
import type { PageCheck, PageJob } from '../sandbox/preview/page-model.ts';
import { commentBox } from '../sandbox/preview/pull-request-page.ts';
import { renderTable } from '../src/doctor/diagnose.ts';
import type { CheckAnnotation } from '../src/domain/check-output.ts';
import { renderCheckOutput, toAnnotations } from '../src/report/check-output.ts';
import { renderComment } from '../src/report/comment.ts';
import type { Report } from '../src/report/report.ts';
import { renderSummary } from '../src/report/summary.ts';
import { DOCTOR_STATES } from '../test/unit/doctor/states.ts';
import { CHANGE_STATES } from '../test/unit/triage/change-states.ts';
import { TRIAGE_STATES } from '../test/unit/triage/triage-states.ts';
import { EVERY_STATE, type GalleryGroup, type GalleryState } from './every-state.ts';

/**
 * Renders one page with these states of the gate, and all of the doctor and of the triage action. Each state of the gate
 * shows a run's comment, check run with annotations, and job summary.
 */
export function galleryPage(groups: readonly GalleryGroup[] = EVERY_STATE): string {
  const sections = [
    ...groups.map(({ title, states }) => ({
      title,
      articles: articlesOf(states, (state) => unwrittenView(state.report) ?? fullView(state)),
    })),
    { title: 'Doctor', articles: articlesOf(DOCTOR_STATES, ({ rows }) => markdownBox(renderTable(rows))) },
    { title: 'Triage', articles: articlesOf({ ...TRIAGE_STATES, ...CHANGE_STATES }, triageView) },
  ];
  return page(
    'Every state',
    html`<main>
<h1>Every state</h1>
<p class="quiet">What people see on a pull request, made by the action's own renderers. The comments are those of <code>comment: always</code>. By default, Scangate creates a comment only if a finding is reported.</p>
<nav class="groups" aria-label="States">
${sections.map(({ title, articles }) => html`<p><b>${title}</b> ${articles.map(({ id, name }) => html`<a href="#${id}">${name}</a> `)}</p>\n`)}</nav>
${sections.map(({ title, articles }) => html`<h2>${title}</h2>\n${articles.map(articleView)}`)}
</main>`,
  );
}

/** @param states the keys are anchors */
function articlesOf<State extends { readonly name: string }>(
  states: Readonly<Record<string, State>>,
  view: (state: State) => Markup,
) {
  return Object.entries(states).map(([id, state]) => ({ id, name: state.name, content: view(state) }));
}

function articleView({ id, name, content }: ReturnType<typeof articlesOf>[number]): Markup {
  return html`<article class="gallery" id="${id}">
<h3>${name}</h3>
${content}
</article>
`;
}

/** @param state what the triage action writes for one event: the job summary, and the reply if there is one */
function triageView({ reply, summary }: { readonly reply?: string | undefined; readonly summary: string }) {
  return html`${reply === undefined ? '' : commentBox({ author: 'github-actions[bot]', body: reply })}
<h4>Job summary</h4>
${markdownBox(summary)}`;
}

/** True if GitHub's token can only read. This is the default for forks, whatever the workflow grants. */
function isReadOnly({ target }: Report): boolean {
  return target?.event === 'pull_request' && target.pullRequest?.isFork === true;
}

/** Renders a note if Scangate writes no comment and no check run. Undefined if it writes them. */
function unwrittenView(report: Report): Markup | undefined {
  if (report.target?.pullRequest?.state === 'closed')
    return summaryView(report, html`the commit of a closed pull request can be the head of another one.`);
  if (isReadOnly(report))
    return summaryView(report, html`on <code>pull_request</code>, GitHub gives forks a read-only token.`);
  return undefined;
}

function summaryView(report: Report, why: Markup): Markup {
  return html`<p class="quiet">No comment and no check run: ${why} The job and its summary show the result.</p>
${mergeBox(jobOf(report), [])}
<h4>Job summary</h4>
${markdownBox(renderSummary(report))}`;
}

function fullView({ report, since }: GalleryState): Markup {
  const check = checkOf(report);
  const summary = markdownBox(renderSummary(report));
  const views = html`${mergeBox(jobOf(report), [check])}
<details><summary>Check run</summary>${checkPage(check)}</details>`;
  if (report.disclosure === 'labels' || report.target?.pullRequest === undefined)
    return html`${views}\n<h4>Job summary</h4>\n${summary}`;
  return html`${commentBox({ author: 'github-actions[bot]', body: renderComment(report, { since }) })}
${views}
<details><summary>Job summary</summary>${summary}</details>`;
}

function markdownBox(markdown: string): Markup {
  return html`<section class="box"><div class="body markdown-body">${githubMarkdown(markdown, false)}</div></section>`;
}

function jobOf({ target, verdict }: Report): PageJob {
  return {
    event: target?.event ?? 'pull_request',
    conclusion: verdict.exitCode === 0 ? 'success' : 'failure',
  };
}

function checkOf(report: Report): PageCheck {
  const annotated = toAnnotations(report);
  return {
    name: report.checkName,
    conclusion: report.verdict.conclusion,
    output: renderCheckOutput(report, annotated),
    annotations: annotated.annotations.map(annotationOf),
  };
}

function annotationOf(annotation: CheckAnnotation): PageCheck['annotations'][number] {
  const { path, startLine, endLine, level, title, message, rawDetails } = annotation;
  return {
    path,
    start_line: startLine,
    end_line: endLine,
    annotation_level: level,
    title,
    message,
    ...(rawDetails === undefined ? {} : { raw_details: rawDetails }),
  };
}
