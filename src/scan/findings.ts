import type { Clock } from '../clock.ts';
import { neededEvidence } from '../domain/fail-on.ts';
import { type Finding, worstFirst } from '../domain/finding.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { explainStop } from '../domain/stop.ts';
import { type GatePolicy, isAtGate, isExemptAtGate, mayBeReported } from '../domain/verdict.ts';
import { inGrowingPool } from '../http/pool.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import { explainApiError } from '../scan-api/explain-error.ts';
import type { ScanApi } from '../scan-api/scan-api.ts';
import { withDetail } from './finding-detail.ts';

/** Our choice: readers look at this many findings, and one page of annotations holds as many. */
const DETAILS_OF_WORST = 50;
/** Our choice: the number of annotations. Without a location there is no annotation. */
const DETAILS_FOR_LOCATION = 200;
/** The number of parallel requests for details. It increases until the service asks to wait. */
const WIDTH = { from: 4, to: 32 };
/** Our choice, for all details together: they improve the report, but are not worth a long wait. */
const DETAILS_MS = 30_000;
/** Our choice: after this many failures the rest will probably fail too, each after its own retries. */
const MOST_FAILURES = 10;

export interface FindingsRequest {
  readonly projectId: string;
  readonly scanId: string;
  readonly policy: GatePolicy;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface ReadFindings {
  /** All findings of the scan, in any order. */
  readonly findings: readonly Finding[];
  readonly warnings: readonly string[];
}

/**
 * Reads all findings of a COMPLETED scan, and the details of those that may be reported. An incomplete list is an
 * error. A detail that cannot be read is a warning: the finding stays as the list shows it, but is not exempt by its
 * path, because the detail may name other files.
 */
export async function readFindings(
  api: Pick<ScanApi, 'findings' | 'finding'>,
  { projectId, scanId, policy, clock, signal }: FindingsRequest,
): Promise<Result<ReadFindings, NotScanned>> {
  const list = await api.findings(projectId, scanId, { signal });
  if (!list.ok) return err(explained(list.error));

  const wanted = worthReading(list.value, policy);
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
    findings: list.value.map(
      (finding) =>
        details.get(finding) ?? (isExemptAtGate(finding, policy) ? withUnknownFile(finding) : finding),
    ),
    warnings: detailNotices(
      wanted.length - details.size,
      late ? NOT_IN_TIME : failures.map(explained)[0]?.cause,
    ),
  });
}

/**
 * The findings whose details are read, all with a usable id: the 50 worst, those that lack a location or a value that
 * the gate needs, and those that only their path exempts.
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

/** An empty path stands for an unknown file. */
function withUnknownFile(finding: Finding): Finding {
  return { ...finding, otherPaths: [...(finding.otherPaths ?? []), ''] };
}

/** True if the gate depends on evidence or on a file that the list does not show. */
function gateCannotTell(finding: Finding, policy: GatePolicy): boolean {
  const { failOn, pathsExempt } = policy;
  if (pathsExempt.length > 0 && finding.location === undefined && isAtGate(finding, policy)) return true;
  const needed = neededEvidence(failOn, finding.severity);
  if (needed === undefined || needed === 'any') return false;
  if (finding.triage === undefined) return true;
  return needed === 'poc' && finding.triage.confirms === true && finding.evidence === undefined;
}

/**
 * True if more requests would fail too: the token is refused, the service is unreachable, or the run was stopped. An
 * invalid finding says nothing about the next one.
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

const NOT_IN_TIME = 'The service did not answer within 30 seconds.';

function detailNotices(missing: number, cause: string | undefined): string[] {
  if (missing === 0 || cause === undefined) return [];
  const which = missing === 1 ? '1 finding' : `${missing} findings`;
  return [`Could not read the details of ${which}. ${cause} Re-run this job to read them.`];
}

function explained(error: ApiError): NotScanned {
  return error.kind === 'stopped'
    ? explainStop(error.by, 'it had read all findings of the completed scan')
    : explainApiError(error);
}
