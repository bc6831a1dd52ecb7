import type { Finding } from '../../src/domain/finding.ts';
import { severityOf } from '../../src/domain/severity.ts';

/** A finding with what a test cares about; the severity is the service's word. */
export function finding(parts: Partial<Omit<Finding, 'severity'>> & { severity?: string } = {}): Finding {
  const id = parts.id ?? 'f-00000001';
  return {
    label: `ZK-${id.slice(-8)}`,
    triage: 'PENDING',
    evidence: null,
    resolution: 'NOT_STARTED',
    title: 'A finding',
    cwe: undefined,
    location: undefined,
    url: undefined,
    description: undefined,
    recommendedFix: undefined,
    proofOfConcept: undefined,
    ...parts,
    id,
    severity: severityOf(parts.severity ?? 'HIGH'),
  };
}
