import { marksShownTo } from './marks-on-github.ts';
import type { Exchange } from './network.ts';
import type { Launch, SimulatedHistory } from './simulated-history.ts';
import type { WorkflowJob } from './workflow.ts';

/**
 * True if a run may take the scan `scanId` for its own, because two things hold:
 *
 * - The service answered the launch of the run with the id of this older scan.
 * - No list of scans and no mark before the launch showed this scan to the run.
 * @param run the number of the run; default: any run
 */
export function isNamedAsLaunched(
  simulated: Pick<SimulatedHistory, 'exchanges' | 'jobs'>,
  scanId: string,
  run?: number,
): boolean {
  return launchesNaming(simulated, scanId).some(({ process }) => run === undefined || process.run === run);
}

/** True if the answer to `first` named another scan, and that scan had ended without a result before `again`. */
export function isNamedInVain(
  { exchanges }: Pick<SimulatedHistory, 'exchanges'>,
  first: Launch,
  again: Launch,
): boolean {
  const answer = exchanges.find(
    ({ process, point, sentAt }) =>
      process === first.process && point === 'scans.launch' && sentAt === first.sentAt,
  );
  const status = answer?.named === undefined ? undefined : again.before.get(answer.named);
  return status === 'FAILED' || status === 'CANCELLED';
}

/**
 * The last time before the end of `job` at which a run of the same step and pull request took the scan for its own. The
 * mark that this run writes has this time. 0 if no run took the scan.
 */
export function lastNamedAt(
  simulated: Pick<SimulatedHistory, 'exchanges' | 'jobs'>,
  job: WorkflowJob,
  scanId: string,
): number {
  const { run, mainEndedAt = Number.POSITIVE_INFINITY } = job;
  const naming = launchesNaming(simulated, scanId).findLast(({ process, sentAt }) => {
    const by = simulated.jobs[process.run]?.run;
    return by?.pull === run.pull && by.step === run.step && sentAt < mainEndedAt;
  });
  return naming?.arrivedAt ?? 0;
}

function launchesNaming(
  { exchanges, jobs }: Pick<SimulatedHistory, 'exchanges' | 'jobs'>,
  scanId: string,
): readonly Exchange[] {
  return exchanges.filter((launch) => {
    if (launch.named !== scanId) return false;
    const plan = jobs[launch.process.run]?.plan;
    const wasListed = exchanges.some(
      ({ process, point, sentAt, fault, answer }) =>
        process.run === launch.process.run &&
        point === 'scans.list' &&
        fault === undefined &&
        sentAt < launch.sentAt &&
        JSON.stringify(answer?.body ?? '').includes(scanId),
    );
    return (
      !wasListed && (plan === undefined || !marksShownTo(exchanges, plan, launch.sentAt).includes(scanId))
    );
  });
}
