import { createHash } from 'node:crypto';
import type { Analysis, PlacedFlaw } from './analyzer/analyze.ts';
import { storeMap } from './audit-areas/store-map.ts';
import { isSkipped } from './phases.ts';
import { isTerminal } from './scan-status.ts';
import type { FindingRecord, ScanRecord, World } from './world.ts';

/** What a read of the detail does to a scan that is not held: it finishes the next phases, and after the last it ends. */
export async function advance(world: World, scan: ScanRecord): Promise<void> {
  if (isTerminal(scan.status) || scan.held) return;
  scan.status = 'RUNNING';
  const { phasesPerPoll } = world.settings.pace;
  scan.phasesFinished = Math.min(scan.phases.length, scan.phasesFinished + phasesPerPoll);
  if (scan.phasesFinished < scan.phases.length) return;
  if (scan.ending !== 'COMPLETED') return stopInLastPhase(world, scan, scan.ending);
  const [analysis, survey] = await Promise.all([scan.analysis, scan.survey]);
  // Another request may have cancelled it while the analysis was awaited.
  if (isTerminal(scan.status)) return;
  if (analysis === undefined || survey === undefined) return stopInLastPhase(world, scan, 'FAILED');
  complete(world, scan, analysis);
  storeMap(scan.repository, scan.commit, survey);
}

/** It ends in its last phase, not after it. */
function stopInLastPhase(world: World, scan: ScanRecord, status: 'FAILED' | 'CANCELLED'): void {
  scan.phasesFinished = scan.phases.length - 1;
  stop(world, scan, status);
}

/** Ends a scan before its end. Returns how many jobs were in flight; they settle what they used as they wind down. */
export function stop(world: World, scan: ScanRecord, status: 'FAILED' | 'CANCELLED'): number {
  const inFlight = scan.status === 'RUNNING' ? scan.phases[scan.phasesFinished] : undefined;
  const finished = scan.phases.slice(0, scan.phasesFinished).reduce((sum, phase) => sum + phase.share, 0);
  scan.status = status;
  scan.finishedAt = world.now();
  // The phase in flight was half done: the stand-in's own measure of work begun.
  world.ledger.close(scan.id, finished + Math.floor((inFlight?.share ?? 0) / 2));
  // A phase that failed is over; one that was cancelled is not.
  if (status === 'FAILED' && inFlight !== undefined) scan.phasesFinished += 1;
  return inFlight === undefined ? 0 : 1;
}

function complete(world: World, scan: ScanRecord, analysis: Analysis): void {
  const used = scan.phases
    .filter((phase) => !isSkipped(phase, analysis))
    .reduce((sum, one) => sum + one.share, 0);
  world.ledger.close(scan.id, used);
  scan.found = analysis.flaws.map((flaw) => ({ findingId: record(world, scan, flaw).id, flaw }));
  scan.coverage = { filesRead: analysis.filesRead, filesSkipped: analysis.filesSkipped };
  scan.finishedAt = world.now();
  scan.status = 'COMPLETED';
}

/** The same flaw of the same repository is the same finding, with the triage it was given before. */
function record(world: World, scan: ScanRecord, flaw: PlacedFlaw): FindingRecord {
  const identity = [scan.repository.id, flaw.rule.id, flaw.path, flaw.snippet, String(flaw.occurrence)];
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
  const id = world.settings.findingId(hash);
  const known = world.findings.get(id);
  if (known !== undefined) {
    known.flaw = flaw;
    known.lastScanId = scan.id;
    return known;
  }
  const finding: FindingRecord = {
    id,
    repository: scan.repository,
    firstSeenAt: world.now(),
    flaw,
    lastScanId: scan.id,
    severityOverride: null,
    triageStatus: flaw.proof === undefined ? 'PENDING' : 'CONFIRMED',
    confirmationEvidence: flaw.proof?.kind ?? null,
    resolutionStatus: 'NOT_STARTED',
    pinnedNoteId: null,
    notes: [],
  };
  world.findings.set(id, finding);
  return finding;
}
