import type { Clock } from '../clock.ts';
import type { GitHubEnvironment } from '../github/environment.ts';
import { createGitHub, type GitHub } from '../github/octokit.ts';
import type { ConnectionInputs } from '../runner/inputs.ts';
import type { Log, Warn } from '../runner/log.ts';
import { createScanApi, type ScanApi, type ScanApiOptions } from '../scan-api/client.ts';

/** What every step gets from its process. */
export interface Resources {
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** What work needs that asks only the service. */
export interface ServiceStep {
  readonly clock: Clock;
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Aborts when the work has to end. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly warn: Warn;
  readonly api: ScanApi;
}

/** What the work of a step needs. */
export interface Step extends ServiceStep {
  readonly github: GitHub;
}

/**
 * Creates the client of the service for this step. The caller decides whether errors may show the service's messages,
 * and says how much time the step has left.
 */
export function connectService(
  { clock, fetch, random, log }: Resources,
  { baseUrl, apiToken: token }: ConnectionInputs,
  options: Pick<ScanApiOptions, 'showMessages' | 'leftMs' | 'onLongList'>,
): ScanApi {
  return createScanApi({ baseUrl, token, clock, fetch, random, debug: log.debug, ...options });
}

/** Creates the client of GitHub for the repository of this run. */
export function connectGitHub(
  { clock, fetch, log }: Resources,
  { githubToken: token }: ConnectionInputs,
  environment: Pick<GitHubEnvironment, 'owner' | 'repo' | 'apiUrl' | 'graphqlUrl'>,
): GitHub {
  return createGitHub({ token, environment, clock, fetch, debug: log.debug });
}
