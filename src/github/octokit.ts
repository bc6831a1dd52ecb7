import { getOctokit } from '@actions/github';
import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import { err, ok, type Result } from '../domain/result.ts';
import type { Seal } from '../domain/seal.ts';
import { type Debug, limitedFetch, requestLine, withDeadline } from '../http/attempt.ts';
import { createPause, withRetry } from '../http/retry.ts';
import { redactor } from '../text/redact.ts';
import type { GitHubEnvironment } from './environment.ts';
import {
  afterFailedSend,
  cutAnswer,
  type FailedRequest,
  type Failure,
  failure,
  failureOf,
  type GitHubError,
  messageLine,
  PAUSE_AFTER_LOSS_MS,
  type Permission,
  RATE_LIMIT_BUDGET_MS,
  unusable,
} from './errors.ts';

/** The REST version that our schemas follow. */
const API_VERSION = '2022-11-28';

export interface GitHubRequest<S extends v.GenericSchema> {
  /** A verb phrase for messages, for example "create the check run". */
  readonly operation: string;
  /** The permission that the token needs. */
  readonly permission: Permission;
  /** The method and the route as GitHub documents them. The client fills in `{owner}` and `{repo}`. */
  readonly route: string;
  /** Values for the query, the body and the placeholders of the route. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The schema of the answer, with the members that we use. */
  readonly answer: S;
  /** True if a second identical request has no further effect. Default: true for every method but POST. */
  readonly repeatable?: boolean;
}

export interface GitHubAnswer<T> {
  readonly data: T;
  /** True if GitHub's `Link` header names a next page. */
  readonly hasNextPage: boolean;
}

/** The access to GitHub of this run. */
export interface GitHub {
  /** Returns the client whose requests and waits end with this signal. */
  until(signal: AbortSignal): GitHubClient;
}

export interface GitHubClient extends GitHub {
  readonly owner: string;
  readonly repo: string;
  readonly graphqlUrl: string;
  /** Ends the requests and the waits of this client. */
  readonly signal: AbortSignal;
  /**
   * Sends the request, retries it if that is safe and useful, and parses the answer. Never throws. Errors do not
   * contain the token.
   */
  ask<S extends v.GenericSchema>(
    request: GitHubRequest<S>,
  ): Promise<Result<GitHubAnswer<v.InferOutput<S>>, GitHubError>>;
  /**
   * Waits a few seconds after a request whose answer was lost. GitHub then shows whether it fulfilled the request.
   * Never rejects.
   */
  pauseAfterLoss(): Promise<void>;
}

/**
 * Creates the access to the repository of this run. All its clients share the limit of the waits.
 * - Each attempt may take `attemptMs`.
 * - A `repeatable` request is sent up to three times after 5xx, 408, lost connections and rate limits.
 * - A request that is not `repeatable` is sent again only if GitHub surely did not fulfil it.
 * - All waits for rate limits together last at most 75 s.
 * - If the token is empty, every request fails with `unauthorized`.
 */
export function createGitHub(options: {
  readonly token: string;
  readonly environment: Pick<GitHubEnvironment, 'owner' | 'repo' | 'apiUrl' | 'graphqlUrl'>;
  readonly clock: Clock;
  readonly fetch: typeof globalThis.fetch;
  readonly attemptMs?: number;
  /** Receives one line per attempt. Undefined if there is no debug log. */
  readonly debug?: Debug | undefined;
}): GitHub {
  const { token, environment, clock, debug } = options;
  const { owner, repo, graphqlUrl } = environment;
  const redact = redactor(token);
  const pause = createPause(clock, RATE_LIMIT_BUDGET_MS);
  const octokit = token === '' ? undefined : quietOctokit(token, environment.apiUrl);

  async function attemptOnce<S extends v.GenericSchema>(
    { operation, permission, route, parameters, answer }: GitHubRequest<S>,
    signal: AbortSignal,
    onStatus: (status: number) => void,
  ): Promise<Result<GitHubAnswer<v.InferOutput<S>>, Failure>> {
    return withDeadline({ clock, signal, ms: options.attemptMs }, async (attempt) => {
      const failed = (): FailedRequest => ({ operation, permission, endedBy: attempt.endedBy() });
      if (octokit === undefined) {
        const message = 'there is no usable token';
        return err(failure(failed(), { kind: 'unauthorized', status: 401, message, ambiguous: false }));
      }
      let oversize = false;
      try {
        const response = await octokit.request(route, {
          owner,
          repo,
          ...parameters,
          headers: { 'x-github-api-version': API_VERSION },
          request: {
            signal: attempt.signal,
            // Following a 307 would send a POST a second time.
            redirect: route.startsWith('GET ') ? 'follow' : 'manual',
            fetch: limitedFetch(options.fetch, 'github', () => {
              oversize = true;
            }),
          },
        });
        const { status, headers } = response;
        onStatus(status);
        const invalid = (message: string, again: Partial<Failure> = {}) =>
          err(failure(failed(), { kind: 'invalid', status, message }, again));
        if (status >= 300) return invalid(`a redirect, status ${status}`);
        if (oversize) return err(failure(failed(), { kind: 'too-large', status, message: '' }));
        const data: unknown = response.data;
        const parsed = v.safeParse(answer, data);
        if (parsed.success) {
          return ok({ data: parsed.output, hasNextPage: /;\s*rel="?next"?/.test(headers.link ?? '') });
        }
        // octokit returns an empty text if the body ends early.
        if (data === '') return err(cutAnswer(failed(), status));
        // Text in place of JSON comes from a proxy, from GitHub's maintenance page, or from an incomplete body. A retry
        // can help.
        if (typeof data === 'string') return invalid('the answer is not JSON', { retryable: true });
        return invalid(describe(parsed.issues));
      } catch (thrown) {
        return err(failureOf(thrown, failed(), clock.date()));
      }
    });
  }

  async function tracedAttempt<S extends v.GenericSchema>(
    request: GitHubRequest<S>,
    signal: AbortSignal,
    sends: number,
  ): Promise<Result<GitHubAnswer<v.InferOutput<S>>, Failure>> {
    const began = clock.now();
    let end = '';
    const result = await attemptOnce(request, signal, (status) => {
      end = String(status);
    });
    if (debug !== undefined && octokit !== undefined) {
      if (!result.ok) end = endOf(result.error.error);
      const ms = clock.now() - began;
      debug(redact(requestLine({ ...methodAndRoute(request.route), end, attempt: sends, ms })));
    }
    return result;
  }

  const until = (signal: AbortSignal): GitHubClient => ({
    owner,
    repo,
    graphqlUrl,
    signal,
    until,
    async ask(request) {
      const repeatable = request.repeatable ?? !request.route.startsWith('POST ');
      const afterFailure = (failure: Failure, sends: number) => {
        const after = afterFailedSend(failure, repeatable, sends);
        return signal.aborted ? { ...after, again: false } : after;
      };
      const answer = await withRetry({ clock, signal, pause, afterFailure }, (sends) =>
        tracedAttempt(request, signal, sends),
      );
      if (answer.ok) return answer;
      const { error } = answer.error;
      return err({ ...error, message: messageLine(redact(error.message)) });
    },
    pauseAfterLoss: () => clock.sleep(PAUSE_AFTER_LOSS_MS, signal),
  });
  return { until };
}

function quietOctokit(token: string, baseUrl: string) {
  const log = { debug: silent, info: silent, warn: silent, error: silent };
  return getOctokit(token, { baseUrl, userAgent: 'scangate', log, request: { log } });
}

function silent(): void {}

/** Describes a failure for the debug log. */
function endOf({ status, kind }: GitHubError): string {
  return status === undefined ? kind : `${status} ${kind}`;
}

/**
 * Separates the method from the route. Removes the query, and keeps the placeholders. Reduces an absolute address to
 * its path.
 */
function methodAndRoute(route: string): { readonly method: string; readonly route: string } {
  const [method = '', target = ''] = route.split(' ');
  const [plain = ''] = (URL.parse(target)?.pathname ?? target).split('?');
  return { method, route: plain };
}

function describe(issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): string {
  return `${v.getDotPath(issues[0]) ?? 'the body'} is missing or malformed`;
}

/** What every request to GitHub needs. */
export interface GitHubAccess {
  readonly github: GitHub;
  /** Ends the requests. */
  readonly signal: AbortSignal;
}

/** Access to GitHub, and the seal that proves which texts on GitHub are ours. */
export interface SealedAccess extends GitHubAccess {
  readonly seal: Seal;
}

/** GitHub's largest page. Each smaller size divides the one before, so the pages begin at the same items. */
const LARGEST_PAGE = 100;
const SMALLER = 10;

/**
 * Sends a request. Returns what the schema makes of the answer.
 * @param request `absent` is what a 404 means; default: a 404 is an error
 */
export async function read<S extends v.GenericSchema, Absent = never>(
  github: GitHubClient,
  request: GitHubRequest<S> & { readonly absent?: Result<Absent, never> },
): Promise<Result<v.InferOutput<S> | Absent, GitHubError>> {
  const answer = await github.ask(request);
  if (answer.ok) return ok(answer.value.data);
  return answer.error.kind === 'not-found' ? (request.absent ?? answer) : answer;
}

/**
 * Reads a list of GitHub in pages of 100. If an answer is too large, reads the rest in pages of 10, then of 1.
 * @param request without the parameters of the page; with `tooMany`, a longer list is an error with this message;
 * default: the rest of a longer list is not read
 * @param most how many items are read at least; a multiple of 100
 */
export async function readPages<Item>(
  github: GitHubClient,
  request: GitHubRequest<v.GenericSchema<unknown, readonly Item[]>> & { readonly tooMany?: string },
  most: number,
): Promise<Result<readonly Item[], GitHubError>> {
  const items: Item[] = [];
  let size = LARGEST_PAGE;
  for (let read = 0; read < most; read += size) {
    const ask = () => {
      const parameters = { ...request.parameters, per_page: size, page: read / size + 1 };
      return github.ask({ ...request, parameters });
    };
    let answer = await ask();
    while (!answer.ok && answer.error.kind === 'too-large' && size > 1) {
      size /= SMALLER;
      answer = await ask();
    }
    if (!answer.ok) return answer;
    items.push(...answer.value.data);
    if (!answer.value.hasNextPage) return ok(items);
  }
  return request.tooMany === undefined ? ok(items) : err(unusable(request, request.tooMany));
}
