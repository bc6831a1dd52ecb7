import { createHash } from 'node:crypto';
import type { Analysis } from './analyzer/analyze.ts';
import type { LocatedVulnerability } from './analyzer/vulnerability.ts';
import { storeMap } from './audit-areas/store-map.ts';
import { isSkipped } from './phases.ts';
import { isTerminal } from './scan-status.ts';
import type { FindingRecord, ScanRecord, ServiceState } from './state.ts';

/**
 * Advances a scan that is not paused. Whenever a client reads the scan's detail, as many phases end as `phasesPerPoll`
 * says. After the last phase, the scan ends.
 */
export async function advance(state: ServiceState, scan: ScanRecord): Promise<void> {
  if (isTerminal(scan.status) || scan.held) return;
  scan.status = 'RUNNING';
  const { phasesPerPoll } = state.settings.pace;
  scan.phasesFinished = Math.min(scan.phases.length, scan.phasesFinished + phasesPerPoll);
  if (scan.phasesFinished < scan.phases.length) return;
  if (scan.ending !== 'COMPLETED') return stopInLastPhase(state, scan, scan.ending);
  const [analysis, survey] = await Promise.all([scan.analysis, scan.survey]);
  // Another request may have cancelled the scan while this request was waiting.
  if (isTerminal(scan.status)) return;
  if (analysis === undefined) return stopInLastPhase(state, scan, 'FAILED');
  complete(state, scan, analysis);
  if (survey !== undefined) storeMap(scan.repository, scan.commit, survey);
}

/** Ends the scan before its last phase is complete. */
function stopInLastPhase(state: ServiceState, scan: ScanRecord, status: 'FAILED' | 'CANCELLED'): void {
  scan.phasesFinished = scan.phases.length - 1;
  stop(state, scan, status);
}

/**
 * Stops a scan early. Spends the credits of its finished phases, and credits for a phase in progress. Returns the
 * number of phases in progress: 0 or 1.
 */
export function stop(state: ServiceState, scan: ScanRecord, status: 'FAILED' | 'CANCELLED'): number {
  const inFlight = scan.status === 'RUNNING' ? scan.phases[scan.phasesFinished] : undefined;
  const finished = scan.phases.slice(0, scan.phasesFinished).reduce((sum, phase) => sum + phase.share, 0);
  scan.status = status;
  scan.finishedAt = state.now();
  // Our choice: a phase in progress counts as half done.
  state.ledger.close(scan.id, finished + Math.floor((inFlight?.share ?? 0) / 2));
  // A failed phase has ended, a cancelled phase has not.
  if (status === 'FAILED' && inFlight !== undefined) scan.phasesFinished += 1;
  return inFlight === undefined ? 0 : 1;
}

function complete(state: ServiceState, scan: ScanRecord, analysis: Analysis): void {
  const used = scan.phases
    .filter((phase) => !isSkipped(phase, analysis))
    .reduce((sum, one) => sum + one.share, 0);
  state.ledger.close(scan.id, used);
  scan.found = analysis.vulnerabilities.map((vulnerability) => ({
    findingId: record(state, scan, vulnerability).id,
    vulnerability,
  }));
  const { filesRead, codeFilesRead, filesSkipped } = analysis;
  scan.coverage = { filesRead, codeFilesRead, filesSkipped };
  scan.finishedAt = state.now();
  scan.status = 'COMPLETED';
}

/**
 * Records a vulnerability. If a scan of this repository has found it before, its finding keeps its id and its triage.
 */
function record(state: ServiceState, scan: ScanRecord, vulnerability: LocatedVulnerability): FindingRecord {
  const { rule, path, snippet, occurrence } = vulnerability;
  const identity = [scan.repository.id, rule.id, path, snippet, String(occurrence)];
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
  const id = state.settings.findingId(hash);
  const known = state.findings.get(id);
  if (known !== undefined) {
    known.vulnerability = vulnerability;
    known.lastScanId = scan.id;
    return known;
  }
  const finding: FindingRecord = {
    id,
    repository: scan.repository,
    firstSeenAt: state.now(),
    vulnerability,
    lastScanId: scan.id,
    severityOverride: null,
    triageStatus: vulnerability.proof === null ? 'PENDING' : 'CONFIRMED',
    confirmationEvidence: vulnerability.proof?.kind ?? null,
    resolutionStatus: 'NOT_STARTED',
    pinnedNoteId: null,
    notes: [],
  };
  state.findings.set(id, finding);
  return finding;
}
