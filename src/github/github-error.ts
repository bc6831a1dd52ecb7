/** A permission as it is written in a workflow. */
export type Permission =
  | 'checks: write'
  | 'contents: read'
  | 'metadata: read'
  | 'pull-requests: read'
  | 'pull-requests: write';

/** Why GitHub did not do what was asked. `message` is foreign text: one line, at most 300 characters. */
export interface GitHubError {
  readonly kind:
    | 'forbidden' /** 403: a permission is missing. */
    | 'not-found'
    | 'unauthorized' /** 401: no token, or one that is no longer valid. */
    | 'rate-limited'
    | 'refused' /** Any other definite no. */
    | 'nonsense' /** The answer is not what GitHub documents. */
    | 'unreachable' /** Network, time-out, 5xx. */
    | 'stopped' /** Our own signal. */;
  /** A verb phrase: "create the check run". */
  readonly operation: string;
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  readonly message: string;
  /** What the token needs for this operation. */
  readonly permission: Permission;
  /** It cannot be told whether GitHub did it: the connection was lost after the request was sent, or a 5xx. */
  readonly mayHaveHappened: boolean;
}

/** One or two sentences for a warning: what failed, why, and what mends it. Holds foreign text. */
export function explainGitHubError(error: GitHubError): string {
  return `Scangate could not ${error.operation}: ${because(error)}`;
}

function because({ kind, status, message, permission }: GitHubError): string {
  const said = message === '' ? '' : ` (${message})`;
  switch (kind) {
    case 'forbidden':
      return `GitHub refuses it${said}. Add \`${permission}\` to the job's \`permissions\`; under \`pull_request\`, a fork or Dependabot gets a read-only token whatever the workflow asks for.`;
    case 'not-found':
      return `GitHub answers 404${said}: it is not there, or the token may not see it. If it is there, add \`${permission}\` to the job's \`permissions\`.`;
    case 'unauthorized':
      return `GitHub does not accept the token${said}. Check the input \`github-token\`; an app's token lasts one hour, the job's own as long as the job.`;
    case 'rate-limited':
      return `the rate limit of the token is used up${said}. Run the job again later, or give a less busy \`github-token\`.`;
    case 'refused':
      return `GitHub answers ${status}${said}. If that names nothing you can change, please report it as a fault of Scangate.`;
    case 'nonsense':
      return `the answer is not what GitHub's API documents${said}. Check GITHUB_API_URL, and whether a proxy answers in GitHub's place.`;
    case 'unreachable':
      return `GitHub cannot be reached${said}. Run the job again; if it stays so, check the runner's network and GitHub's status page.`;
    case 'stopped':
      return 'the run was stopped first.';
  }
}
