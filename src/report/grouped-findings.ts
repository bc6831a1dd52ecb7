import type { Finding } from '../domain/finding.ts';
import type { Verdict } from '../domain/verdict.ts';
import { unreadText } from './headline.ts';

export interface GroupedFinding {
  readonly finding: Finding;
  readonly group: 'reported' | 'below' | 'exempt' | 'triaged';
  readonly blocks: boolean;
}

/**
 * Lists all findings of a verdict by group: reported, below the threshold, exempt, triaged. Each group is sorted worst
 * first. The SARIF file and the JSON report are made from this list, so that they agree with the verdict.
 */
export function groupedFindings({ findings }: Verdict): GroupedFinding[] {
  const blocking = new Set(findings.blocking);
  const inGroup = (group: GroupedFinding['group']) =>
    findings[group].map((finding) => ({ finding, group, blocks: blocking.has(finding) }));
  return [...inGroup('reported'), ...inGroup('below'), ...inGroup('exempt'), ...inGroup('triaged')];
}

/** Makes a notice if the run did not read the details of some of these findings. */
export function unreadNotice(findings: readonly GroupedFinding[]): string[] {
  const count = findings.filter(({ finding }) => finding.detailsUnread).length;
  return count === 0 ? [] : [unreadText(count)];
}
