import type { NotScanned } from '../domain/not-scanned.ts';
import { explainStop, stopCause } from '../domain/stop.ts';
import type { ScanTarget } from '../domain/target.ts';
import { authorMayScan } from '../github/author.ts';
import { explainGitHubError } from '../github/github-error.ts';
import type { GitHubClient } from '../github/octokit.ts';
import type { Inputs } from '../runner/inputs.ts';

/**
 * May this event's change be scanned at the maintainer's expense? Undefined means yes.
 * GitHub withholds secrets from Dependabot, and from forks under `pull_request`. Under `pull_request_target` a fork's
 * run has them, so unless the maintainer decided otherwise the author needs write permission on the repository.
 */
export async function refuseTarget(
  github: GitHubClient,
  target: ScanTarget,
  { apiToken, scanForks }: Pick<Inputs, 'apiToken' | 'scanForks'>,
  signal: AbortSignal,
): Promise<NotScanned | undefined> {
  if (apiToken === '') {
    if (target.pullRequest?.secretsWithheld !== true) return TOKEN_EMPTY;
    if (target.event === 'pull_request_target') return WITHHELD_FROM_DEPENDABOT_TARGET;
    return target.pullRequest.isFork ? WITHHELD_FROM_FORK : WITHHELD_FROM_DEPENDABOT;
  }
  if (target.event !== 'pull_request_target' || target.pullRequest?.isFork !== true) return undefined;
  if (scanForks === 'all') return undefined;
  if (scanForks === 'none')
    return {
      reason: 'untrusted-fork',
      cause: 'The pull request comes from a fork, and input `scan-forks` is none.',
      nextStep: `${OTHER_WAYS}, or set \`scan-forks\` to \`trusted\`.`,
    };
  const trust = await authorMayScan(github, target.pullRequest, signal);
  if (!trust.ok) {
    const cause = stopCause(signal);
    if (cause !== undefined) return explainStop(cause, 'nothing was launched');
    if (trust.error.kind === 'forbidden')
      return permissionRefused(target.pullRequest.author, trust.error.message);
    return {
      reason: 'service-error',
      cause: `Whether the fork's author may have it scanned is not known. ${explainGitHubError(trust.error)}`,
      nextStep: 'Run the job again later.',
    };
  }
  if (trust.value) return undefined;
  return {
    reason: 'untrusted-fork',
    cause: `The pull request comes from a fork, and its author ${target.pullRequest.author} may not write to this repository.`,
    nextStep: `${OTHER_WAYS}.`,
  };
}

function permissionRefused(author: string, message: string): NotScanned {
  const said = message === '' ? '' : ` (${message})`;
  return {
    reason: 'untrusted-fork',
    cause: `The pull request comes from a fork, and GitHub refuses to show the permission of its author ${author}${said}.`,
    nextStep:
      "Grant the token `metadata: read`. The workflow's `GITHUB_TOKEN` always has it, so leave the input `github-token` at its default. The owner of a personal access token also needs write access to this repository.",
  };
}

const OTHER_WAYS =
  'A maintainer who has read the change can push its commits to a branch of this repository and open a pull request from there';

const WITHHELD_FROM_FORK: NotScanned = {
  reason: 'missing-token',
  cause: 'GitHub gives no secrets to pull requests from forks, so there is no `api-token`.',
  nextStep: `${OTHER_WAYS}, or let the workflow run on \`pull_request_target\`, where forks of trusted authors are scanned.`,
};

const WITHHELD_FROM_DEPENDABOT: NotScanned = {
  reason: 'missing-token',
  cause:
    'GitHub gives no secrets but the Dependabot secrets to pull requests of Dependabot, so there is no `api-token`.',
  nextStep: 'A maintainer can store the token among the Dependabot secrets of this repository too.',
};

const WITHHELD_FROM_DEPENDABOT_TARGET: NotScanned = {
  reason: 'missing-token',
  cause:
    'GitHub gives no secrets to pull requests of Dependabot under `pull_request_target`, so there is no `api-token`.',
  nextStep:
    'A maintainer can run the workflow on `pull_request` for these pull requests, and store the token as a Dependabot secret of this repository.',
};

const TOKEN_EMPTY: NotScanned = {
  reason: 'configuration',
  cause: 'Input `api-token` is empty, although GitHub gives secrets to this event.',
  nextStep:
    'Set it from a secret of this repository that exists and is spelt alike; in a reusable workflow the caller has to add `secrets: inherit` or pass the secret.',
};
