import type { LocatedVulnerability } from './analyzer/vulnerability.ts';
import type { FindingRecord } from './state.ts';

/** Returns the severity that a person has set, otherwise the severity from the scan. */
export function severityOf(finding: FindingRecord, vulnerability: LocatedVulnerability): string {
  return finding.severityOverride ?? vulnerability.rule.severity;
}
