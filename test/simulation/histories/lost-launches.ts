import type { Exchange } from './network.ts';
import type { WorkflowJob } from './workflow.ts';

/** When a job sent the launches that got no readable answer. */
export function lostLaunches(exchanges: readonly Exchange[], { plan }: WorkflowJob): readonly number[] {
  return exchanges.flatMap(({ process, point, sentAt, fault, endedAt }) =>
    process.run === plan.number && point === 'scans.launch' && (fault !== undefined || endedAt === undefined)
      ? [sentAt]
      : [],
  );
}
