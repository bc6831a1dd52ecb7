import { type Finding, pathsOf } from '../domain/finding.ts';
import { UNTITLED } from '../scan-api/wire.ts';

/**
 * Adds the detail of a finding to the finding of the list. If both show a value, the value of the list counts, so that
 * the verdict rarely depends on the detail.
 *
 * There are three exceptions. The description, the fix and the proof of concept come from the detail, because the list
 * may cut these texts. The location comes from the detail if the list shows no lines. The other files come from both.
 */
export function withDetail(finding: Finding, detail: Finding): Finding {
  const listShowsSeverity = finding.severity.word !== '';
  const listShowsLines = finding.location?.startLine !== undefined;
  const location = listShowsLines ? finding.location : (detail.location ?? finding.location);
  const paths = new Set([...pathsOf(finding), ...pathsOf(detail)]);
  const otherPaths = [...paths].filter((path) => path !== location?.path);
  return {
    ...finding,
    severity: listShowsSeverity ? finding.severity : detail.severity,
    triage: finding.triage ?? detail.triage,
    evidence: finding.evidence === undefined ? detail.evidence : finding.evidence,
    resolution: finding.resolution ?? detail.resolution,
    title: finding.title === UNTITLED ? detail.title : finding.title,
    cwe: finding.cwe ?? detail.cwe,
    location,
    ...(otherPaths.length === 0 ? {} : { otherPaths }),
    url: finding.url ?? detail.url,
    description: detail.description ?? finding.description,
    recommendedFix: detail.recommendedFix ?? finding.recommendedFix,
    proofOfConcept: detail.proofOfConcept ?? finding.proofOfConcept,
  };
}
