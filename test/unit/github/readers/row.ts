import type { Result } from '../../../../src/domain/result.ts';
import type { GitHubClient } from '../../../../src/github/octokit.ts';
import type { Reply } from '../../../support/answering.ts';

/** An answer of GitHub. */
export interface Answer {
  readonly status: number;
  /** Text is sent as HTML, anything else as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One request of a reader. A reader that sends several requests has a row for each of them. */
export interface Row {
  /**
   * The name of the reading function. If the function sends several requests, the name also says which one the row is
   * about.
   */
  readonly reader: string;
  readonly read: (github: GitHubClient) => Promise<Result<unknown, unknown>>;
  /** The answers to the requests that the reader sends before this one. */
  readonly first?: readonly Reply[];
  /** Valid answers with status 200. `what` says what the reader reads. */
  readonly valid: readonly (readonly [what: string, body: unknown, headers?: Reply[2]])[];
  /** Answers with status 200 that GitHub does not document. */
  readonly malformed: readonly (readonly [what: string, body: unknown])[];
  /** What status 404 means to the reader. Default: 404 is an error. */
  readonly absent?: string;
}

/** A `Link` header that names a next page. */
export const NEXT = { link: '<https://api.github.com/next>; rel="next"' };
