import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import { type CommentMarker, readMarker, readState } from './comment-marker.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';
import { WebAddress } from './web-address.ts';

/** A comment that this check wrote. */
export interface OwnComment {
  readonly id: number;
  readonly url: string | undefined;
  readonly body: string;
  readonly marker: CommentMarker;
  /** What the run that wrote it left for later ones. */
  readonly state: string | undefined;
}

const Comments = v.array(
  v.object({
    id: v.number(),
    html_url: v.optional(WebAddress),
    body: v.nullish(v.string()),
    user: v.nullish(v.object({ login: v.string(), type: v.optional(v.string()) })),
  }),
);

/** GitHub takes at most 2,500 comments on a pull request; twice that is a list that does not end. */
const MOST_PAGES = 50;

/** Every comment that carries this check's marker **and** was written by us, the oldest first. */
export async function listOwnComments(
  github: GitHubClient,
  pullRequest: number,
  checkName: string,
  author: string,
): Promise<Result<readonly OwnComment[], GitHubError>> {
  const own: OwnComment[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await github.ask({
      operation: 'read the comments of the pull request',
      permission: 'pull-requests: write',
      route: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
      parameters: { issue_number: pullRequest, per_page: 100, page },
      answer: Comments,
    });
    if (!answer.ok) return err(answer.error);
    for (const { id, html_url: url, body, user } of answer.value.data) {
      const text = body ?? '';
      const marker = user != null && isBy(user, author) ? readMarker(text, checkName) : undefined;
      if (marker !== undefined) own.push({ id, url, body: text, marker, state: readState(text) });
    }
    if (!answer.value.hasNextPage) break;
  }
  return ok(own.sort((a, b) => a.id - b.id));
}

/** An app writes as `name[bot]`, of type Bot; nobody can take that login as a person. */
function isBy(user: { readonly login: string; readonly type?: string | undefined }, author: string): boolean {
  const login = user.login.toLowerCase();
  const wanted = author.toLowerCase();
  if (wanted.endsWith('[bot]')) return login === wanted && user.type === 'Bot';
  return login === wanted || (login === `${wanted}[bot]` && user.type === 'Bot');
}
