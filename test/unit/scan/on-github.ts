import { hiddenLines } from '../../../src/github/comment-marker.ts';
import type { GitHubClient } from '../../../src/github/octokit.ts';
import { pullRequestAnswer } from '../github/answers.ts';
import { API, client } from '../github/client.ts';
import { SHA } from '../github/samples.ts';
import { checkRun } from './marked.ts';

/** An answer of GitHub, with a body of JSON. */
interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** GitHub's answers. Each key is the name of a request. If a request has several answers, the last one repeats. */
export type Shown = Readonly<Record<string, Answer | readonly Answer[]>>;

/**
 * Makes a client of a GitHub that gives the answers in `shown`. By default, commits have no check runs, and the pull
 * request has no comments. All remaining requests get 404.
 */
export function onGitHub(shown: Shown = {}): { readonly github: GitHubClient; readonly asked: string[] } {
  const asked: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const name = nameOf(String(input).replace(API, ''), init?.body);
    const answers = [shown[name] ?? byDefault(name)].flat();
    const earlier = asked.filter((other) => other === name).length;
    asked.push(name);
    const { status, body, headers } = answers[Math.min(earlier, answers.length - 1)] ?? refusal(404);
    return Response.json(body, { status, ...(headers && { headers }) });
  };
  return { github: client({ fetch }), asked };
}

/** Returns the short name of a request: `checks of head`, `files of head`, `pull request 5`, `comments of 5`. */
function nameOf(path: string, body: unknown): string {
  if (path === '/graphql') return `pull request ${JSON.parse(String(body)).variables.number}`;
  const [, of = '', what = ''] =
    /^\/repos\/acme\/shop\/(?:git\/)?\w+\/(\w+)(?:\/([\w-]+))?(?:\?|$)/.exec(path) ?? [];
  const commit = Object.entries(SHA).find(([, sha]) => sha === of)?.[0] ?? of.slice(0, 4);
  if (what === 'check-runs') return `checks of ${commit}${path.includes('check_name=') ? ' by name' : ''}`;
  if (what !== '') return `${what} of ${commit}`;
  return path.includes('/git/commits/') ? `files of ${commit}` : `pull request ${of} by REST`;
}

function byDefault(name: string): Answer {
  if (name.startsWith('checks of')) return checkRuns();
  return name === 'pull request 5' ? comments() : refusal(404);
}

export function refusal(status: number): Answer {
  return { status, body: { message: status === 403 ? 'Resource not accessible by integration' : 'no' } };
}

export function checkRuns(...runs: readonly object[]): Answer {
  return { status: 200, body: { check_runs: runs } };
}

/** The check runs of a commit. There is one for each `external_id`. The check run ids count from 1. */
export function marksOn(headSha: string, ...externalIds: readonly string[]): Answer {
  return checkRuns(...externalIds.map((externalId, index) => checkRun(index + 1, externalId, headSha)));
}

/** A comment with the hidden lines that the action writes. */
export interface Posted {
  /** The login of the person who wrote the comment. Default: the action wrote it. */
  readonly by?: string;
  readonly mark?: string;
  readonly headSha?: string;
  readonly checkName?: string;
}

export function commentBody({
  mark,
  headSha = SHA.head,
  checkName = 'Security scan',
}: Omit<Posted, 'by'>): string {
  const state = `${mark ?? ''};0;/`;
  return `${hiddenLines({ checkName, headSha, runId: 1, runAttempt: 1 }, state)}\n## Passed`;
}

/** A pull request with these comments, the oldest first. */
export function comments(...posted: readonly Posted[]): Answer {
  const nodes = posted.map(({ by, ...comment }, index) => ({
    fullDatabaseId: String(index + 1),
    author:
      by === undefined ? { __typename: 'Bot', login: 'github-actions' } : { __typename: 'User', login: by },
    body: commentBody(comment),
  }));
  return {
    status: 200,
    body: pullRequestAnswer({ comments: { pageInfo: { hasNextPage: false }, nodes } }),
  };
}
