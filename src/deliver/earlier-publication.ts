import { splitState } from '../domain/comment-state.ts';
import { readPublication } from '../domain/encoded-publication.ts';
import type { Publication } from '../domain/project.ts';
import type { Seal } from '../domain/seal.ts';
import { ownComments } from '../github/own-comment.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { publicScanPage } from '../scan-api/public-page.ts';

/**
 * Finds the published page of a scan that an earlier run launched. The comment of this check holds the id of the page.
 * The password of the page was an output of the earlier run, and is not known here.
 * @param state undefined if the pull request could not be read
 */
export function findEarlierPublication(
  state: PullRequestState | undefined,
  scanId: string,
  seal: Seal,
  { baseUrl, checkName }: { readonly baseUrl: string; readonly checkName: string },
): Publication | undefined {
  for (const { state: encoded } of ownComments(
    state?.comments ?? [],
    checkName,
    state?.viewer ?? '',
  ).toReversed()) {
    const known = readPublication(splitState(encoded).publication ?? '', scanId, seal);
    if (known === undefined) continue;
    const { publicId, gated } = known;
    return { publicId, gated, url: publicScanPage(baseUrl, publicId), accessPassword: null };
  }
  return undefined;
}
