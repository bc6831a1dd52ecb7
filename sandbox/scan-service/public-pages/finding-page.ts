import type { Answer } from '../../faults/interception.ts';
import { html, type Markup, NO_MARKUP } from '../../markup.ts';
import { labelOf } from '../reach.ts';
import { severityOf } from '../severity.ts';
import type { Publication, World } from '../world.ts';
import { badge, evidenceWords, placeWords, resolutionWords } from './finding-words.ts';
import { page } from './page.ts';
import { prose } from './prose.ts';

/** A published finding, with the note that was chosen for the page, else the one that is pinned. */
export function findingPage(world: World, publication: Publication): Answer {
  const finding = world.findings.get(publication.subjectId);
  if (finding === undefined) throw new Error(`the published finding ${publication.subjectId} is gone`);
  const { flaw, repository } = finding;
  const { title, cwe, description, recommendedFix } = flaw.rule;
  const commit = world.scans.find((scan) => scan.id === finding.lastScanId)?.commit ?? '';
  const noteId = publication.noteId ?? finding.pinnedNoteId;
  const note = finding.notes.find((one) => one.id === noteId);
  const body = html`<p>${badge(severityOf(finding, flaw))} <span class="soft">${labelOf(finding.id)} · ${cwe}</span></p>
<dl>
<dt>Repository</dt><dd><bdi>${repository.owner}/${repository.name}</bdi></dd>
<dt>Location</dt><dd>${placeWords(flaw.path, flaw.shown)}</dd>
<dt>Commit</dt><dd><code>${commit}</code></dd>
<dt>Evidence</dt><dd>${evidenceWords(finding)}</dd>
<dt>Resolution</dt><dd>${resolutionWords(finding)}</dd>
</dl>
${section('Description', description)}
${section(flaw.proof?.kind === 'POC' ? 'Proof of concept' : 'Evidence', flaw.proof?.text)}
${section('How to fix', recommendedFix)}
${section('Note', note?.content, 'note')}`;
  return page(200, title, body);
}

function section(title: string, text: string | undefined, style = ''): Markup {
  return text === undefined ? NO_MARKUP : html`<h2>${title}</h2>\n${prose(text, style)}\n`;
}
