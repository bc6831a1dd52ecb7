import { inSeconds } from '../faults/server-clock.ts';
import { userIdOf } from './user-id.ts';

/** A pull request as the caller describes it. */
export interface PullRequestSeed {
  readonly number: number;
  readonly headSha: string;
  readonly baseRef: string;
  readonly headRef?: string;
  /** `owner/name` of the head repository. Default: the repository itself. Null if the fork was deleted. */
  readonly headRepository?: string | null;
  readonly title?: string;
  readonly author?: string;
  readonly assignees?: readonly string[];
  /** The commits of the pull request, the oldest first. Default: only the head, by the author of the pull request. */
  readonly commits?: readonly CommitSeed[];
  readonly state?: 'open' | 'closed' | 'merged';
  readonly draft?: boolean;
  /** The commit on the base branch after the merge or the squash. Default: null. */
  readonly mergeCommitSha?: string | null;
}

/** A commit as GitHub lists it for a pull request. */
export interface CommitSeed {
  readonly sha?: string;
  readonly parents?: readonly string[];
  /** Null if GitHub knows no account for the author. */
  readonly author: string | null;
  /** Default: the author. */
  readonly committer?: string | null;
  readonly verified?: boolean;
  readonly message?: string;
}

export interface PullRequestRecord extends Required<Omit<PullRequestSeed, 'commits'>> {
  readonly commits?: readonly CommitSeed[];
  readonly htmlUrl: string;
  /** A time in whole seconds, as on GitHub. Every push and every edit increases it. */
  readonly updatedAt: string;
}

/** Where the repository is in the API, and where people see it. */
export type Urls = Readonly<Record<'api' | 'html', string>>;

/** The repository, as its pull requests show it. */
export interface RepositoryView {
  readonly fullName: string;
  /** The addresses of the repository: `…/api/v3/repos/owner/name` and `…/owner/name`. */
  readonly urls: Urls;
  readonly isPublic: boolean;
}

export function toPullRequest(
  seed: PullRequestSeed,
  repository: Omit<RepositoryView, 'isPublic'>,
  now: Date,
): PullRequestRecord {
  return {
    headRef: 'topic',
    headRepository: repository.fullName,
    title: 'A change',
    author: 'octocat',
    assignees: [],
    state: 'open',
    draft: false,
    mergeCommitSha: null,
    ...seed,
    htmlUrl: `${repository.urls.html}/pull/${seed.number}`,
    updatedAt: inSeconds(now),
  };
}

/** The members that a push or an edit can change. */
export type PullRequestChange = Partial<
  Omit<PullRequestRecord, 'number' | 'headRef' | 'headRepository' | 'htmlUrl' | 'updatedAt'>
>;

/**
 * Returns the pull request after a push or an edit. `updatedAt` increases by at least one second, so that it shows the
 * order of the changes.
 */
export function changePullRequest(
  pull: PullRequestRecord,
  change: PullRequestChange,
  now: Date,
): PullRequestRecord {
  const next = Math.max(now.getTime(), Date.parse(pull.updatedAt) + 1000);
  return { ...pull, ...change, updatedAt: inSeconds(new Date(next)) };
}

/** Sorts pull requests, the last updated pull request first. */
export function newestFirst(pulls: readonly PullRequestRecord[]): PullRequestRecord[] {
  return pulls.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
}

/**
 * Finds pull requests for `GET /commits/{sha}/pulls`: by their merge commit and, if they are open or merged, by their
 * head. GitHub also finds a pull request by its other commits, but the action does not need this.
 */
export function pullRequestsOf(pulls: Iterable<PullRequestRecord>, sha: string): PullRequestRecord[] {
  return [...pulls].filter(
    ({ headSha, mergeCommitSha, state }) => mergeCommitSha === sha || (headSha === sha && state !== 'closed'),
  );
}

function commitsOf({ commits, author }: PullRequestRecord): readonly CommitSeed[] {
  return commits ?? [{ author }];
}

function userOf(login: string) {
  const isBot = login === 'Copilot' || login.endsWith('[bot]');
  return { login, id: userIdOf(login), type: isBot ? 'Bot' : 'User' };
}

/** Answers `GET /pulls/{number}/commits`. GitHub lists at most 250 commits. */
export function renderCommits(pull: PullRequestRecord): readonly unknown[] {
  return commitsOf(pull)
    .slice(0, 250)
    .map(
      ({ sha = pull.headSha, parents = [], author, committer = author, verified = false, message = '' }) => ({
        sha,
        commit: { message, verification: { verified } },
        author: author === null ? null : userOf(author),
        committer: committer === null ? null : userOf(committer),
        parents: parents.map((parent) => ({ sha: parent })),
      }),
    );
}

/**
 * Makes the JSON of a pull request.
 * @param baseSha the tip of the base branch. If undefined, the JSON has null
 */
export function renderPullRequest(
  pull: PullRequestRecord,
  repository: RepositoryView,
  baseSha: string | undefined,
): unknown {
  const repo = (fullName: string) => ({ full_name: fullName, name: fullName.split('/')[1] });
  return {
    url: `${repository.urls.api}/pulls/${pull.number}`,
    html_url: pull.htmlUrl,
    number: pull.number,
    state: pull.state === 'open' ? 'open' : 'closed',
    draft: pull.draft,
    merged: pull.state === 'merged',
    merge_commit_sha: pull.mergeCommitSha,
    updated_at: pull.updatedAt,
    title: pull.title,
    user: userOf(pull.author),
    assignees: pull.assignees.map(userOf),
    commits: commitsOf(pull).length,
    head: {
      ref: pull.headRef,
      sha: pull.headSha,
      repo: pull.headRepository === null ? null : repo(pull.headRepository),
    },
    base: {
      ref: pull.baseRef,
      sha: baseSha ?? null,
      repo: {
        ...repo(repository.fullName),
        private: !repository.isPublic,
        visibility: repository.isPublic ? 'public' : 'private',
      },
    },
  };
}
