import type { Answer } from '../../faults/interception.ts';
import { html, type Markup, NO_MARKUP } from '../../markup.ts';
import type { LocatedVulnerability } from '../analyzer/vulnerability.ts';
import type { Publication } from '../records.ts';
import { severityOf } from '../severity.ts';
import type { FindingRecord, ScanRecord, ServiceState } from '../state.ts';
import { labelOf } from '../visibility.ts';
import { badge, evidenceLabel, isOpen, locationLabel, rankOf, resolutionLabel } from './finding-labels.ts';
import { page } from './page.ts';
import { renderUntrustedText } from './untrusted-text.ts';

interface Row {
  readonly finding: FindingRecord;
  readonly vulnerability: LocatedVulnerability;
}

/** Shows a published scan: what was scanned, how many findings each severity has, and each finding. */
export function scanPage(state: ServiceState, publication: Publication): Answer {
  const scan = state.scans.find((one) => one.id === publication.subjectId);
  if (scan === undefined) throw new Error(`the published scan ${publication.subjectId} is gone`);
  const rows = scan.found
    .flatMap(({ findingId, vulnerability }): Row[] => {
      const finding = state.findings.get(findingId);
      return finding === undefined ? [] : [{ finding, vulnerability }];
    })
    .sort(
      (a, b) =>
        rankOf(severityOf(a.finding, a.vulnerability)) - rankOf(severityOf(b.finding, b.vulnerability)),
    );
  const open = rows.filter((row) => isOpen(row.finding));
  const closed = rows.filter((row) => !isOpen(row.finding));
  const body = html`<p>${verdict(open.length, closed.length)}</p>
${facts(scan)}
${severities(open)}
${list('Open findings', open)}
${list('Closed by triage', closed)}`;
  return page(200, 'Security scan', body);
}

function verdict(open: number, closed: number): string {
  const closedByTriage =
    closed === 0 ? '' : ` ${closed} more ${closed === 1 ? 'was' : 'were'} closed by triage.`;
  if (open === 0) return `No open findings.${closedByTriage}`;
  return `${open} open finding${open === 1 ? '' : 's'}.${closedByTriage}`;
}

function facts({ repository, preset, baseCommit, commit, finishedAt, areas, coverage }: ScanRecord): Markup {
  const change =
    baseCommit === null
      ? html`all files of <code>${commit}</code>`
      : html`the changes from <code>${baseCommit}</code> to <code>${commit}</code>`;
  const names = areas.map((area) => area.name).join(', ');
  const skipped = coverage?.filesSkipped ?? 0;
  return html`<dl>
<dt>Repository</dt><dd><bdi>${repository.owner}/${repository.name}</bdi></dd>
<dt>Scanned</dt><dd>${change}</dd>
${areas.length === 0 ? NO_MARKUP : html`<dt>Audit areas</dt><dd><bdi>${names}</bdi></dd>\n`}<dt>Preset</dt><dd>${preset.name}</dd>
<dt>Completed</dt><dd>${finishedAt?.toISOString().slice(0, 16).replace('T', ' ') ?? ''} UTC</dd>
<dt>Files read</dt><dd>${coverage?.filesRead ?? 0}${skipped === 0 ? '' : `, ${skipped} skipped: binary or too large`}</dd>
</dl>`;
}

function severities(open: readonly Row[]): Markup {
  if (open.length === 0) return NO_MARKUP;
  const counts = Map.groupBy(open, (row) => severityOf(row.finding, row.vulnerability));
  const rows = [...counts].map(
    ([severity, members]) =>
      html`<tr><td>${badge(severity)}</td><td class="count">${members.length}</td></tr>\n`,
  );
  return html`<table>
<thead><tr><th scope="col">Severity</th><th scope="col">Open</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

function list(title: string, rows: readonly Row[]): Markup {
  return rows.length === 0 ? NO_MARKUP : html`<h2>${title}</h2>\n${rows.map(card)}`;
}

function card({ finding, vulnerability }: Row): Markup {
  const { title, cwe, description, recommendedFix } = vulnerability.rule;
  return html`<article class="${isOpen(finding) ? 'open' : 'closed'}">
<h3>${badge(severityOf(finding, vulnerability))} <bdi>${title}</bdi></h3>
<p>${locationLabel(vulnerability.path, vulnerability.shown)}</p>
<p class="soft">${labelOf(finding.id)} · ${cwe} · ${evidenceLabel(finding)} · ${resolutionLabel(finding)}</p>
<details><summary>Details and fix</summary>
${renderUntrustedText(description)}
${renderUntrustedText(recommendedFix)}
</details>
</article>
`;
}
