/** A pull request as the caller describes it. */
export interface PullRequestSeed {
  readonly number: number;
  readonly headSha: string;
  readonly baseRef: string;
  readonly headRef?: string;
  /** `owner/name`; default: the repository itself. Null: the fork is gone. */
  readonly headRepository?: string | null;
  readonly title?: string;
  readonly author?: string;
  readonly state?: 'open' | 'closed';
  readonly draft?: boolean;
}

export interface PullRequestRecord extends Required<PullRequestSeed> {
  readonly htmlUrl: string;
}

interface Repository {
  readonly fullName: string;
  readonly api: string;
  readonly html: string;
}

export function toPullRequest(seed: PullRequestSeed, repository: Repository): PullRequestRecord {
  return {
    headRef: 'topic',
    headRepository: repository.fullName,
    title: 'A change',
    author: 'octocat',
    state: 'open',
    draft: false,
    ...seed,
    htmlUrl: `${repository.html}/pull/${seed.number}`,
  };
}

/** `GET /pulls/{number}`; `baseSha` is the tip of the base branch, where it is known. */
export function renderPullRequest(
  pull: PullRequestRecord,
  repository: Repository,
  baseSha: string | undefined,
): unknown {
  const repo = (fullName: string) => ({ full_name: fullName, name: fullName.split('/')[1] });
  return {
    url: `${repository.api}/pulls/${pull.number}`,
    html_url: pull.htmlUrl,
    number: pull.number,
    state: pull.state,
    draft: pull.draft,
    merged: false,
    title: pull.title,
    user: { login: pull.author, type: 'User' },
    head: {
      ref: pull.headRef,
      sha: pull.headSha,
      repo: pull.headRepository === null ? null : repo(pull.headRepository),
    },
    base: { ref: pull.baseRef, sha: baseSha ?? null, repo: repo(repository.fullName) },
  };
}
