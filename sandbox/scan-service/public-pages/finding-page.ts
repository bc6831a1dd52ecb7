import type { Answer } from '../../faults/interception.ts';
import { html, type Markup, NO_MARKUP } from '../../markup.ts';
import type { Publication } from '../records.ts';
import { severityOf } from '../severity.ts';
import type { ServiceState } from '../state.ts';
import { labelOf } from '../visibility.ts';
import { badge, evidenceLabel, locationLabel, resolutionLabel } from './finding-labels.ts';
import { page } from './page.ts';
import { renderUntrustedText } from './untrusted-text.ts';

/** Shows a published finding with one note: the note that was chosen for the page, otherwise the pinned note. */
export function findingPage(state: ServiceState, publication: Publication): Answer {
  const finding = state.findings.get(publication.subjectId);
  if (finding === undefined) throw new Error(`the published finding ${publication.subjectId} is gone`);
  const { vulnerability, repository } = finding;
  const { title, cwe, description, recommendedFix } = vulnerability.rule;
  const commit = state.scans.find((scan) => scan.id === finding.lastScanId)?.commit ?? '';
  const noteId = publication.noteId ?? finding.pinnedNoteId;
  const note = finding.notes.find((one) => one.id === noteId);
  const body = html`<p>${badge(severityOf(finding, vulnerability))} <span class="soft">${labelOf(finding.id)} · ${cwe}</span></p>
<dl>
<dt>Repository</dt><dd><bdi>${repository.owner}/${repository.name}</bdi></dd>
<dt>Location</dt><dd>${locationLabel(vulnerability.path, vulnerability.shown)}</dd>
<dt>Commit</dt><dd><code>${commit}</code></dd>
<dt>Evidence</dt><dd>${evidenceLabel(finding)}</dd>
<dt>Resolution</dt><dd>${resolutionLabel(finding)}</dd>
</dl>
${section('Description', description)}
${section(vulnerability.proof?.kind === 'POC' ? 'Proof of concept' : 'Evidence', vulnerability.proof?.text)}
${section('How to fix', recommendedFix)}
${section('Note', note?.content, 'note')}`;
  return page(200, title, body);
}

function section(title: string, text: string | undefined, style = ''): Markup {
  return text === undefined ? NO_MARKUP : html`<h2>${title}</h2>\n${renderUntrustedText(text, style)}\n`;
}
