import type { PullRequestRecord } from '../../../sandbox/github/pull-requests.ts';
import type { HistoryEnvironment } from './environment.ts';
import type { ExceptionKind, Judgement } from './exceptions.ts';
import { lostLaunches } from './lost-launches.ts';
import { firstMarkedAt } from './marks-on-github.ts';
import { isNamedAsLaunched } from './named-scans.ts';
import type { Exchange } from './network.ts';
import type { Launch, SimulatedHistory } from './simulated-history.ts';

/**
 * Finds scans of other jobs that a job cancelled, but was not allowed to cancel. A job may cancel scans for an older
 * head of its pull request. It may also cancel scans that an earlier attempt of its run left.
 */
export function findForeignCancels(simulated: SimulatedHistory): Judgement {
  const { exchanges, launches } = simulated;
  const exceptions: ExceptionKind[] = [];
  const broken = exchanges.flatMap((exchange) => {
    const { process, point, path } = exchange;
    const launch =
      point === 'scans.cancel' ? launches.find(({ scanId }) => path.includes(scanId)) : undefined;
    if (launch === undefined || launch.process.run === process.run) return [];
    if (isOfOlderHead(simulated, exchange, launch)) return [];
    if (isLeftByEarlierAttempt(simulated, exchange, launch)) return [];
    if (isNamedAsLaunched(simulated, launch.scanId, process.run)) {
      exceptions.push('wrong id');
      return [];
    }
    if (!isLikeOwn(simulated, exchange, launch)) {
      return [`run ${process.run} cancelled ${launch.scanId} of run ${launch.process.run}`];
    }
    exceptions.push('unmarked twin');
    return [];
  });
  return { broken, exceptions };
}

function isOfOlderHead(
  { jobs, environment }: SimulatedHistory,
  { process, sentAt }: Exchange,
  { scanId, process: by }: Launch,
): boolean {
  const [job, other] = [jobs[process.run], jobs[by.run]];
  const scan = environment.service.scans.find(({ id }) => id === scanId);
  if (job === undefined || other?.run.pull !== job.run.pull) return false;
  const shown = shownAt(environment, job.run.pull, sentAt)?.headSha;
  return scan?.commit !== job.plan.headSha && shown === job.plan.headSha;
}

/**
 * True if the pull request is closed, and an earlier attempt of the run left the scan. The next attempt may cancel such
 * a scan.
 */
function isLeftByEarlierAttempt(
  { jobs, environment }: SimulatedHistory,
  { process, sentAt }: Exchange,
  { process: by }: Launch,
): boolean {
  const [job, other] = [jobs[process.run], jobs[by.run]];
  if (job === undefined || other?.run.runId !== job.run.runId) return false;
  const isClosed = shownAt(environment, job.run.pull, sentAt)?.state === 'closed';
  return isClosed && other.plan.attempt < job.plan.attempt;
}

function shownAt({ pulls }: HistoryEnvironment, pull: number, at: number): PullRequestRecord | undefined {
  return pulls.momentsOf(pull).findLast(({ shownFrom }) => shownFrom <= at)?.record;
}

function isLikeOwn(
  { jobs, environment, exchanges }: SimulatedHistory,
  { process, sentAt }: Exchange,
  { scanId, at }: Launch,
): boolean {
  const job = jobs[process.run];
  const scan = environment.service.scans.find(({ id }) => id === scanId);
  if (job === undefined || scan?.commit !== job.plan.headSha) return false;
  const looked = exchanges.findLast(
    (one) =>
      one.process.run === process.run && one.point === 'check.list' && (one.endedAt ?? sentAt + 1) <= sentAt,
  );
  const ofOthers = exchanges.filter((one) => one.process.run !== process.run);
  const wasMarked = firstMarkedAt(ofOthers, scanId, scan.commit) <= (looked?.arrivedAt ?? sentAt);
  // If a job follows the scan of another job, it replaces the mark of its own scan. The list then lacks that mark.
  const isShown =
    looked?.answer?.status !== 200 || JSON.stringify(looked.answer.body ?? '').includes(`:${scanId}:`);
  return !(wasMarked && isShown) && lostLaunches(exchanges, job).some((lostAt) => lostAt <= at);
}
