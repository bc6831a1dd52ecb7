import type { NotScanned } from '../domain/not-scanned.ts';
import { err, ok, type Result } from '../domain/result.ts';
import { explainStop, stopCause } from '../domain/stop.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import { baseUnavailable, IF_COMMIT_EXISTS } from './base-unavailable.ts';
import { findMergeBase, type MergeBaseDeps } from './merge-base.ts';

/**
 * Checks the base that the workflow sets. It must not contain the head, because a scan from it would find nothing.
 * Returns an error if this cannot be checked.
 * @param given a full commit id
 */
export async function checkGivenBase(
  deps: MergeBaseDeps,
  target: ScanTarget,
  given: string,
): Promise<Result<DiffBase, NotScanned>> {
  const { headSha } = target;
  if (given === headSha) return err(CONTAINS_HEAD);
  const diffBase: DiffBase = { baseSha: given, headSha, how: 'input' };
  const found = await findMergeBase(deps, { kind: 'commit', sha: given }, target);
  if (found.ok) return found.value.sha === headSha ? err(CONTAINS_HEAD) : ok(diffBase);
  switch (found.error.kind) {
    // There is no merge base, or there are several. If the base contained the head, the head would be the only merge
    // base.
    case 'no-common-ancestor':
    case 'several':
      return ok(diffBase);
    case 'stopped':
      return err(explainStop(stopCause(deps.signal) ?? 'signal', 'it launched a scan'));
    case 'unknown-commit':
      return err(unknownCommit(given, headSha));
    case 'unavailable':
      return err(
        baseUnavailable(
          `Could not compare the base that the workflow sets with the head. ${found.error.detail}`,
          found.error.error,
        ),
      );
  }
}

const CONTAINS_HEAD: NotScanned = {
  reason: 'configuration',
  cause:
    'The base in `base-commit` or `launch-parameters` equals or contains the head, so a scan would see no change.',
  nextStep:
    'Remove it from the workflow and push. Scangate then uses the merge base. On `pull_request`, `github.sha` is a test merge commit that contains the head.',
};

function unknownCommit(given: string, headSha: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `GitHub does not know the base \`${given}\` or the head \`${headSha}\` in this repository.`,
    nextStep: `Fix the base in \`base-commit\` or \`launch-parameters\` and push, or remove it to use the merge base. ${IF_COMMIT_EXISTS}`,
  };
}
