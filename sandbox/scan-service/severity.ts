import type { LocatedVulnerability } from './analyzer/analyze.ts';
import type { FindingRecord } from './state.ts';

/** The effective severity: a person's override, else the severity from the scan that found the vulnerability. */
export function severityOf(finding: FindingRecord, vulnerability: LocatedVulnerability): string {
  return finding.severityOverride ?? vulnerability.rule.severity;
}
