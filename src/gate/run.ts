import { judge } from '../domain/verdict.ts';
import { confirmResult } from './confirm-result.ts';
import { decide } from './decide.ts';
import { deliverVerdict } from './deliver-verdict.ts';
import { openGate, type RunDeps } from './gate.ts';
import { settleEarlierAttempt } from './left-by-earlier-attempt.ts';
import { endWithoutScan } from './older-heads.ts';
import { scanChange } from './scan-change.ts';

/** Runs one step, from its inputs to its exit code. @returns 0 only for what is proven or allowed */
export async function run(deps: RunDeps): Promise<0 | 1> {
  const gate = openGate(deps);
  // Nothing is scanned if the pull request is closed, if nothing changed, and for the other reasons in `decide`.
  const plan = await decide(gate, deps.reading);
  // One scan of the change: a completed one is read and judged again, and a running one is followed, if a mark proves it
  // and `reuse-scan` allows it. Of jobs that launch together (twins), one keeps its scan, and the others cancel their own
  // and follow it. The check run that an earlier attempt left in progress is taken over with the scan.
  const scanned = plan.kind === 'scan' ? await scanChange(gate, plan) : await endWithoutScan(gate, plan);
  // Where `decide` ended the run, such a check run is taken over here, and its scan is cancelled if the pull request is
  // closed.
  const settled = await settleEarlierAttempt(gate, scanned);
  // Exit 0 needs a pull request that still has this head and this base branch: otherwise the result is `superseded`, which
  // fails unless it is allowed. If it was closed meanwhile, only `unchanged` and `paths` no longer pass.
  const confirmed = await confirmResult(gate, settled);
  const verdict = judge(confirmed.result.outcome, gate.policy);
  await deliverVerdict(deps, gate, confirmed, verdict);
  return verdict.exitCode;
}
