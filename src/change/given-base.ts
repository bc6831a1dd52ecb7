import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { explainStop, stopCause } from '../domain/stop.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import { findMergeBase, type MergeBaseDeps } from './merge-base.ts';

/**
 * The base that the workflow gives, proven not to contain the head: a scan from there would find nothing whatever
 * the change holds. What cannot be proven is an error.
 * @param given a full commit id
 */
export async function checkGivenBase(
  deps: MergeBaseDeps,
  target: ScanTarget,
  given: string,
): Promise<Result<DiffBase, NotScanned>> {
  const { headSha } = target;
  if (given === headSha) return err(CONTAINS_HEAD);
  const diffBase: DiffBase = { baseCommit: given, headCommit: headSha, how: 'input' };
  const found = await findMergeBase(deps, { kind: 'commit', sha: given }, target);
  if (found.ok) return found.value.sha === headSha ? err(CONTAINS_HEAD) : ok(diffBase);
  switch (found.error.kind) {
    // Two commits of which one contains the other have exactly one merge base.
    case 'no-common-ancestor':
    case 'several':
      return ok(diffBase);
    case 'stopped':
      return err(explainStop(stopCause(deps.signal) ?? 'signal', 'nothing was launched'));
    case 'unknown-commit':
      return err(unknownCommit(given, headSha));
    case 'unavailable':
      return err({
        reason: 'service-error',
        cause: `Scangate could not check that the given base does not contain the head. ${found.error.detail}`,
        nextStep: 'Run the job again later. If it fails again, grant `contents: read`.',
      });
  }
}

const CONTAINS_HEAD: NotScanned = {
  reason: 'configuration',
  cause:
    'The base that the workflow gives, by `base-commit` or `launch-parameters`, equals or contains the head. A scan from there would see no change.',
  nextStep:
    'Remove the base from the workflow: Scangate then computes the merge base. On `pull_request`, do not use `github.sha`: it is a test merge commit that contains the head.',
};

function unknownCommit(given: string, headSha: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `GitHub does not know the given base ${given} or the head ${headSha} in this repository.`,
    nextStep:
      'Correct `base-commit` or `launch-parameters`, or remove the base from there: Scangate then computes the merge base.',
  };
}
