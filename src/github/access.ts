import type { Seal } from '../domain/seal.ts';
import type { GitHubClient } from './octokit.ts';

/** What a request to GitHub needs. */
export interface GitHubAccess {
  readonly github: GitHubClient;
  /** Aborts the requests. */
  readonly signal: AbortSignal;
}

/** What a request to GitHub needs, and the proof of which texts there are ours. */
export interface SealedAccess extends GitHubAccess {
  readonly seal: Seal;
}
