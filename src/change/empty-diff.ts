import type { NotScanned } from '../domain/not-scanned.ts';
import type { DiffBase } from '../domain/target.ts';
import type { ScanOutcome } from '../domain/verdict.ts';
import { comparisonIsEmpty } from '../github/compare.ts';
import { explainGitHubError } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';

/**
 * The service's word that nothing changed counts only from the computed merge base, and only where GitHub sees no
 * changed file either.
 */
export async function confirmEmptyDiff(
  github: GitHubClient,
  { baseCommit, headCommit, how }: DiffBase,
  signal: AbortSignal,
): Promise<ScanOutcome> {
  if (how === 'input') return { kind: 'not-scanned', stop: EMPTY_FROM_GIVEN_BASE };
  const empty = await comparisonIsEmpty(github, baseCommit, headCommit, signal);
  if (!empty.ok) {
    return {
      kind: 'not-scanned',
      stop: {
        reason: 'service-error',
        cause: `The service sees no change, and whether GitHub sees one is not known. ${explainGitHubError(empty.error)}`,
        nextStep: 'Run the job again later.',
      },
    };
  }
  if (empty.value) return { kind: 'unchanged' };
  return {
    kind: 'not-scanned',
    stop: {
      reason: 'configuration',
      cause:
        'The service sees no change, but GitHub lists changed files: the service looked at another commit.',
      nextStep:
        'The service probably does not read the head from the launch field `commit`: set the right field with the input `launch-parameters`.',
    },
  };
}

const EMPTY_FROM_GIVEN_BASE: NotScanned = {
  reason: 'configuration',
  cause: 'The service sees no change between the base that the workflow gives and the head.',
  nextStep:
    'Remove the base from `base-commit` and `launch-parameters`: Scangate then computes the merge base.',
};
