import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { TargetPullRequest } from '../domain/target.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';

/** `maintain` is shown as `write`, `triage` as `read`. */
const Answer = v.object({ permission: v.string() });
const MAY_WRITE = new Set(['admin', 'write']);
const ASSOCIATED = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

/**
 * May the author of a pull request have it scanned with the repository's secrets? Whoever pushes to the repository itself has write permission; the author of a fork's pull request is asked for.
 * The association in the payload calls private members strangers, so it decides only where GitHub refuses to tell
 * the permission. No answer at all is an error: nobody is trusted by accident.
 */
export async function authorMayScan(
  github: GitHubClient,
  pullRequest: TargetPullRequest,
): Promise<Result<boolean, GitHubError>> {
  if (!pullRequest.isFork) return ok(true);
  // An empty name would be another address; the author of a pull request without one was deleted.
  if (pullRequest.author === '') return ok(false);
  const answer = await github.ask({
    operation: "read the author's permission",
    permission: 'metadata: read',
    route: 'GET /repos/{owner}/{repo}/collaborators/{username}/permission',
    parameters: { username: pullRequest.author },
    answer: Answer,
  });
  if (answer.ok) return ok(MAY_WRITE.has(answer.value.data.permission));
  switch (answer.error.kind) {
    case 'not-found':
      return ok(false);
    case 'forbidden':
      return ok(ASSOCIATED.has(pullRequest.authorAssociation));
    default:
      return err(answer.error);
  }
}
