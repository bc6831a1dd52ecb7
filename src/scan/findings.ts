import { type Finding, pathsOf, UNTITLED, worstFirst } from '../domain/finding.ts';
import { err, explainStop, type NotScanned, ok, type Result, sentencesOf } from '../domain/result.ts';
import type { NamedScan } from '../domain/scan.ts';
import {
  type GatePolicy,
  isAtGate,
  isExemptAtGate,
  mayBeReported,
  neededEvidence,
} from '../domain/verdict.ts';
import { inGrowingPool } from '../http/pool.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { type ErrorContext, explainApiError } from '../scan-api/explain-error.ts';
import type { ServiceStep } from '../start/step.ts';

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

/**
 * Our choice: a run reads the details of this many of the worst findings. One request to GitHub can send annotations
 * for all of them.
 */
const DETAILS_OF_WORST = 50;
/**
 * Our choice: among this many of the worst findings, a run also reads the details of those without a location. An
 * annotation needs a location, and a check run has at most this many annotations.
 */
const DETAILS_FOR_LOCATION = 200;
/**
 * The number of parallel requests for details. It grows from the first limit to the second. If the service asks for a
 * pause, it goes back to the first and stays there.
 */
const WIDTH = { from: 4, to: 32 };
/** Our choice: a run reads details for at most this time. They improve the report, but are not worth a longer wait. */
const DETAILS_MS = 30_000;
/** Our choice: a run requests no more details after this many failures. More requests would probably fail too. */
const MOST_FAILURES = 10;

export interface ReadFindings {
  /** All findings of the scan, not sorted. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

/**
 * Reads all findings of a COMPLETED scan, and the details of the findings that `worthReading` chooses.
 * - An incomplete list is an error.
 * - A detail that cannot be read is a warning. The finding stays as the list shows it, but its path does not exempt it,
 *   because the detail may name other files.
 */
export async function readFindings(
  { api, clock, signal }: ServiceStep,
  { projectId, scanId }: NamedScan,
  policy: GatePolicy,
): Promise<Result<ReadFindings, NotScanned>> {
  const list = await api.findings(projectId, scanId, { signal, isPaid: true });
  if (!list.ok) return err(explained(list.error, { scanShown: true }));

  const wanted = worthReading(list.value, policy);
  const chosen = new Set(wanted);
  const details = new Map<Finding, Finding>();
  const failures: ApiError[] = [];
  const deadline = clock.timeout(DETAILS_MS);
  const inTime = AbortSignal.any([signal, deadline.signal]);
  await inGrowingPool(wanted, WIDTH, async (finding, narrow) => {
    if (finding.id === undefined || inTime.aborted || pointlessAfter(failures)) return false;
    const detail = await api.finding(projectId, finding.id, { signal: inTime, onThrottled: narrow });
    if (detail.ok) details.set(finding, withDetail(finding, detail.value));
    else failures.push(detail.error);
    return detail.ok;
  });

  const late = deadline.signal.aborted && !signal.aborted;
  deadline.clear();
  const signalled = failures.find((error) => error.kind === 'stopped' && error.by === 'signal');
  if (signalled !== undefined && !late) return err(explained(signalled));
  return ok({
    findings: list.value.map((finding) => {
      const detailed = details.get(finding);
      if (detailed !== undefined) return detailed;
      const listed = isExemptAtGate(finding, policy) ? withUnknownFile(finding) : finding;
      const isRead = chosen.has(finding) || showsTexts(finding) || !mayBeReported(listed, policy);
      return isRead ? listed : { ...listed, detailsUnread: true };
    }),
    warnings: detailNotices(
      wanted.length - details.size,
      late ? NOT_IN_TIME : failures.map((error) => sentencesOf(explained(error)))[0],
    ),
  });
}

/**
 * Chooses the findings whose details are read. A finding needs a usable id, and one of these reasons:
 * - It is one of the 50 worst that may be reported.
 * - It has no location, and is one of the 200 worst that may be reported.
 * - It lacks a value that the gate needs.
 * - It is exempt only by its path.
 */
export function worthReading(findings: readonly Finding[], policy: GatePolicy): Finding[] {
  const candidates = worstFirst(
    findings.filter((finding) => finding.id !== undefined && mayBeReported(finding, policy)),
  );
  const exempt = findings.filter((finding) => finding.id !== undefined && isExemptAtGate(finding, policy));
  return [
    ...candidates.filter(
      (finding, index) =>
        index < DETAILS_OF_WORST ||
        (index < DETAILS_FOR_LOCATION && finding.location === undefined) ||
        gateCannotTell(finding, policy),
    ),
    ...exempt,
  ];
}

/** True if the list shows every text that the details of the finding have. */
function showsTexts({ description, recommendedFix, proofOfConcept, evidence }: Finding): boolean {
  const isProofShown = proofOfConcept !== undefined || evidence !== 'POC';
  return description !== undefined && recommendedFix !== undefined && isProofShown;
}

/** Adds an empty path, which stands for an unknown file. */
function withUnknownFile(finding: Finding): Finding {
  return { ...finding, otherPaths: [...(finding.otherPaths ?? []), ''] };
}

/** True if the gate needs the evidence or the files of this finding, and the list does not show them. */
function gateCannotTell(finding: Finding, policy: GatePolicy): boolean {
  const { failOn, pathsExempt } = policy;
  if (pathsExempt.length > 0 && finding.location === undefined && isAtGate(finding, policy)) return true;
  const needed = neededEvidence(failOn, finding.severity);
  if (needed === undefined || needed === 'any') return false;
  if (finding.triage === undefined) return true;
  return needed === 'poc' && finding.triage.confirms === true && finding.evidence === undefined;
}

/**
 * True if further requests would probably fail too: the run was stopped, the service cannot be reached, it refused the
 * token or asks for a pause, or many requests have failed. A single invalid answer does not count.
 */
function pointlessAfter(failures: readonly ApiError[]): boolean {
  return (
    failures.length >= MOST_FAILURES ||
    failures.some(
      (error) =>
        error.kind === 'stopped' ||
        error.kind === 'unreachable' ||
        (error.kind === 'refused' && [401, 403, 429].includes(error.status)),
    )
  );
}

const NOT_IN_TIME = 'The service did not answer within 30 seconds. Re-run this job to read them.';

function detailNotices(missing: number, why: string | undefined): string[] {
  if (missing === 0 || why === undefined) return [];
  const which = missing === 1 ? '1 finding' : `${missing} findings`;
  return [`Could not read the details of ${which}. ${why}`];
}

function explained(error: ApiError, context?: ErrorContext): NotScanned {
  return error.kind === 'stopped'
    ? explainStop(error.by, 'it had read all findings of the completed scan')
    : explainApiError(error, context);
}
