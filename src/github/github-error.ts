import { sentencesOf } from '../domain/not-scanned.ts';

/** A permission as workflows write it. */
export type Permission =
  | 'actions: read'
  | 'actions: write'
  | 'checks: read'
  | 'checks: write'
  | 'contents: read'
  | 'metadata: read'
  | 'pull-requests: read'
  | 'pull-requests: write';

/** Why GitHub did not fulfil a request. `message` is foreign text: one line of at most 300 characters. */
export interface GitHubError {
  readonly kind:
    | 'forbidden' /** 403: a permission is missing. */
    | 'not-found'
    | 'unauthorized' /** 401: the token is missing, or no longer valid. */
    | 'rate-limited'
    | 'refused' /** A definite refusal for a reason that has no kind of its own. */
    | 'invalid' /** The answer does not match GitHub's documentation. */
    | 'unreachable' /** Network error, timeout or 5xx. */
    | 'stopped' /** Our own signal ended the request. */;
  /** A verb phrase, for example "create the check run". */
  readonly operation: string;
  /** The HTTP status; undefined if there was no answer. */
  readonly status: number | undefined;
  readonly message: string;
  /** The permission that the operation needs. */
  readonly permission: Permission;
  /**
   * True if GitHub may have fulfilled the request: the connection was lost after the request was sent, or
   * GitHub answered 5xx.
   */
  readonly ambiguous: boolean;
}

/** Makes two or three sentences for a warning: what failed, why, and how to fix it. They contain foreign text. */
export function explainGitHubError(error: GitHubError): string {
  return sentencesOf({ cause: causeOf(error), nextStep: fixOf(error) });
}

/** Says in one sentence what failed and why. Contains foreign text. */
export function causeOf({ kind, operation, status, message }: GitHubError): string {
  const said = message === '' ? '' : ` (${message})`;
  return `Could not ${operation}: ${CAUSES[kind].replace('STATUS', `${status}`)}${said}.`;
}

/** Says how to fix the error; empty if the job was stopped. */
export function fixOf({ kind, permission }: Pick<GitHubError, 'kind' | 'permission'>): string {
  switch (kind) {
    case 'forbidden':
      return permission.endsWith(': write')
        ? `On \`pull_request\`, GitHub gives forks a read-only token. In all other cases, add \`${permission}\` to the job's \`permissions\` and push.`
        : `Add \`${permission}\` to the job's \`permissions\` and push.`;
    case 'not-found':
      return `If it exists, add \`${permission}\` to the job's \`permissions\` and push.`;
    case 'unauthorized':
      return 'Check `github-token`. The token of an app expires after one hour.';
    case 'rate-limited':
      return 'Re-run this job later, or set `github-token` to a token that has not reached its rate limit.';
    case 'refused':
      return "If GitHub's answer does not help, please open an issue in the Scangate repository.";
    case 'invalid':
      return 'Check GITHUB_API_URL, and whether a proxy answered instead of GitHub.';
    case 'unreachable':
      return "Re-run this job. If it fails again, check the runner's network and GitHub's status page.";
    case 'stopped':
      return '';
  }
}

const CAUSES: Readonly<Record<GitHubError['kind'], string>> = {
  forbidden: 'GitHub denied access',
  'not-found': 'GitHub returned 404, which can also mean that the token has no access',
  unauthorized: 'GitHub rejected the token',
  'rate-limited': 'the token reached its GitHub rate limit',
  refused: 'GitHub returned STATUS',
  invalid: "the response is not what GitHub's API documents",
  unreachable: 'GitHub could not be reached',
  stopped: 'the job was stopped first',
};
