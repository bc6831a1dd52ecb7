import type { Finding } from '../../../src/domain/finding.ts';
import { severityOf } from '../../../src/domain/severity.ts';
import { readTriage } from '../../../src/scan-api/wire.ts';

/** A finding with what a test cares about; severity and triage are the service's words. */
export function finding(
  parts: Partial<Omit<Finding, 'severity' | 'triage'>> & {
    severity?: string;
    triage?: string | undefined;
  } = {},
): Finding {
  const id = parts.id ?? 'f-00000001';
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
    ...parts,
    id,
    triage: readTriage('triage' in parts ? parts.triage : 'PENDING'),
    severity: severityOf(parts.severity ?? 'HIGH'),
  };
}
