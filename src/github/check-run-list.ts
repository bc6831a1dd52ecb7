import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';
import type { GitHubError } from './github-error.ts';
import type { GitHubClient } from './octokit.ts';
import { WebAddress } from './web-address.ts';

/** A check run as the list shows it. Any workflow of the repository can have written it, as the same app. */
export interface ListedCheckRun {
  readonly id: number;
  readonly url: string | undefined;
  /** Empty where there is none. */
  readonly externalId: string;
  readonly status: string | undefined;
  readonly summary: string;
}

const Listed = v.object({
  check_runs: v.array(
    v.object({
      id: v.number(),
      html_url: v.optional(WebAddress),
      external_id: v.nullish(v.string(), ''),
      status: v.nullish(v.string()),
      output: v.nullish(v.object({ summary: v.nullish(v.string()) })),
    }),
  ),
});

/** The check runs of this name on the commit, the newest first; at most 100, which is GitHub's largest page. */
export async function listCheckRuns(
  github: GitHubClient,
  headSha: string,
  name: string,
): Promise<Result<readonly ListedCheckRun[], GitHubError>> {
  const answer = await github.ask({
    operation: 'look through the check runs',
    permission: 'checks: write',
    route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    parameters: { ref: headSha, check_name: name, filter: 'all', per_page: 100 },
    answer: Listed,
  });
  if (!answer.ok) return err(answer.error);
  const listed = answer.value.data.check_runs.map((run) => ({
    id: run.id,
    url: run.html_url,
    externalId: run.external_id,
    status: run.status ?? undefined,
    summary: run.output?.summary ?? '',
  }));
  return ok(listed.sort((a, b) => b.id - a.id));
}
