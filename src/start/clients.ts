import type { GitHubEnvironment } from '../github/environment.ts';
import { createGitHub, type GitHub } from '../github/octokit.ts';
import type { ConnectionInputs } from '../runner/inputs.ts';
import { createScanApi, type ScanApi, type ScanApiOptions } from '../scan-api/client.ts';
import type { StepProcess } from './step-process.ts';

type Step = Omit<StepProcess, 'deadlines'>;

/**
 * Creates the client of the service for this step. The caller decides whether errors may show the service's messages,
 * and says how much time the step has left.
 */
export function connectService(
  { clock, fetch, random, log }: Step,
  { baseUrl, apiToken: token }: ConnectionInputs,
  options: Pick<ScanApiOptions, 'showMessages' | 'leftMs' | 'onLongList'>,
): ScanApi {
  return createScanApi({ baseUrl, token, clock, fetch, random, debug: log.debug, ...options });
}

/** Creates the client of GitHub for the repository of this run. */
export function connectGitHub(
  { clock, fetch, log }: Step,
  { githubToken: token }: ConnectionInputs,
  environment: Pick<GitHubEnvironment, 'owner' | 'repo' | 'apiUrl' | 'graphqlUrl'>,
): GitHub {
  return createGitHub({ token, environment, clock, fetch, debug: log.debug });
}
