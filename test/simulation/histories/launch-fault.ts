import type { ScanRecord } from '../../../sandbox/scan-service/state.ts';
import { readsPull, wasShownReplaced } from './change-at.ts';
import type { ExceptionKind, Judgement } from './exceptions.ts';
import {
  firstListedAt,
  firstMarkedAt,
  isOverwritten,
  isReplaced,
  lastListedAt,
  marksShownTo,
} from './marks-on-github.ts';
import { isNamedAsLaunched, isNamedInVain } from './named-scans.ts';
import type { Exchange } from './network.ts';
import type { Launch, SimulatedHistory } from './simulated-history.ts';
import type { WorkflowJob } from './workflow.ts';

type Finding = { readonly broken: string } | { readonly exception: ExceptionKind };

/** Judges whether a launch was allowed, although the change may already have scans. */
export function judgeLaunch(simulated: SimulatedHistory, launch: Launch): Judgement {
  const { environment, launches, jobs } = simulated;
  const { scans } = environment.service;
  const scan = scans.find(({ id }) => id === launch.scanId);
  const job = jobs[launch.process.run];
  if (scan === undefined || job === undefined) throw new Error('there is no such scan or job');
  if (wasShownReplaced(simulated, job, launch.sentAt))
    return { broken: ['for a head that GitHub showed as replaced'], exceptions: [] };
  const findings = launches.flatMap((earlier): readonly Finding[] => {
    const status = launch.before.get(earlier.scanId);
    const other = scans.find(({ id }) => id === earlier.scanId);
    const by = jobs[earlier.process.run];
    if (status === undefined || other === undefined || by === undefined) return [];
    if (status === 'FAILED' || status === 'CANCELLED' || !isSameChange(scan, other)) return [];
    return [
      judgePair(simulated, { launch, job }, { launch: earlier, job: by, completed: status === 'COMPLETED' }),
    ];
  });
  const broken = findings.flatMap((finding) => ('broken' in finding ? finding.broken : []));
  const exceptions = findings.flatMap((finding) => ('exception' in finding ? finding.exception : []));
  // One reason is enough for each launch.
  return { broken: broken.slice(0, 1), exceptions: exceptions.slice(0, 1) };
}

function isSameChange(one: ScanRecord, other: ScanRecord): boolean {
  const scope = ({ areas }: ScanRecord) => areas.map(({ key }) => key).join();
  return (
    one.commit === other.commit &&
    one.baseCommit === other.baseCommit &&
    one.preset === other.preset &&
    scope(one) === scope(other)
  );
}

interface LaunchOf {
  readonly launch: Launch;
  readonly job: WorkflowJob;
}

/** @param earlier a launch of the same change, whose scan could still be used */
function judgePair(
  simulated: SimulatedHistory,
  { launch, job }: LaunchOf,
  earlier: LaunchOf & { readonly completed: boolean },
): Finding {
  const { exchanges } = simulated;
  const { scanId } = earlier.launch;
  const { plan, run } = job;
  if (job === earlier.job) {
    if (wasYielded(exchanges, earlier.launch, launch)) return { exception: 'twins' };
    // The run knows only the scan that the service named. It followed that scan, and launched again after its end.
    return isNamedInVain(simulated, earlier.launch, launch)
      ? { exception: 'wrong id' }
      : { broken: `beside ${scanId}, which it had launched itself` };
  }
  if (!run.reuseScan) return { exception: 'asked for' };
  const isSamePull = run.pull === earlier.job.run.pull;
  if (!isSamePull && !earlier.completed) return { exception: 'another pull request' };
  if (isOverwritten(simulated, scanId)) return { exception: 'overwritten mark' };
  if (isNamedAsLaunched(simulated, scanId) && !isMarkedBySameStep(simulated, job, scanId))
    return { exception: 'wrong id' };
  const { sentAt } = launch;
  if (isReplaced(simulated, scanId, sentAt)) return { exception: 'no mark' };
  if (isShownOnlyEarlier(exchanges, plan, scanId, sentAt) && !isRepeat(job))
    return { exception: 'marks unreadable' };
  if (marksShownTo(exchanges, plan, sentAt).includes(scanId)) {
    // Even if this pull request launched the scan, all marks of the scan can belong to another pull request: the
    // service may have answered a launch of that other pull request with the id of this scan.
    const isOwn = marksShownTo(exchanges, plan, sentAt, run.pull).includes(scanId);
    const isUsable =
      earlier.completed &&
      !wasRunningWhenRead(exchanges, plan.number, scanId, sentAt) &&
      // Once the run has listed the check runs, it looks only for marks of its own pull request.
      marksShownTo(exchanges, plan, firstListedAt(exchanges, plan)).includes(scanId);
    if (!isOwn && !isUsable) return { exception: 'another pull request' };
    // A scan of another pull request is read once. A scan of this one makes way only if the service does not know it.
    const failure = lastReadFault(exchanges, plan.number, scanId, sentAt);
    if (isOwn ? failure === '404' : failure !== undefined) return { exception: 'service failed' };
    const shared =
      isSamePull ||
      (earlier.job.run.reuseScan && ![job, earlier.job].some((one) => gitHubFailed(exchanges, one)));
    return shared ? { broken: `although it had seen the mark of ${scanId}` } : { exception: 'no trees' };
  }
  const listedAt = lastListedAt(exchanges, plan, sentAt);
  if (listedAt === undefined) {
    return isRepeat(job)
      ? { broken: `beside ${scanId}, although it could not list the check runs` }
      : { exception: 'marks unreadable' };
  }
  if (firstMarkedAt(exchanges, scanId, plan.headSha) >= listedAt) {
    const isOver = (earlier.job.mainEndedAt ?? Number.POSITIVE_INFINITY) < job.startedAt;
    return { exception: isOver ? 'no mark' : 'twins' };
  }
  return { broken: `beside ${scanId}, whose mark GitHub had` };
}

/**
 * True if the run could not list the check runs, and its last read of the pull request did not show the mark. An
 * earlier read may have shown the mark, in a comment that a run for another head then replaced.
 */
function isShownOnlyEarlier(
  exchanges: readonly Exchange[],
  plan: WorkflowJob['plan'],
  scanId: string,
  sentAt: number,
): boolean {
  const read = exchanges.findLast(
    (exchange) =>
      exchange.process.run === plan.number &&
      readsPull(exchange) &&
      exchange.received &&
      exchange.sentAt < sentAt,
  );
  const isUnlisted = lastListedAt(exchanges, plan, sentAt) === undefined;
  return isUnlisted && read !== undefined && !marksShownTo([read], plan, sentAt).includes(scanId);
}

/** How the run's last read of the scan before its launch failed. Undefined if it did not fail. */
function lastReadFault(
  exchanges: readonly Exchange[],
  run: number,
  scanId: string,
  until: number,
): Exchange['fault'] {
  const read = exchanges.findLast(
    ({ process, point, path, sentAt }) =>
      process.run === run && point === 'scans.read' && path.includes(scanId) && sentAt <= until,
  );
  return read?.fault;
}

/** Whether the run's last read of the scan before `until` showed that the scan had not ended. */
function wasRunningWhenRead(
  exchanges: readonly Exchange[],
  run: number,
  scanId: string,
  until: number,
): boolean {
  const read = exchanges.findLast(
    ({ process, point, path, fault, received, endedAt }) =>
      process.run === run &&
      point === 'scans.read' &&
      path.includes(scanId) &&
      fault === undefined &&
      received &&
      endedAt !== undefined &&
      endedAt <= until,
  );
  return /"status":"(QUEUED|RUNNING)"/.test(JSON.stringify(read?.answer?.body ?? ''));
}

/** Whether a job of the same step has marked the scan. A job of another step writes marks with another key. */
function isMarkedBySameStep(
  { exchanges, jobs }: SimulatedHistory,
  { run }: WorkflowJob,
  scanId: string,
): boolean {
  return jobs.some(
    (other) =>
      other.run.step === run.step &&
      firstMarkedAt(
        exchanges.filter(({ process }) => process.run === other.plan.number),
        scanId,
        other.plan.headSha,
      ) < Number.POSITIVE_INFINITY,
  );
}

/** Whether the event shows that an earlier run had the same head. */
function isRepeat({ plan, run }: WorkflowJob): boolean {
  const isEdit = run.action === 'edited' && !run.changesBase;
  return plan.attempt > 1 || isEdit || run.action === 'reopened';
}

function gitHubFailed(exchanges: readonly Exchange[], { plan }: WorkflowJob): boolean {
  return exchanges.some(
    ({ process, side, fault }) => process.run === plan.number && side === 'github' && fault !== undefined,
  );
}

/**
 * True if the run cancelled its first scan before it launched the second one. It may do this to follow the scan of
 * another job.
 */
function wasYielded(exchanges: readonly Exchange[], first: Launch, again: Launch): boolean {
  return exchanges.some(
    ({ process, point, path, endedAt }) =>
      process === first.process &&
      point === 'scans.cancel' &&
      path.includes(first.scanId) &&
      endedAt !== undefined &&
      endedAt <= again.at,
  );
}
