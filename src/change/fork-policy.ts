import { explainStop, type NotScanned, stopCause } from '../domain/result.ts';
import type { ScanTarget, TargetPullRequest } from '../domain/target.ts';
import { causeOf, fixOf, type GitHubError, lacksPermission } from '../github/errors.ts';
import type { GitHubAccess } from '../github/octokit.ts';
import { accountMayWrite } from '../github/people.ts';
import { WORKFLOW_AUTHOR } from '../github/pull-request-state.ts';
import { docsPage } from '../report/links.ts';
import type { SetupInputs } from '../runner/inputs.ts';

/**
 * Decides whether this event may use the service. Returns undefined if it may, otherwise the reason for not scanning.
 * Pure.
 *
 * Under `pull_request`, GitHub passes no secrets to forks, unless a private repository allows it. Dependabot gets only
 * Dependabot secrets. Under `pull_request_target`, forks get all secrets, so the input `scan-forks` decides which forks
 * are scanned.
 */
export function refuseTarget(
  target: ScanTarget,
  { hasToken, scanForks }: Pick<SetupInputs, 'scanForks'> & { readonly hasToken: boolean },
): NotScanned | undefined {
  if (!hasToken) {
    if (!target.secretsWithheld) return TOKEN_EMPTY;
    if (target.pullRequest === undefined) return WITHHELD_FROM_COMMIT;
    if (target.event === 'pull_request_target') return WITHHELD_FROM_DEPENDABOT_TARGET;
    return target.pullRequest.isFork ? WITHHELD_FROM_FORK : WITHHELD_FROM_DEPENDABOT;
  }
  if (forkWithSecrets(target) === undefined || scanForks !== 'none') return undefined;
  return {
    reason: 'untrusted-fork',
    cause: 'This pull request is from a fork, and `scan-forks` is `none`.',
    nextStep: `${OTHER_WAYS} A maintainer can also set \`scan-forks\` to \`trusted\` in the workflow.`,
  };
}

function forkWithSecrets({ event, pullRequest }: ScanTarget): TargetPullRequest | undefined {
  return pullRequest?.isFork === true && event === 'pull_request_target' ? pullRequest : undefined;
}

/**
 * Decides whether a scan of this change may be launched with `scan-forks: trusted`. Returns undefined if it may. For a
 * fork under `pull_request_target`, the author and the account that started this attempt need write permission.
 * Reading a scan that is paid for needs neither.
 * @param triggeringActor the account that started this attempt. If it is the token of this repository's workflows, as
 * for a re-run by the triage action, the sender of the event counts.
 */
export async function refusePayment(
  { github, signal }: GitHubAccess,
  target: ScanTarget,
  triggeringActor: string,
): Promise<NotScanned | undefined> {
  const fork = forkWithSecrets(target);
  if (fork === undefined) return undefined;
  const { author, sender = '' } = fork;
  const starter = triggeringActor === WORKFLOW_AUTHOR ? sender : triggeringActor;
  const accounts = [
    { login: author, who: 'the author of the fork', operation: "read the author's permission" },
    {
      login: starter,
      who: 'the account that started this run',
      operation: "read that account's permission",
    },
  ];
  for (const { login, who, operation } of starter === author ? accounts.slice(0, 1) : accounts) {
    const trust = await accountMayWrite(github.until(signal), login, operation);
    if (!trust.ok) {
      const cause = stopCause(signal);
      if (cause !== undefined) return explainStop(cause, 'it launched a scan');
      if (trust.error.kind === 'forbidden') return permissionRefused(login, login === author, trust.error);
      return {
        reason: 'service-error',
        cause: `Could not check whether ${who} has write access. ${causeOf(trust.error)}`,
        nextStep: fixOf(trust.error),
      };
    }
    if (!trust.value) return login === author ? untrustedAuthor(author) : untrustedStarter(login);
  }
  return undefined;
}

function untrustedAuthor(author: string): NotScanned {
  return {
    reason: 'untrusted-fork',
    cause: `This pull request is from a fork, and its author ${author || '(a deleted account)'} has no write access to this repository.`,
    nextStep: `${OTHER_WAYS} To approve scans of forks one by one, see ${docsPage('forks')}.`,
  };
}

function untrustedStarter(login: string): NotScanned {
  return {
    reason: 'untrusted-fork',
    cause: `This pull request is from a fork, and ${login || 'an unknown account'}, which has no write access to this repository, started this run.`,
    nextStep: 'Ask a maintainer to review the change and re-run this job.',
  };
}

function permissionRefused(login: string, isAuthor: boolean, error: GitHubError): NotScanned {
  const { message } = error;
  const said = message === '' ? '' : ` (${message})`;
  return {
    reason: 'untrusted-fork',
    cause: `This pull request is from a fork, and Scangate could not read the permission of ${isAuthor ? 'its author ' : ''}${login}: GitHub denied access${said}.`,
    nextStep: lacksPermission(error)
      ? 'Ask a maintainer to remove `github-token` from the workflow, or to give that token `metadata: read`. If it is a personal access token, its owner also needs write access.'
      : fixOf(error),
  };
}

const OTHER_WAYS = 'Ask a maintainer to review the change and push it to a branch of this repository.';

const WITHHELD_FROM_FORK: NotScanned = {
  reason: 'missing-token',
  cause: 'GitHub did not pass the secrets to this pull request from a fork, so `api-token` is empty.',
  nextStep: `${OTHER_WAYS} A maintainer can also run the workflow on \`pull_request_target\`, as ${docsPage('forks')} shows. In a public repository, a policy has to allow this event (Settings → Actions → Policies).`,
};

const WITHHELD_FROM_DEPENDABOT: NotScanned = {
  reason: 'missing-token',
  cause: 'GitHub passes only Dependabot secrets to pull requests from Dependabot, so `api-token` is empty.',
  nextStep:
    'Ask a maintainer to add the API token to the Dependabot secrets of this repository and to re-run this job.',
};

const WITHHELD_FROM_DEPENDABOT_TARGET: NotScanned = {
  reason: 'missing-token',
  cause:
    'GitHub withheld the secrets from this run of Dependabot on `pull_request_target`, so `api-token` is empty.',
  nextStep:
    'Ask a maintainer to run the workflow on `pull_request` for Dependabot, and to add the API token to the Dependabot secrets.',
};

const WITHHELD_FROM_COMMIT: NotScanned = {
  reason: 'missing-token',
  cause:
    'GitHub passes the secrets of a repository neither to its forks nor to runs that Dependabot started, so `api-token` is empty.',
  nextStep:
    'In a fork, disable this workflow, or add the secret to the fork. For Dependabot, add the token to the Dependabot secrets.',
};

const TOKEN_EMPTY: NotScanned = {
  reason: 'configuration',
  cause: '`api-token` is empty, although this event has access to secrets.',
  nextStep:
    'Check that the secret exists and its name matches. In a reusable workflow, the caller has to pass it, by name or by `secrets: inherit`.',
};
