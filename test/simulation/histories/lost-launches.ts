import type { Exchange } from './network.ts';
import type { WorkflowJob } from './workflow.ts';

/**
 * For each launch to which a job got no readable answer: when the job had last listed the scans. A scan that appears
 * after that is new to the job. If the job had listed no scans: when it sent the launch.
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
