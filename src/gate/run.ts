import { judge } from '../domain/verdict.ts';
import { confirmResult } from './confirm-result.ts';
import { decide } from './decide.ts';
import { deliverVerdict } from './deliver-verdict.ts';
import { openGate, type RunDeps } from './gate.ts';
import { endWithoutScan, settleEarlierAttempt } from './older-scans.ts';
import { scanChange } from './scan-change.ts';

/**
 * Runs one step, from its inputs to its exit code.
 * @returns 0 only if the result is proven, or allowed by the policy
 */
export async function run(deps: RunDeps): Promise<0 | 1> {
  const gate = openGate(deps);
  // Nothing is scanned if, for example, the pull request is closed or nothing changed.
  const plan = await decide(gate, deps);
  // Each change gets one scan. If `reuse-scan` allows it, the run uses a scan that a mark proves. The run follows that
  // scan if it is still running.
  //
  // If several jobs launch at the same time, one job keeps its scan. All other jobs cancel their scans and follow this
  // scan.
  //
  // A check run that an earlier attempt left in progress is completed with the result of the scan.
  const scanned = plan.kind === 'scan' ? await scanChange(gate, plan) : await endWithoutScan(gate, plan);
  // If nothing is scanned, a check run of an earlier attempt can still be in progress. The run takes it over. If the
  // pull request is closed, the run also cancels the scan of that attempt.
  const settled = await settleEarlierAttempt(gate, scanned);
  // Before exit 0, the run confirms that the pull request still has this head and this base branch. If not, the result
  // is `superseded`. If the pull request was closed during the run, `unchanged` and `paths` do not pass.
  const confirmed = await confirmResult(gate, settled);
  const verdict = judge(confirmed.result.outcome, gate.policy);
  await deliverVerdict(deps, gate, confirmed, verdict);
  return verdict.exitCode;
}
