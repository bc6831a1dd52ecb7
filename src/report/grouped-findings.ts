import type { Finding } from '../domain/finding.ts';
import type { Verdict } from '../domain/verdict.ts';

/** A finding as the verdict sees it. */
export interface GroupedFinding {
  readonly finding: Finding;
  readonly group: 'reported' | 'below' | 'exempt' | 'triaged';
  readonly blocks: boolean;
}

/**
 * All findings of a verdict: the reported ones, those below the threshold, the exempt and the triaged ones, each group worst first.
 * Files for programs are made from this list, so that they cannot differ from each other or from the gate.
 */
export function groupedFindings({ findings }: Verdict): GroupedFinding[] {
  const blocking = new Set(findings.blocking);
  const inGroup = (group: GroupedFinding['group']) =>
    findings[group].map((finding) => ({ finding, group, blocks: blocking.has(finding) }));
  return [...inGroup('reported'), ...inGroup('below'), ...inGroup('exempt'), ...inGroup('triaged')];
}
