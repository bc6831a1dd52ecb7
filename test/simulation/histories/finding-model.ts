import type { FindingRecord, ServiceState } from '../../../sandbox/scan-service/state.ts';

/** The state that a finding had until the time `until`. */
export interface Standing {
  readonly until: number;
  readonly severity: string;
  readonly isOpen: boolean;
}

/** The states of findings in the service over time. The model does not depend on how the action reads or decides. */
export interface FindingModel {
  /** Called before a person changes the status or the severity of a finding. */
  changed(finding: FindingRecord): void;
  /** The severities and statuses that the finding had within a period. */
  between(findingId: string, from: number, to: number): readonly Standing[];
}

/** `RESOLVED` is missing: a resolved finding still blocks if the scan of the commit finds it. */
const CLOSED = ['WONT_FIX', 'MITIGATED', 'FALSE_POSITIVE', 'DUPLICATE'];

export function createFindingModel(service: ServiceState, now: () => number): FindingModel {
  const standings = new Map<string, Standing[]>();
  const standing = (finding: FindingRecord, until: number): Standing => ({
    until,
    severity: finding.severityOverride ?? finding.vulnerability.rule.severity,
    isOpen: !CLOSED.includes(finding.resolutionStatus),
  });
  return {
    changed(finding) {
      const known = standings.get(finding.id) ?? [];
      standings.set(finding.id, [...known, standing(finding, now())]);
    },
    between(findingId, from, to) {
      const finding = service.findings.get(findingId);
      if (finding === undefined) return [];
      const ended = standings.get(findingId) ?? [];
      return [
        ...ended.filter((one) => one.until >= from),
        standing(finding, Number.POSITIVE_INFINITY),
      ].filter((_, index, all) => index === 0 || (all[index - 1]?.until ?? 0) <= to);
    },
  };
}

export const BLOCKING = ['CRITICAL', 'HIGH'];
export const REPORTED = ['CRITICAL', 'HIGH', 'MEDIUM'];
