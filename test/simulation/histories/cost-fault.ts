import { BUDGET, type Job } from './job.ts';
import { firstMarkedAt, leftMarkAt } from './marks-on-github.ts';
import { isAnsweredWithOther } from './named-scans.ts';
import type { SimulatedHistory } from './simulated-history.ts';

/** The cost of a pull request, as a report states it. */
interface Total {
  readonly scans: number;
  readonly credits: number;
  readonly atLeast: boolean;
}

/**
 * Checks the cost that a job's report shows for the pull request. The cost has to include the launches of this job, and
 * of the jobs that ended before it started. It need not include the launches of jobs that ran at the same time.
 */
export function findCostFaults(
  simulated: SimulatedHistory,
  job: SimulatedHistory['jobs'][number],
): { readonly broken: readonly string[]; readonly isExact: boolean } {
  const total = totalOf(job);
  const isExact = total?.atLeast === false;
  // Documented: a workflow that overwrites a mark also overwrites the total in it.
  if (total === undefined || simulated.copies.overwritten.length > 0) return { broken: [], isExact };
  const number = numberOf(job);
  const launches = simulated.launches.flatMap((launch) => {
    const by = simulated.jobs[launch.process.run];
    return by !== undefined && numberOf(by) === number ? [{ ...launch, by }] : [];
  });
  const endedAt = job.mainEndedAt ?? Number.POSITIVE_INFINITY;
  // Documented: a job that lost the answer to its launch can mistake a scan of another user, or an unmarked scan of
  // another job, for its own scan.
  const mistaken = simulated.strangers.size + recoveredOfOthers(simulated, number).length;
  const most = launches.filter(({ sentAt }) => sentAt <= endedAt).length + mistaken;
  const least = launches.filter(
    ({ by, ...launch }) =>
      by === job ||
      ((by.mainEndedAt ?? endedAt) < job.startedAt &&
        leftCheckRun(by) &&
        !isAnsweredWithOther(simulated, launch) &&
        !isMissedByNewerHead(simulated, by, launch.scanId)),
  );
  const faults: string[] = [];
  if (total.scans > most) faults.push(`counts ${total.scans} scans of ${most}`);
  if (isExact && total.scans < least.length && !cameBackUnmarked(simulated, job))
    faults.push(`counts exactly ${total.scans} scans of ${least.length} or more`);
  if (isExact && simulated.strangers.size === 0 && total.credits !== total.scans * BUDGET)
    faults.push(`counts exactly ${total.credits} credits in ${total.scans} scans`);
  return { broken: faults, isExact };
}

/**
 * Returns the launches of other jobs whose scans a job of this pull request mistook for its own scan. The job had lost
 * the answer to its launch, and those scans had no mark yet. A job of the same pull request counts only if the answer to
 * its launch named an unknown id, because its mark then counts beside the mistaken scan.
 */
function recoveredOfOthers({ exchanges, jobs, launches }: SimulatedHistory, number: number | undefined) {
  return launches.filter(({ process, scanId }) => {
    const by = jobs[process.run];
    const isUnknown = exchanges.some(
      (exchange) => exchange.process.run === process.run && exchange.fault === 'unknown id',
    );
    if (by === undefined || (numberOf(by) === number && !isUnknown)) return false;
    const ofLauncher = exchanges.filter((exchange) => exchange.process.run === process.run);
    const markedAt = firstMarkedAt(ofLauncher, scanId, by.plan.headSha);
    return jobs.some(
      (job) =>
        job !== by &&
        numberOf(job) === number &&
        job.log.some((line) => line.includes(`Recovered the launch of scan \`${scanId}\``)) &&
        markedAt >= (job.mainEndedAt ?? Number.POSITIVE_INFINITY),
    );
  });
}

/** True if the job left a check run. If it left none, other jobs can miss its launch, as documented. */
function leftCheckRun({ exitCode, log }: Job): boolean {
  return exitCode !== undefined && !log.some((line) => /warning: .*check run/.test(line));
}

/**
 * True if a run for a newer head started before the scan of the older head had its mark. The newer run can then miss
 * that scan, as documented.
 */
function isMissedByNewerHead(
  { environment, exchanges, jobs }: SimulatedHistory,
  { plan, run }: SimulatedHistory['jobs'][number],
  scanId: string,
): boolean {
  const markedAt = firstMarkedAt(exchanges, scanId, plan.headSha);
  const moments = environment.pulls.momentsOf(run.pull);
  return jobs.some((other) => {
    const heads = moments.filter(({ from }) => from <= other.startedAt).map(({ record }) => record.headSha);
    const isNewer = heads.includes(plan.headSha) && heads.at(-1) !== plan.headSha;
    return isNewer && other.plan.headSha === heads.at(-1) && other.startedAt < markedAt;
  });
}

/**
 * True if a head was pushed again, and the run of that push left no mark.
 * The older mark of this head then looks like the mark of the previous run, as documented.
 */
function cameBackUnmarked(
  { environment, exchanges, jobs }: SimulatedHistory,
  job: SimulatedHistory['jobs'][number],
): boolean {
  const moments = environment.pulls.momentsOf(job.run.pull).filter(({ from }) => from <= job.startedAt);
  const heads = moments.map(({ record }) => record.headSha);
  return moments.some(({ from }, index) => {
    const head = heads[index];
    if (head === undefined || heads[index - 1] === head || !heads.slice(0, index).includes(head))
      return false;
    const pushed = jobs.find(
      ({ run, startedAt }) =>
        run.pull === job.run.pull &&
        run.action === 'synchronize' &&
        run.headSha === head &&
        startedAt >= from,
    );
    return pushed !== job && (pushed === undefined || !(leftMarkAt(exchanges, pushed) < job.startedAt));
  });
}

function totalOf({ report, exitCode }: Job): Total | undefined {
  // The report file of a killed job can be one that an earlier history left.
  return report === undefined || exitCode === undefined
    ? undefined
    : (JSON.parse(report).creditsPullRequest ?? undefined);
}

function numberOf({ plan }: Job): number | undefined {
  return (plan.payload as { pull_request?: { number?: number } }).pull_request?.number;
}
