import type { StoredAnnotation } from '../github/check-run-request.ts';
import { html, type Markup, NO_MARKUP } from '../markup.ts';
import { annotationBox } from './check-view.ts';
import type { DiffLine, FileDiff } from './read-diff.ts';
import { lineId, shownFiles } from './shown-files.ts';

/**
 * Shows the changed files. An annotation is below its last line. If the page does not show that line, the annotation is
 * at the end of the file.
 */
export function filesView(files: readonly FileDiff[], annotations: readonly StoredAnnotation[]): Markup {
  const shown = shownFiles(files);
  const elsewhere = annotations.filter(({ path }) => !shown.some((file) => file.path === path));
  const more =
    files.length > shown.length ? html`<p>${files.length - shown.length} more files.</p>` : NO_MARKUP;
  const rest =
    elsewhere.length === 0
      ? NO_MARKUP
      : html`<section class="box file"><header>In files that this change does not show</header>
${elsewhere.map((one) => html`<p class="place"><code>${one.path}</code> line ${one.start_line}</p>${annotationBox(one)}`)}</section>`;
  return html`${shown.map((file, index) =>
    fileView(
      file,
      index,
      annotations.filter(({ path }) => path === file.path),
    ),
  )}${more}${rest}`;
}

/** Shows a file with its annotations. A file without annotations is folded. */
function fileView(
  { path, hunks }: FileDiff,
  index: number,
  annotations: readonly StoredAnnotation[],
): Markup {
  const lines = new Set(hunks.flatMap((hunk) => hunk.lines.map(({ after }) => after)));
  const unplaced = annotations.filter(({ end_line }) => !lines.has(end_line));
  const rows = hunks.map(
    (hunk) => html`<tr class="hunk"><td colspan="2"></td><td>${hunk.heading}</td></tr>
${hunk.lines.map((line) => {
  const under = annotations.filter(({ end_line }) => line.after === end_line);
  return html`${lineRow(line, index)}${under.map(annotationRow)}`;
})}`,
  );
  const table = html`<div class="scroll"><table class="diff"><tbody>
${rows}${unplaced.map(annotationRow)}</tbody></table></div>`;
  if (annotations.length === 0)
    return html`<details class="box file"><summary><code>${path}</code></summary>\n${table}</details>\n`;
  return html`<section class="box file" aria-label="Changed file"><header><code>${path}</code></header>
${table}</section>\n`;
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', same: ' ' };

function lineRow({ kind, before, after, text }: DiffLine, fileIndex: number): Markup {
  const number = (value: number | undefined) => html`<td class="number">${value ?? ''}</td>`;
  const place = after === undefined ? NO_MARKUP : html` id="${lineId(fileIndex, after)}"`;
  return html`<tr class="${kind}"${place}>${number(before)}${number(after)}<td class="code">${SIGNS[kind]}${text}</td></tr>\n`;
}

function annotationRow(annotation: StoredAnnotation): Markup {
  return html`<tr><td class="under" colspan="3">${annotationBox(annotation)}</td></tr>\n`;
}
