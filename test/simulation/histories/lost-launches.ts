import type { Exchange } from './network.ts';
import type { WorkflowJob } from './workflow.ts';

/**
 * Returns a time for each launch to which the job got no readable answer. To the job, every scan that appears after
 * this time is new.
 *
 * The time is that of the last list of scans before the launch. If there is no such list, the time is that of the
 * launch.
 */
export function lostLaunches(
  exchanges: readonly Exchange[],
  { plan }: { readonly plan: Pick<WorkflowJob['plan'], 'number'> },
): readonly number[] {
  const own = exchanges.filter(({ process }) => process.run === plan.number && process.phase === 'main');
  const lost = own.filter(
    ({ point, fault, endedAt }) => point === 'scans.launch' && (fault !== undefined || endedAt === undefined),
  );
  return lost.map(({ sentAt }) => listedBefore(own, sentAt) ?? sentAt);
}

function listedBefore(own: readonly Exchange[], sentAt: number): number | undefined {
  return own.findLast(
    ({ point, fault, answer, endedAt = Number.POSITIVE_INFINITY }) =>
      point === 'scans.list' && fault === undefined && answer?.status === 200 && endedAt <= sentAt,
  )?.arrivedAt;
}
