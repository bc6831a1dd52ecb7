import type { PlacedFlaw } from './analyzer/analyze.ts';
import type { FindingRecord } from './world.ts';

/** The severity that counts: a person's override, else what the scan that found this flaw says. */
export function severityOf(finding: FindingRecord, flaw: PlacedFlaw): string {
  return finding.severityOverride ?? flaw.rule.severity;
}
