import type { GitHubError } from '../../../src/github/errors.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';

export const SHA = {
  head: 'a'.repeat(40),
  base: 'b'.repeat(40),
  other: 'c'.repeat(40),
} as const;

/** An error of GitHub's client. The given members replace the defaults. */
export function gitHubError(kind: GitHubError['kind'], members: Partial<GitHubError> = {}): GitHubError {
  return {
    kind,
    operation: 'read it',
    permission: 'contents: read',
    status: 403,
    message: kind === 'forbidden' ? 'Resource not accessible by integration' : '',
    ambiguous: false,
    ...members,
  };
}

/** What GitHub shows of an open pull request without comments. The given members replace the defaults. */
export function pullRequestState(members: Partial<PullRequestState> = {}): PullRequestState {
  return {
    viewer: 'github-actions[bot]',
    isOpen: true,
    updatedAt: new Date(0),
    headSha: 'a'.repeat(40),
    headTree: undefined,
    baseName: 'main',
    baseTip: undefined,
    comments: [],
    ...members,
  };
}
