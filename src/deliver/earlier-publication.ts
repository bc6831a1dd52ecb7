import { splitState } from '../domain/comment-state.ts';
import { readPublication } from '../domain/encoded-publication.ts';
import type { Publication } from '../domain/project.ts';
import type { SealedAccess } from '../github/access.ts';
import { readOwnComments } from '../github/comment-list.ts';
import type { PullRequestState } from '../github/pull-request-state.ts';
import { publicScanPage } from '../scan-api/public-page.ts';

/** A scan that may have a published page. The comment of the check may contain the id of this page. */
export interface PublishedScan {
  readonly scanId: string;
  readonly pullRequest: number;
  readonly checkName: string;
  readonly baseUrl: string;
}

/**
 * Finds the published page of a scan that an earlier run launched. The comment of this check holds the id of
 * the page. The password of the page was an output of the earlier run, and is not known here. Returns undefined if
 * there is no page, or if the comments cannot be read.
 * @param state the pull request; if it does not show all comments, they are requested from GitHub
 */
export async function findEarlierPublication(
  { github, seal, signal }: SealedAccess,
  state: Pick<PullRequestState, 'comments' | 'viewer'>,
  { scanId, pullRequest, checkName, baseUrl }: PublishedScan,
): Promise<Publication | undefined> {
  const comments = await readOwnComments(github, pullRequest, checkName, state, signal);
  if (!comments.ok) return undefined;
  for (const { state: encoded } of comments.value.toReversed()) {
    const known = readPublication(splitState(encoded).publication ?? '', scanId, seal);
    if (known === undefined) continue;
    const { publicId, gated } = known;
    return { publicId, gated, url: publicScanPage(baseUrl, publicId), accessPassword: null };
  }
  return undefined;
}
