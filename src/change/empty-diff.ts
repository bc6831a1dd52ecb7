import type { NotScanned } from '../domain/not-scanned.ts';
import type { DiffBase } from '../domain/target.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { comparisonIsEmpty } from '../github/compare.ts';
import { causeOf, fixOf } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';

/**
 * Decides the outcome if the service found no change. It is `unchanged` only if Scangate computed the merge base, and
 * GitHub lists no changed file.
 */
export async function confirmEmptyDiff(
  github: GitHubClient,
  { baseSha, headSha, how }: DiffBase,
  signal: AbortSignal,
): Promise<ScanOutcome> {
  if (baseSha === undefined) return { kind: 'not-scanned', failure: EMPTY_WITHOUT_BASE };
  if (how === 'input') return { kind: 'not-scanned', failure: EMPTY_FROM_GIVEN_BASE };
  const empty = await comparisonIsEmpty(github, baseSha, headSha, signal);
  if (!empty.ok) {
    return {
      kind: 'not-scanned',
      failure: {
        reason: 'service-error',
        cause: `The service found no change, and GitHub could not confirm that. ${causeOf(empty.error)}`,
        nextStep: fixOf(empty.error) || 'Re-run this job.',
      },
    };
  }
  if (empty.value) return { kind: 'unchanged' };
  return {
    kind: 'not-scanned',
    failure: {
      reason: 'configuration',
      cause:
        'The service found no change, but GitHub lists changed files. The service scanned another commit.',
      nextStep:
        'The service may not read the field `commit`. Set the field that it reads in `launch-parameters` and push.',
    },
  };
}

const EMPTY_WITHOUT_BASE: NotScanned = {
  reason: 'configuration',
  cause: 'The service looked for a change, although this event needs a scan of all files.',
  nextStep: 'Set `preset` to a preset that is not a diff preset and push.',
};

const EMPTY_FROM_GIVEN_BASE: NotScanned = {
  reason: 'configuration',
  cause: 'The service found no change between the base set in the workflow and the head.',
  nextStep:
    'Remove the base from `base-commit` and `launch-parameters` and push. Scangate then uses the merge base.',
};
