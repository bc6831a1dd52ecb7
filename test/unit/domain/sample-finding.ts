import { type Finding, severityOf } from '../../../src/domain/finding.ts';
import { readTriage } from '../../../src/scan-api/wire.ts';

/** Makes a finding with the members that a test cares about. Severity and triage are the service's values. */
export function finding(
  members: Partial<Omit<Finding, 'severity' | 'triage'>> & {
    severity?: string;
    triage?: string | undefined;
  } = {},
): Finding {
  const id = members.id ?? 'f-00000001';
  return {
    label: `ZK-${id.slice(-8)}`,
    evidence: null,
    resolution: 'NOT_STARTED',
    title: 'A finding',
    cwe: undefined,
    location: undefined,
    url: undefined,
    description: undefined,
    recommendedFix: undefined,
    proofOfConcept: undefined,
    ...members,
    id,
    triage: readTriage('triage' in members ? members.triage : 'PENDING'),
    severity: severityOf(members.severity ?? 'HIGH'),
  };
}
