import type { ScanRecord } from '../../../sandbox/scan-service/state.ts';
import { nameOf, validMoments } from './change-at.ts';
import type { ExceptionKind, Judgement } from './exceptions.ts';
import { findFindingFaults } from './findings-fault.ts';
import { changesUnscannedOnly } from './fixture-repository.ts';
import { firstMarkedAt, isOverwritten, marksShownTo } from './marks-on-github.ts';
import { isNamedAsLaunched, lastNamedAt } from './named-scans.ts';
import type { SimulatedHistory } from './simulated-history.ts';
import type { WorkflowJob } from './workflow.ts';

/** Marks have the time of a launch in whole seconds. */
const CLOCK_STEP_MS = 1_000;

/**
 * Judges a verdict by the true state. Exit code 0 is right in three cases:
 *
 * - A completed scan of the change has no blocking finding.
 * - An open pull request changes nothing.
 * - An open pull request changes only files that `paths-unscanned` names.
 */
export function findVerdictFaults(simulated: SimulatedHistory, job: WorkflowJob): Judgement {
  const { outputs, exitCode } = job;
  const { outcome, reason } = outputs ?? {};
  switch (outcome) {
    case 'passed':
    case 'blocked':
      return findScanFaults(simulated, job, outcome === 'passed');
    case 'unchanged':
      return falseIf(!isUnchanged(simulated, job), 'unchanged, although there is a change');
    default: {
      if (exitCode !== 0) return judged([]);
      if (reason !== 'paths') return falseIf(true, `exit code 0 for ${outcome} (${reason})`);
      return falseIf(!isUnscanned(simulated, job), 'not scanned, although it has to be');
    }
  }
}

function falseIf(isFalse: boolean, why: string): Judgement {
  return judged(isFalse ? [why] : []);
}

function judged(broken: readonly string[], ...exceptions: readonly ExceptionKind[]): Judgement {
  return { broken, exceptions };
}

function isUnchanged(simulated: SimulatedHistory, job: WorkflowJob): boolean {
  const head = nameOf(simulated.commits, job.plan.headSha);
  return validMoments(simulated, job, true).some(
    // The head `nothing` has the files of its parent.
    ({ isOpen, bases }) => isOpen && bases.some((base) => base === head || head === 'nothing'),
  );
}

function isUnscanned(simulated: SimulatedHistory, job: WorkflowJob): boolean {
  const head = nameOf(simulated.commits, job.plan.headSha);
  return validMoments(simulated, job, true).some(
    ({ isOpen, bases }) => isOpen && bases.some((base) => changesUnscannedOnly(base, head)),
  );
}

function findScanFaults(simulated: SimulatedHistory, job: WorkflowJob, passed: boolean): Judgement {
  const { environment, commits } = simulated;
  const what = passed ? 'passed' : 'blocked';
  const wrong = (why: string) => judged([`${what} ${why}`]);
  const scan = environment.service.scans.find(({ id }) => id === job.outputs?.['scan-id']);
  if (scan === undefined || scan.status !== 'COMPLETED') return wrong('without a completed scan');
  const isWrongId = isNamedAsLaunched(simulated, scan.id);
  if (scan.commit !== job.plan.headSha) {
    // Documented: if the service hides the commit, nothing shows that the answer to the launch named another scan.
    if (isWrongId && ['commit', 'everything'].includes(simulated.history.hides))
      return judged([], 'wrong id');
    return wrong('by the scan of another head');
  }
  const isOfOtherStep = scan.areas.length > 0 !== (job.run.step === 'narrow');
  const isNamed = isOfOtherStep && isWrongId;
  if (isOfOtherStep && !isNamed) return wrong('by the scan of another step');
  const base = nameOf(commits, scan.baseCommit);
  const moments = validMoments(simulated, job, passed).filter(({ bases }) => bases.includes(base));
  if (moments.length === 0) return wrong(`by a scan from ${base}, which is not the base`);
  if (!moments.some(({ wasOpen }) => wasOpen)) return wrong('although the pull request was closed');
  const newer = newerScan(simulated, job, scan);
  const faults = findFindingFaults(simulated, job, scan);
  if (newer === undefined) return isNamed ? judged(faults, 'wrong id') : judged(faults);
  if (isOverwritten(simulated, newer.id)) return judged(faults, 'overwritten mark');
  return wrong(`by ${scan.id}, although ${newer.id} is newer`);
}

/**
 * A newer scan of the same change. The gate launched it after the used scan. GitHub showed its mark to the job, or the
 * copier overwrote the mark.
 */
function newerScan(simulated: SimulatedHistory, job: WorkflowJob, used: ScanRecord): ScanRecord | undefined {
  const { environment, launches, jobs, exchanges, strangers } = simulated;
  const { number } = job.plan;
  const readBadly = exchanges.some(
    ({ process, side, fault }) => process.run === number && side === 'service' && fault !== undefined,
  );
  if (readBadly || !job.run.reuseScan) return undefined;
  const launchedAt = launches.find(({ scanId }) => scanId === used.id)?.at ?? strangers.get(used.id)?.at ?? 0;
  // If a run took the used scan for its own, the run's mark of that scan has the time of the run's launch.
  const usedAt = Math.max(launchedAt, lastNamedAt(simulated, job, used.id));
  const shown = marksShownTo(exchanges, job.plan, Number.POSITIVE_INFINITY);
  return environment.service.scans.find((scan) => {
    const launch = launches.find(({ scanId }) => scanId === scan.id);
    const by = launch && jobs[launch.process.run];
    const markedAt = firstMarkedAt(exchanges, scan.id, scan.commit);
    return (
      launch !== undefined &&
      launch.at > usedAt + CLOCK_STEP_MS &&
      scan.commit === used.commit &&
      scan.baseCommit === used.baseCommit &&
      by?.run.pull === job.run.pull &&
      by.run.step === job.run.step &&
      scan.status === 'COMPLETED' &&
      // Only the check run of a job that has ended counts. A concurrent job can still change its own check run.
      (by.mainEndedAt ?? Number.POSITIVE_INFINITY) < job.startedAt &&
      by.exitCode !== undefined &&
      markedAt < job.startedAt &&
      (shown.includes(scan.id) || isOverwritten(simulated, scan.id))
    );
  });
}
