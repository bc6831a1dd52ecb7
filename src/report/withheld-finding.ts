import type { Finding } from '../domain/finding.ts';
import { type Severity, severityRank } from '../domain/severity.ts';
import type { FindingGroups } from '../domain/verdict.ts';

/** What a public report may show of a withheld finding. */
export interface WithheldFinding {
  readonly label: string;
  readonly level: Severity['level'];
}

/**
 * Removes the texts of the findings. Sorts each group worst first, then by label. The usual order, by path, would
 * reveal something about the paths. Pure.
 *
 * If a finding is in two groups, both groups get the same object for it.
 */
export function withholdFindings(groups: FindingGroups): FindingGroups<WithheldFinding> {
  const known = new Map<Finding, WithheldFinding>();
  const withhold = (finding: Finding): WithheldFinding => {
    const withheld = known.get(finding) ?? { label: finding.label, level: finding.severity.level };
    known.set(finding, withheld);
    return withheld;
  };
  const all = (findings: readonly Finding[]) => findings.map(withhold).sort(bySeverityAndLabel);
  return {
    reported: all(groups.reported),
    blocking: all(groups.blocking),
    below: all(groups.below),
    exempt: all(groups.exempt),
    exemptAtGate: all(groups.exemptAtGate),
    triaged: all(groups.triaged),
    withoutEvidence: all(groups.withoutEvidence),
    total: groups.total,
    counts: groups.counts,
    highest: groups.highest,
  };
}

function bySeverityAndLabel(a: WithheldFinding, b: WithheldFinding): number {
  const byLabel = a.label < b.label ? -1 : Number(a.label > b.label);
  return severityRank(a.level) - severityRank(b.level) || byLabel;
}
