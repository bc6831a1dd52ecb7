import type { Finding } from '../domain/finding.ts';
import type { Verdict } from '../domain/verdict.ts';

/** A finding, and the group that the verdict puts it in. */
export interface GroupedFinding {
  readonly finding: Finding;
  readonly group: 'reported' | 'below' | 'exempt' | 'triaged';
  readonly blocks: boolean;
}

/**
 * All findings of a verdict by group: reported, below the threshold, exempt, triaged; worst first in each. Every file
 * for programs is made from this list, so that no file differs from another or from the verdict.
 */
export function groupedFindings({ findings }: Verdict): GroupedFinding[] {
  const blocking = new Set(findings.blocking);
  const inGroup = (group: GroupedFinding['group']) =>
    findings[group].map((finding) => ({ finding, group, blocks: blocking.has(finding) }));
  return [...inGroup('reported'), ...inGroup('below'), ...inGroup('exempt'), ...inGroup('triaged')];
}
