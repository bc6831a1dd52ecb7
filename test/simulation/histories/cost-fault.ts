import { BUDGET, type Job } from './job.ts';
import type { SimulatedHistory } from './simulated-history.ts';

/**
 * Checks the cost that a job's report shows for the pull request. It is a lower bound: it has to include the launches of
 * this job whose answer the job could read, and no more than all launches until the end of the job.
 */
export function findCostFaults(
  simulated: SimulatedHistory,
  job: SimulatedHistory['jobs'][number],
): readonly string[] {
  const credits = creditsOf(job);
  // Documented: a workflow that overwrites a mark also overwrites the cost in it.
  if (credits === undefined || simulated.copies.overwritten.length > 0) return [];
  const number = numberOf(job);
  const endedAt = job.mainEndedAt ?? Number.POSITIVE_INFINITY;
  const launches = simulated.launches.filter(({ process, sentAt }) => {
    const by = simulated.jobs[process.run];
    return by !== undefined && numberOf(by) === number && sentAt <= endedAt;
  });
  // Documented: a job that lost the answer to its launch can mistake a scan of another user, or an unmarked scan of
  // another job, for its own scan. Such a scan is cancelled, and counted.
  const mistaken = simulated.exchanges.filter(
    ({ process, point, path }) =>
      point === 'scans.cancel' &&
      !launches.some((launch) => launch.process.run === process.run && path.includes(launch.scanId)),
  );
  const own = launches.filter(
    ({ process, sentAt }) =>
      simulated.jobs[process.run] === job &&
      simulated.exchanges.some(
        (exchange) =>
          exchange.process === process &&
          exchange.sentAt === sentAt &&
          exchange.fault === undefined &&
          exchange.received,
      ),
  );
  const most = (launches.length + mistaken.length) * BUDGET;
  const faults: string[] = [];
  if (credits > most) faults.push(`counts ${credits} credits of ${most}`);
  if (credits < own.length * BUDGET) faults.push(`counts ${credits} credits, without its own launch`);
  if (credits % BUDGET !== 0) faults.push(`counts ${credits} credits, which no launches reserve`);
  return faults;
}

function creditsOf({ report, exitCode }: Job): number | undefined {
  // The report file of a killed job can be one that an earlier history left.
  return report === undefined || exitCode === undefined
    ? undefined
    : JSON.parse(report).creditsPullRequest?.credits;
}

function numberOf({ plan }: Job): number | undefined {
  return (plan.payload as { pull_request?: { number?: number } }).pull_request?.number;
}
