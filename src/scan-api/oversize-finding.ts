import type { Finding } from '../domain/finding.ts';
import { severityOf } from '../domain/severity.ts';
import { LARGEST_BODY } from '../http/limited-fetch.ts';

/**
 * Makes a substitute for a finding that is too large for an answer. The substitute is open. Its severity and its id are
 * unknown.
 * @param position the finding's position in the list of its scan, from 1
 */
export function oversizeFinding(position: number): Finding {
  return {
    id: undefined,
    label: 'ZK-????????',
    severity: severityOf(undefined),
    triage: undefined,
    evidence: undefined,
    resolution: undefined,
    title: `Finding ${position} of the scan is too large to read`,
    cwe: undefined,
    location: undefined,
    url: undefined,
    description: `The service's answer with this finding is larger than ${LARGEST_BODY}. It is number ${position} in the service's list of findings of this scan. Its severity is not known, so it counts as worse than critical. Look at it in the scanning service.`,
    recommendedFix: undefined,
    proofOfConcept: undefined,
  };
}
