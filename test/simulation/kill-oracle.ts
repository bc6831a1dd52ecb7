import { isTerminal } from '../../sandbox/scan-service/scan-status.ts';
import type { KillCell } from './kill-stages.ts';
import type { Killed } from './run-killed.ts';

/** What became of the killed job's scan. */
type ScanFate =
  | 'none launched'
  | 'completed'
  | 'cancelled by main'
  | 'cancelled by post'
  | 'followed'
  | 'cancelled after the push'
  /** The machine was lost before a check run named the scan. So nothing cancels the scan, and it completes. */
  | 'out of sight';

/**
 * Checks what is left after a killed job and after the step or run that follows the job.
 * @returns the broken promises, in words
 */
export function judgeKilled({ stage, killing, sequel }: KillCell, seen: Killed): string[] {
  const { main, scans, checkRuns, scanLeft } = seen;
  const broken: string[] = [];
  const hold = (what: string, is: unknown, wanted: unknown) => {
    if (is !== wanted) broken.push(`${what}: ${String(is)}, promised ${String(wanted)}`);
  };
  const result = scanFateOf(seen, sequel);
  const running = scans.filter(({ status }) => !isTerminal(status));
  const hidden = result === 'out of sight';
  const orphan = !hidden && (running.length > 0 || seen.reserved > 0);
  // The outputs and the log have to report the verdict. The comment and the check run may fail after the verdict.
  const isReported = main.outputs['outcome'] === 'passed' && main.log.includes('Passed: ');
  const isProven = isReported && scanLeft?.status === 'COMPLETED';
  const falseGreen = main.exitCode === 0 && !isProven;

  hold('the request that was waited for', seen.reached, true);
  // If no check run names the scan, nothing proves to the next attempt that this run launched the scan. So the attempt
  // launches a second scan.
  hold('double launches', seen.doubleLaunches, hidden && sequel === 'attempt 2' ? 1 : 0);
  hold('false green', falseGreen, false);
  hold('orphan', orphan, false);
  // A scan may be left to complete only if the job was killed before a check run named the scan. This can happen at the
  // launch, and while the job creates the check run.
  if (hidden) {
    hold('killed by', killing === 'SIGINT', false);
    hold('stage', stage.at === 'scans.launch' || stage.at === 'check.create', true);
  }
  if (sequel === 'post') {
    hold('exit code of post', seen.sequel.exitCode, 0);
    hold('scans', scans.length <= 1, true);
    for (const { status } of checkRuns) hold('check run', status, 'completed');
  } else {
    hold('exit code of the next run', seen.sequel.exitCode, 0);
    hold('outcome of the next run', seen.sequel.outputs['outcome'], 'passed');
    hold('scan of the next run', scans[0]?.status, 'COMPLETED');
    if (result === 'followed') hold('reused', seen.sequel.outputs['scan-reused'], 'true');
  }
  return broken;
}

function scanFateOf({ scanLeft, scans, checkRunsLeft }: Killed, sequel: KillCell['sequel']): ScanFate {
  if (scanLeft === undefined) return 'none launched';
  const status = scans.find(({ id }) => id === scanLeft.id)?.status ?? '';
  if (scanLeft.status === 'CANCELLED') return 'cancelled by main';
  if (scanLeft.status === 'COMPLETED') return 'completed';
  if (status === 'CANCELLED') return sequel === 'push' ? 'cancelled after the push' : 'cancelled by post';
  if (status === 'COMPLETED') return 'followed';
  const isNamed = checkRunsLeft.some(({ externalId }) => externalId?.includes(scanLeft.id));
  return sequel !== 'post' && !isNamed ? 'out of sight' : 'followed';
}
