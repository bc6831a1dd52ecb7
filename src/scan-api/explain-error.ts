import type { TokenInformation } from '../domain/project.ts';
import { explainStop, type NotScanned } from '../domain/result.ts';
import type { ConnectionFault } from '../http/connection-error.ts';
import { foreignLine } from '../text/visible-text.ts';
import type { ApiError, InvalidAnswer, Operation, Refused, Unreachable } from './api-error.ts';

const CHECK_STATUS =
  "Check the service's status page, then re-run this job. If it fails again, check `base-url`.";

const INVALID_ANSWERS: Readonly<Record<InvalidAnswer['problem'], { cause: string; nextStep: string }>> = {
  redirect: {
    cause: 'the address redirects, and redirects are not followed',
    nextStep:
      'Set `base-url` to the final address of the service and push. A proxy or a login page can also cause a redirect.',
  },
  oversize: {
    cause: 'the response is too large',
    nextStep: CHECK_STATUS,
  },
  'not-json': {
    cause: 'the response is not JSON',
    nextStep:
      'Check that `base-url` ends in `/api/v1`. A proxy, a login page or a maintenance page may have answered instead of the service.',
  },
  'wrong-shape': {
    cause: "the response does not match version 1 of the service's API",
    nextStep: 'Check `base-url`. If it is correct, please open an issue in the Scangate repository.',
  },
  'shifting-list': {
    cause: 'the list kept changing while Scangate read it',
    nextStep: "Re-run this job. If it fails again, contact the service's support.",
  },
};

const UNREACHABLE: Readonly<Record<ConnectionFault, { cause: string; nextStep: string }>> = {
  dns: {
    cause: 'the host name could not be resolved',
    nextStep: 'Check the spelling of `base-url`, and that the runner can resolve its host name.',
  },
  refused: {
    cause: 'the connection was refused',
    nextStep: 'Check `base-url`, and that a firewall or proxy lets the runner connect.',
  },
  'connect-timeout': {
    cause: 'the connection timed out',
    nextStep:
      'Check that a firewall or proxy lets the runner connect to `base-url` (`HTTPS_PROXY`, `NO_PROXY`).',
  },
  timeout: { cause: 'the request timed out', nextStep: CHECK_STATUS },
  reset: { cause: 'the connection was reset', nextStep: CHECK_STATUS },
  certificate: {
    cause: 'the TLS certificate could not be verified',
    nextStep:
      'If the service or a proxy uses a private certificate authority, set `NODE_EXTRA_CA_CERTS` to its file. Otherwise check `base-url`.',
  },
  proxy: {
    cause: 'the proxy could not connect',
    nextStep: 'Check `HTTPS_PROXY` and `NO_PROXY` of the runner, and that the proxy allows `base-url`.',
  },
  'proxy-credentials': {
    cause: 'the proxy requires a user name and a password',
    nextStep:
      'Set `HTTPS_PROXY` of the runner to `http://name:password@host:port`, percent-encoded, or add the host of `base-url` to `NO_PROXY`.',
  },
  other: { cause: 'the connection failed', nextStep: CHECK_STATUS },
};

function explainInvalidAnswer(error: InvalidAnswer): NotScanned {
  const { cause, nextStep } = INVALID_ANSWERS[error.problem];
  return {
    reason: 'service-error',
    cause: `Could not ${error.operation}: ${cause} (HTTP ${error.status}, ${error.detail}).`,
    nextStep,
  };
}

function explainUnreachable(error: Unreachable): NotScanned {
  const { cause, nextStep } = UNREACHABLE[error.cause];
  return {
    reason: 'service-error',
    cause: `Could not ${error.operation}: ${cause} (${error.detail}).`,
    nextStep,
  };
}

/** Facts that the caller knows, and the answer does not show. */
export interface ErrorContext {
  /** The credit budget of the launch, in whole credits. Undefined if the service chooses the minimum. */
  readonly creditBudget?: number | undefined;
  /** The service's answer about the token. Undefined if there is none. */
  readonly token?: TokenInformation | undefined;
  /**
   * True if the service showed the scan before. A 404 then means that the scan is gone. Otherwise a 404 can mean that
   * the workflow names a wrong project.
   */
  readonly scanShown?: boolean | undefined;
}

/**
 * The maximum length of an error code in a message, in characters. The codes of the contract are shorter, but the
 * service can add codes.
 */
const LONGEST_CODE = 60;

type Row = (error: Refused, context: ErrorContext) => NotScanned;

const SETTINGS = "the project's integration settings";

/**
 * The scope that each operation of the gate needs, by the service's contract. Operations of the gate that are not
 * listed need `read`.
 */
const SCOPE_OF: ReadonlyMap<Operation, string> = new Map([
  ['launch the scan', 'scans:launch'],
  ['cancel the scan', 'scans:launch'],
  ['publish the scan', 'publish'],
]);

const SUPPORT = "Re-run this job later. If it fails again, contact the service's support.";

/** The explanation of each error code in the service's contract. */
const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
  [
    'unauthorized',
    (error) => ({
      reason: 'configuration',
      cause: `The service rejected \`api-token\`: it is invalid, expired or revoked, or its project is archived${said(error)}.`,
      nextStep:
        'Ask a project admin of the service for a new token, update the secret, then re-run this job. Also check that `base-url` is the service that issued the token.',
    }),
  ],
  ['forbidden', (error) => missingScope(SCOPE_OF.get(error.operation) ?? 'read', said(error))],
  [
    'not_found',
    (error, { scanShown }) =>
      scanShown === true
        ? scanGone(error)
        : {
            reason: 'configuration',
            cause: `Could not ${error.operation}: the service did not find what the request names${said(error)}.`,
            // The run reads a finding only after the service has listed it.
            nextStep:
              error.operation === 'read a finding'
                ? SUPPORT
                : 'Check `project-id` and `repository-id`. If they are correct, ask a project admin of the service whether `api-token` can access them.',
          },
  ],
  [
    'insufficient_credits',
    (error, { creditBudget }) => ({
      reason: 'insufficient-credits',
      cause: `The organization's credits in the scanning service do not cover this scan${said(error, budgetOf(creditBudget))}.`,
      nextStep: `Ask an organization admin of the service to add credits, then re-run this job.${creditBudget === undefined ? '' : " Or lower `credit-budget` in the workflow, down to the preset's minimum, and push."}`,
    }),
  ],
  ['rate_limited', (error, context) => rateLimited(error, context)],
  [
    'diff_base_required',
    (error) => ({
      reason: 'configuration',
      cause: `The preset needs a base commit, and the service received none${said(error)}.`,
      nextStep:
        'Check that `launch-parameters` does not remove or rename `baseCommit`. Or set `base-commit`. On `schedule` and `workflow_dispatch`, set `preset` to one that is not a diff preset. Then push.',
    }),
  ],
  [
    'diff_base_not_allowed',
    (error) => ({
      reason: 'configuration',
      cause: `The preset does not accept a base commit, so it would scan more than this change${said(error)}.`,
      nextStep: 'Set `preset` to a diff preset in the workflow and push.',
    }),
  ],
  [
    'diff_base_invalid',
    (error) => ({
      reason: 'configuration',
      cause: `The service does not know the base commit${said(error)}.`,
      nextStep:
        'If `base-commit` is set, check that it is a commit of this repository. Check that `repository-id` is this repository in the service.',
    }),
  ],
  [
    'diff_empty',
    (error) => ({
      reason: 'configuration',
      cause: `The service found no change between the base and the scanned commit${said(error)}.`,
      nextStep:
        'Check which commit the service scans. If it does not read the field `commit`, set the field that it reads in `launch-parameters` and push.',
    }),
  ],
  [
    'repository_initializing',
    (error) => ({
      reason: 'initializing',
      cause: `The scanning service is still analyzing this repository for the first time${said(error)}.`,
      nextStep: STILL_INITIALIZING,
    }),
  ],
  [
    'conflict',
    (error) => ({
      reason: 'service-error',
      cause: `Could not ${error.operation}: another request changed the same data at the same time${said(error)}.`,
      nextStep: 'Re-run this job.',
    }),
  ],
  [
    'bad_request',
    (error) => ({
      reason: 'configuration',
      cause: `Could not ${error.operation}: the service rejected the request as invalid${said(error)}.`,
      nextStep:
        error.operation === 'launch the scan'
          ? 'Check `preset`, `credit-budget` and `base-commit`. If the service uses another name for a field, set that name in `launch-parameters`. Then push.'
          : SUPPORT,
    }),
  ],
  [
    'internal',
    (error) => ({
      reason: 'service-error',
      cause: `Could not ${error.operation}: the service returned an internal error${said(error)}.`,
      nextStep: SUPPORT,
    }),
  ],
]);

function scanGone(error: Refused): NotScanned {
  return {
    reason: 'service-error',
    cause: `The service no longer finds the scan that it showed before${said(error)}.`,
    nextStep:
      'Re-run this job. If it fails again, ask a project admin of the service whether `api-token` can still access this repository.',
  };
}

/**
 * Explains why nothing was scanned, and how to fix that. The explanation may quote the service. The quote is shortened
 * to one line and does not contain the token.
 */
export function explainApiError(error: ApiError, context: ErrorContext = {}): NotScanned {
  switch (error.kind) {
    case 'refused':
      return (ROWS.get(error.code) ?? unknownCode)(error, context);
    case 'invalid':
      return error.status === 429 ? rateLimited(error, context) : explainInvalidAnswer(error);
    case 'unreachable':
      return explainUnreachable(error);
    case 'stopped':
      return explainStop(error.by, `it could ${error.operation}`);
  }
}

/** The advice while the service analyzes the repository for the first time. */
export const STILL_INITIALIZING =
  'Re-run this job when the repository is ready in the service. To wait longer, raise the input `timeout-minutes` in the workflow and push.';

/**
 * Explains that the token lacks a scope.
 * @param answer what the service answered; empty if no request failed
 */
export function missingScope(scope: string, answer = ''): NotScanned {
  return {
    reason: 'configuration',
    cause: `The API token is missing the \`${scope}\` scope${answer}.`,
    nextStep: `Ask a project admin of the service for a token with the \`${scope}\` scope, update the secret, then re-run this job.`,
  };
}

function rateLimited(error: Refused | InvalidAnswer, context: ErrorContext): NotScanned {
  const wait = error.retryAfterSeconds;
  const more = error.outlastsRun === true ? ', longer than this job may last' : '';
  const advice = wait === undefined ? '' : ` The service asks to wait ${duration(wait)}${more}.`;
  const launch = error.operation === 'launch the scan';
  return {
    reason: 'rate-limited',
    cause: `Could not ${error.operation}: the API token reached its ${
      launch ? 'rate limit or its spend limit' : 'rate limit'
    }${error.kind === 'refused' ? said(error) : ''}.${advice}${launch ? spendLimitOf(context) : ''}`,
    nextStep: `Re-run this job later.${launch ? ` If the spend limit is reached, ask a project admin of the service to raise it in ${SETTINGS}.` : ''}`,
  };
}

function unknownCode(error: Refused): NotScanned {
  return {
    reason: 'service-error',
    cause: `Could not ${error.operation}: the service returned HTTP ${error.status} with an unknown error code${said(error)}.`,
    nextStep: SUPPORT,
  };
}

/**
 * Names the spend limit of the token, because the service uses one error code for this limit and for the rate limit.
 */
function spendLimitOf({ token, creditBudget }: ErrorContext): string {
  if (token === undefined) return '';
  if (token.spendLimit === undefined) return ' The service shows no spend limit for this token.';
  return ` The token's spend limit is ${token.spendLimit} credits per billing period (${budgetOf(creditBudget)}).`;
}

/**
 * Writes in parentheses: the error code of the service, the service's message if it may be shown, and the texts in
 * `added`.
 */
function said({ code, message }: Refused, ...added: readonly string[]): string {
  const line = foreignLine(message);
  const name = foreignLine(code, LONGEST_CODE).replaceAll('`', "'");
  return ` (${[line === '' ? `\`${name}\`` : `\`${name}\`: "${line}"`, ...added].join('; ')})`;
}

function budgetOf(credits: number | undefined): string {
  return credits === undefined ? "budget: the service's default" : `budget: ${credits} credits`;
}

/** Writes a duration for people: up to two minutes in seconds, then in minutes, hours and days. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  if (seconds < 7_200) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds < 172_800 ? `${Math.ceil(seconds / 3_600)} hours` : `${Math.ceil(seconds / 86_400)} days`;
}
