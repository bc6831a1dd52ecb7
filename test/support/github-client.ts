import type * as v from 'valibot';
import type { Result } from '../../src/domain/result.ts';
import type { GitHubError } from '../../src/github/errors.ts';
import type { GitHubAnswer, GitHubClient, GitHubRequest } from '../../src/github/octokit.ts';
import { NEVER_ABORTED } from './never-aborted.ts';

type Ask = <S extends v.GenericSchema>(
  request: GitHubRequest<S>,
  signal: AbortSignal,
) => Promise<Result<GitHubAnswer<v.InferOutput<S>>, GitHubError>>;

/** Makes a client of GitHub whose requests this function answers. */
export function githubClient(ask: Ask): GitHubClient {
  const until = (signal: AbortSignal): GitHubClient => ({
    owner: 'acme',
    repo: 'shop',
    graphqlUrl: '',
    signal,
    until,
    ask: (request) => ask(request, signal),
    pauseAfterLoss: async () => {},
  });
  return until(NEVER_ABORTED);
}
