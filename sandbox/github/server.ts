import { randomBytes } from 'node:crypto';
import { type ListenOptions, startServer } from '../faults/server.ts';
import { MACHINE_CLOCK } from '../faults/server-clock.ts';
import { callerOf, type Permissions } from './access.ts';
import { refuse } from './answer.ts';
import { createCheckRunStore } from './check-runs.ts';
import { type CommentRecord, createCommentStore } from './comments.ts';
import { API_PATH, dispatch, GRAPHQL_PATH } from './dispatch.ts';
import { createGitMirror, type GitMirror } from './git-mirror.ts';
import {
  changePullRequest,
  type PullRequestChange,
  type PullRequestRecord,
  type PullRequestSeed,
  toPullRequest,
} from './pull-requests.ts';
import type { GitHubState } from './route.ts';
import type { Point } from './routes.ts';
import { createWorkflowRunStore } from './workflow-runs.ts';

type NewComment = Pick<CommentRecord, 'body'> & Partial<Pick<CommentRecord, 'issue' | 'author' | 'type'>>;

export interface GitHubOptions
  extends ListenOptions<Point>,
    Partial<Pick<GitHubState, 'collaborators' | 'mergeQueues' | 'requiredChecks'>> {
  /** `owner/name` of the only repository on this server. */
  readonly repository: string;
  /** The git repository. The server uses it to answer comparisons and `git fetch`, and only reads it. */
  readonly directory: string;
  /** More branches. The key is the name, and the value is the commit id. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Default: public. */
  readonly visibility?: 'public' | 'private';
  readonly pullRequests?: readonly PullRequestSeed[];
  /** The permissions of the workflow token. Default: `contents: read`, `checks: write`, `pull-requests: write`. */
  readonly permissions?: Permissions;
  /**
   * A mirror of `directory` that several servers share. The caller removes it. By default, the server makes its own
   * mirror, which has `branches`.
   */
  readonly mirror?: GitMirror;
}

/** A fake GitHub on the loopback interface. It has the endpoints that the action calls, and GitHub's limits. */
export type FakeGitHub = Awaited<ReturnType<typeof startFakeGitHub>>;

/** Starts a fake GitHub for one repository. Throws if it cannot listen. */
export async function startFakeGitHub(options: GitHubOptions) {
  const [owner = '', name = ''] = options.repository.split('/');
  const { clock = MACHINE_CLOCK } = options;
  const pullRequests = new Map<number, PullRequestRecord>();
  const ownMirror = () =>
    createGitMirror({
      dir: options.directory,
      ...(options.branches === undefined ? {} : { branches: options.branches }),
      pullRequestHeads: () => new Map([...pullRequests].map(([number, pull]) => [number, pull.headSha])),
    });
  const mirror = options.mirror ?? ownMirror();
  const token = `ghs_${randomBytes(18).toString('hex')}`;
  const permissions: Permissions = {
    ...(options.permissions ?? { contents: 'read', checks: 'write', 'pull-requests': 'write' }),
  };
  const server = await startServer<Point>({
    ...options,
    clock,
    dispatch({ method, path, headers, body: raw = Buffer.alloc(0) }, body, origin) {
      const caller = callerOf(headers, token);
      const incoming = { method, url: new URL(path, origin), headers, raw, body, caller };
      return dispatch(incoming, state, permissions);
    },
    onError: (error) => refuse(500, error instanceof Error ? error.message : 'Server Error'),
  });
  const { origin } = server;
  const urls = { api: `${origin}${API_PATH}/repos/${owner}/${name}`, html: `${origin}/${owner}/${name}` };
  const state: GitHubState = {
    owner,
    fullName: `${owner}/${name}`,
    urls,
    mirror,
    checkRuns: createCheckRunStore(urls, clock),
    comments: createCommentStore(urls, clock),
    workflowRuns: createWorkflowRunStore(urls, clock),
    pullRequests,
    collaborators: options.collaborators ?? {},
    mergeQueues: options.mergeQueues ?? {},
    requiredChecks: options.requiredChecks ?? {},
    isPublic: options.visibility !== 'private',
  };
  for (const seed of options.pullRequests ?? [])
    pullRequests.set(seed.number, toPullRequest(seed, state, clock.now()));
  const edit = (number: number, change: PullRequestChange) => {
    const pull = pullRequests.get(number);
    if (pull === undefined) throw new Error(`there is no pull request ${number}`);
    pullRequests.set(number, changePullRequest(pull, change, clock.now()));
  };
  return {
    ...server,
    apiUrl: `${origin}${API_PATH}`,
    graphqlUrl: `${origin}${GRAPHQL_PATH}`,
    serverUrl: origin,
    /** The workflow token of this server. */
    token,
    /** This list and the lists below it change while the server runs. */
    checkRuns: state.checkRuns.all,
    comments: state.comments.all,
    reactions: state.comments.reactions,
    workflowRuns: state.workflowRuns,
    pullRequests,
    /** Tests may change the permissions while the server runs. */
    permissions,
    /** Adds a comment. By default, a person writes it on the first pull request. */
    addComment({ issue, author = 'octocat', type = 'User', body }: NewComment): CommentRecord {
      return state.comments.add({ issue: issue ?? [...pullRequests.keys()][0] ?? 1, author, type, body });
    },
    /** Pushes a commit to the pull request. */
    setHead: (number: number, headSha: string) => edit(number, { headSha }),
    /** Moves the pull request to another base branch. */
    setBase: (number: number, baseRef: string) => edit(number, { baseRef }),
    /**
     * Changes some members of the pull request, for example its state or its title. An empty change also counts as an
     * edit.
     */
    edit,
    /** Also deletes the temporary repository. */
    async close(): Promise<void> {
      await server.close();
      if (options.mirror === undefined) await mirror.remove();
    },
  };
}
