import type { Seal } from '../domain/seal.ts';
import type { GitHubClient } from './octokit.ts';

/** Asks GitHub. */
export interface GitHubAccess {
  readonly github: GitHubClient;
  /** Ends the requests. */
  readonly signal: AbortSignal;
}

/** Asks GitHub, and recognizes the texts there that are ours. */
export interface SealedAccess extends GitHubAccess {
  readonly seal: Seal;
}
