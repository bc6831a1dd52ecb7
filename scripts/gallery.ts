import { html, type Markup } from '../sandbox/markup.ts';
import { checkPage, mergeBox } from '../sandbox/preview/check-view.ts';
import { githubMarkdown } from '../sandbox/preview/github-markdown.ts';
import { page } from '../sandbox/preview/page.ts';
import type { PageCheck, PageJob } from '../sandbox/preview/page-model.ts';
import { commentBox } from '../sandbox/preview/pull-request-page.ts';
import { renderTable } from '../src/doctor/diagnose.ts';
import type { Row } from '../src/doctor/row.ts';
import type { CheckAnnotation } from '../src/domain/check-output.ts';
import type { SinceLastPush } from '../src/domain/history.ts';
import { renderCheckOutput, toAnnotations } from '../src/report/check-output.ts';
import { renderComment } from '../src/report/comment.ts';
import type { Report } from '../src/report/report.ts';
import { renderSummary } from '../src/report/summary.ts';

/** A report, and facts that only its comment shows. */
export interface GalleryState {
  readonly report: Report;
  readonly since?: SinceLastPush | undefined;
}

/** States of one kind. The keys are anchors. Each state has a name for readers. */
export interface GalleryGroup {
  readonly title: string;
  readonly states: Readonly<Record<string, GalleryState & { readonly name: string }>>;
}

export interface GalleryTable {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** What the triage action writes for one event. */
export interface GalleryTriage {
  readonly name: string;
  /** The reply in Markdown. Undefined if there is none. */
  readonly reply?: string | undefined;
  /** The job summary in Markdown. */
  readonly summary: string;
}

/**
 * Renders one page with all states. Each shows a run's comment, check run with annotations, and job summary.
 * @param tables the tables of the doctor; the keys are anchors
 * @param triages the outputs of the triage action; the keys are anchors
 */
export function galleryPage(
  groups: readonly GalleryGroup[],
  tables: Readonly<Record<string, GalleryTable>> = {},
  triages: Readonly<Record<string, GalleryTriage>> = {},
): string {
  const further = [
    { title: 'Doctor', states: tables },
    { title: 'Triage', states: triages },
  ];
  return page(
    'Every state',
    html`<main>
<h1>Every state</h1>
<p class="quiet">What people see on a pull request, made by the action's own renderers. The comments are those of <code>comment: always</code>. By default, Scangate creates a comment only if a finding is reported.</p>
<nav class="groups" aria-label="States">
${[...groups, ...further].map(({ title, states }) => html`<p><b>${title}</b> ${Object.entries(states).map(([id, { name }]) => html`<a href="#${id}">${name}</a> `)}</p>\n`)}</nav>
${groups.map(({ title, states }) => html`<h2>${title}</h2>\n${Object.entries(states).map(([id, state]) => stateView(id, state.name, state))}`)}
<h2>Doctor</h2>
${Object.entries(tables).map(([id, table]) => tableView(id, table))}
<h2>Triage</h2>
${Object.entries(triages).map(([id, triage]) => triageView(id, triage))}
</main>`,
  );
}

function stateView(id: string, name: string, state: GalleryState): Markup {
  return html`<article class="gallery" id="${id}">
<h3>${name}</h3>
${unwrittenView(state.report) ?? fullView(state)}
</article>
`;
}

function tableView(id: string, { name, rows }: GalleryTable): Markup {
  return html`<article class="gallery" id="${id}">
<h3>${name}</h3>
${markdownBox(renderTable(rows))}
</article>
`;
}

function triageView(id: string, { name, reply, summary }: GalleryTriage): Markup {
  return html`<article class="gallery" id="${id}">
<h3>${name}</h3>
${reply === undefined ? '' : commentBox({ author: 'github-actions[bot]', body: reply })}
<h4>Job summary</h4>
${markdownBox(summary)}
</article>
`;
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
${summaryBox(report)}`;
}

function fullView({ report, since }: GalleryState): Markup {
  const check = checkOf(report);
  const folded = html`<details><summary>Check run</summary>${checkPage(check)}</details>`;
  if (report.disclosure === 'labels' || report.target?.pullRequest === undefined) {
    return html`${mergeBox(jobOf(report), [check])}
${folded}
<h4>Job summary</h4>
${summaryBox(report)}`;
  }
  return html`${commentBox({ author: 'github-actions[bot]', body: renderComment(report, { since }) })}
${mergeBox(jobOf(report), [check])}
${folded}
<details><summary>Job summary</summary>${summaryBox(report)}</details>`;
}

function summaryBox(report: Report): Markup {
  return markdownBox(renderSummary(report));
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
