import type { LocatedVulnerability } from './analyzer/analyze.ts';
import type { FindingRecord } from './state.ts';

/** Returns the severity that counts: the one that a person has set, otherwise the one from the scan. */
export function severityOf(finding: FindingRecord, vulnerability: LocatedVulnerability): string {
  return finding.severityOverride ?? vulnerability.rule.severity;
}
