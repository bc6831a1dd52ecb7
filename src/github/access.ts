import type { Seal } from '../domain/seal.ts';
import type { GitHubClient } from './octokit.ts';

/** What every request to GitHub needs. */
export interface GitHubAccess {
  readonly github: GitHubClient;
  /** Aborts the requests. */
  readonly signal: AbortSignal;
}

/** Access to GitHub, and the seal that proves which texts on GitHub are ours. */
export interface SealedAccess extends GitHubAccess {
  readonly seal: Seal;
}
