import type { Exchange } from './network.ts';
import type { WorkflowJob } from './workflow.ts';

/** When a job sent launches that it got no readable answer to. */
export function lostLaunches(exchanges: readonly Exchange[], { plan }: WorkflowJob): readonly number[] {
  return exchanges.flatMap(({ process, point, sentAt, fault, endedAt }) =>
    process.run === plan.number && point === 'scans.launch' && (fault !== undefined || endedAt === undefined)
      ? [sentAt]
      : [],
  );
}
