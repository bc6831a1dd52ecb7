import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';
import { WebAddress } from './web-address.ts';

/**
 * A check run in a list. Any workflow of the repository can have written it, because all workflows use the same app.
 */
export interface ListedCheckRun {
  readonly id: number;
  readonly name: string;
  readonly url: string | undefined;
  /** Empty if the check run has no external id. */
  readonly externalId: string;
  readonly status: string | undefined;
  readonly summary: string;
}

const Listed = v.object({
  check_runs: v.array(
    v.object({
      id: v.number(),
      name: v.string(),
      head_sha: v.string(),
      html_url: v.optional(WebAddress),
      external_id: v.nullish(v.string(), ''),
      status: v.nullish(v.string()),
      output: v.nullish(v.object({ summary: v.nullish(v.string()) })),
    }),
  ),
});

/**
 * Our choice: we list at most 5,000 check runs on one commit, 100 per page. If a commit has more, the list is an error.
 */
const MOST_PAGES = 50;
const operation = 'list the check runs';
const permission = 'checks: write';

/**
 * Lists all check runs on the commit, the newest first. If a page cannot be read, returns an error.
 * @param name of the check runs to list; undefined: all check runs
 */
export async function listCheckRuns(
  github: GitHubClient,
  headSha: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<Result<readonly ListedCheckRun[], GitHubError>> {
  const listed = new Map<number, ListedCheckRun>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const answer = await github.ask({
      operation,
      permission,
      route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
      parameters: {
        ref: headSha,
        ...(name === undefined ? {} : { check_name: name }),
        filter: 'all',
        per_page: 100,
        page,
      },
      answer: Listed,
      signal,
    });
    if (!answer.ok) return err(answer.error);
    for (const run of answer.value.data.check_runs) {
      if (run.head_sha !== headSha) continue;
      listed.set(run.id, {
        id: run.id,
        name: run.name,
        url: run.html_url,
        externalId: run.external_id,
        status: run.status ?? undefined,
        summary: run.output?.summary ?? '',
      });
    }
    if (!answer.value.hasNextPage) return ok([...listed.values()].sort((a, b) => b.id - a.id));
  }
  return err({
    kind: 'invalid',
    operation,
    permission,
    status: 200,
    message: `more than ${MOST_PAGES} pages of check runs`,
    ambiguous: false,
  });
}
