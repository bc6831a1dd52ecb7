import { findingBlocks, ICONS, labelCode } from './finding-block.ts';
import { severityLabel } from './finding-labels.ts';
import { type Budget, type FittedList, truncateFindings } from './finding-list.ts';
import type { GroupedFinding } from './grouped-findings.ts';
import { BLANK_LINE, join, md, type SafeMarkdown, toText } from './markdown.ts';
import type { Report, WithheldReport } from './report.ts';
import type { WithheldFinding } from './withheld-finding.ts';

/**
 * Fits the findings of one group into the limit. Lists only labels if the texts may not be shown.
 * @param longest the number of characters kept of each text
 */
export function fitFindings(
  report: Report,
  group: GroupedFinding['group'],
  budget: Budget,
  longest: number,
): FittedList {
  return report.disclosure === 'labels'
    ? fitLabels(report, group, budget)
    : truncateFindings(findingBlocks(report.verdict.findings[group], report), budget, longest);
}

interface LabelLine {
  readonly heading: SafeMarkdown;
  readonly labels: SafeMarkdown[];
}

/** Makes a paragraph of labels for each severity. Blocking findings have paragraphs of their own. */
function fitLabels(
  { verdict }: WithheldReport,
  group: GroupedFinding['group'],
  { limit, sizeOf }: Budget,
): FittedList {
  const findings = verdict.findings[group];
  const blocking = new Set(verdict.findings.blocking);
  const lines = new Map<string, LabelLine>();
  let size = 0;
  let listed = 0;
  for (const finding of findings) {
    const blocks = blocking.has(finding);
    const key = `${finding.level} ${blocks}`;
    const line = lines.get(key) ?? { heading: headingOf(finding, blocks), labels: [] };
    const label = labelCode(finding.label);
    const before = lines.has(key) ? '' : `${toText(line.heading)} \n\n`;
    const next = size + sizeOf(`${before}${toText(label)}, `);
    if (next > limit) break;
    size = next;
    line.labels.push(label);
    lines.set(key, line);
    listed += 1;
  }
  const shown = Array.from(lines.values(), ({ heading, labels }) => md`${heading} ${join(labels, md`, `)}`);
  const leftOut = findings.length - listed;
  return { markdown: join(shown, BLANK_LINE), listed, leftOut, withoutDetails: 0, unread: 0, size };
}

function headingOf({ level }: WithheldFinding, blocks: boolean): SafeMarkdown {
  const severity = severityLabel({ level, word: '' });
  return md`${ICONS[level]} <b>${severity}</b>${blocks ? md` (**blocks**)` : md``}:`;
}
