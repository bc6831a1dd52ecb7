import type { Scan } from '../domain/scan.ts';
import { type CommitRange, isCommitId } from '../domain/target.ts';
import { readCommitTree } from '../github/commit-tree.ts';
import type { GitHubClient } from '../github/octokit.ts';

/**
 * Asks GitHub whether the base and head that a scan shows, in full, have the same trees as the expected ones: then it is
 * a scan of the same change, byte for byte. What cannot be read is a no.
 */
export function createFileComparison(
  { github, signal }: { readonly github: GitHubClient; readonly signal: AbortSignal },
  { baseSha, headSha }: CommitRange,
): (scan: Scan) => Promise<boolean> {
  async function hasSameFiles(shown: string | undefined, expected: string): Promise<boolean> {
    const sha = shown?.toLowerCase();
    if (sha === expected) return true;
    if (sha === undefined || !isCommitId(sha)) return false;
    const [one, other] = await Promise.all([
      readCommitTree(github, sha, signal),
      readCommitTree(github, expected, signal),
    ]);
    return one.ok && other.ok && one.value === other.value;
  }
  return async (scan) =>
    (await hasSameFiles(scan.headSha, headSha)) && (await hasSameFiles(scan.baseSha, baseSha));
}
