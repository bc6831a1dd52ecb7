import type { Result } from '../../../../src/domain/result.ts';
import type { GitHubClient } from '../../../../src/github/octokit.ts';
import type { Reply } from '../../../support/answering.ts';
import type { Changes } from '../../../support/changed.ts';

/** One request of a function that reads from GitHub's API. A function with several requests has a row for each of them. */
export interface Reader {
  readonly name: string;
  readonly read: (github: GitHubClient) => Promise<Result<unknown, unknown>>;
  /** The answers to the requests before this one. */
  readonly first?: readonly Reply[];
  /** A valid answer with every member that the function reads. Lists begin with their fullest item. */
  readonly answer: unknown;
  /** Other answers. Missing members and members of another form are not needed here. */
  readonly others?: readonly Changes[];
  /** The answers to the requests after this one. */
  readonly later?: readonly Reply[];
}
