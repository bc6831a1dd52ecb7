import type { Result } from '../../../../src/domain/result.ts';
import type { GitHubError, Permission } from '../../../../src/github/errors.ts';
import type { GitHubClient } from '../../../../src/github/octokit.ts';

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
  readonly read: (github: GitHubClient, signal: AbortSignal) => Promise<Result<unknown, unknown>>;
  /** Requests that the reader sends before this one, and their answers. */
  readonly first?: readonly (readonly [request: string, answer: Answer])[];
  /** The method, and the path with its query. */
  readonly request: string;
  /** What a GraphQL request sends: a piece of its query, and its variables. */
  readonly graphql?: { readonly query: string; readonly variables: object };
  readonly operation: string;
  readonly permission: Permission;
  /** Valid answers with status 200, and the value that the reader returns. */
  readonly valid: readonly (readonly [
    what: string,
    body: unknown,
    value: unknown,
    headers?: Answer['headers'],
  ])[];
  /** Answers with status 200 that GitHub does not document. */
  readonly malformed: readonly (readonly [what: string, body: unknown])[];
  /** What status 404 means to the reader, and the value that the reader then returns. Default: 404 is an error. */
  readonly absent?: readonly [what: string, value: unknown];
  /** How the reader converts an error of the client. Default: the reader returns the error unchanged. */
  readonly errorFor?: (error: Partial<GitHubError>) => object;
}

/** A `Link` header that names a next page. */
export const NEXT = { link: '<https://api.github.com/next>; rel="next"' };
