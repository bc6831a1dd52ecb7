import type { NotScanned } from '../domain/not-scanned.ts';
import type { TokenInformation } from '../domain/project.ts';
import { explainStop } from '../domain/stop.ts';
import { foreignLine } from '../text/foreign-text.ts';
import type { ApiError, Operation, Refused } from './api-error.ts';
import { explainNonsense, explainUnreachable } from './explain-connection.ts';

/** What the caller knows and the answer does not say. */
export interface ErrorContext {
  /** Whole credits that the launch asked for; undefined where the service's own floor was meant. */
  readonly creditBudget?: number | undefined;
  /** What the service says of the token; undefined where that is not known. */
  readonly token?: TokenInformation | undefined;
}

type Row = (error: Refused, context: ErrorContext) => NotScanned;

const SETTINGS = "the project's integration settings of the scanning service";

/** The scope that an operation needs, as the contract gives it. */
const SCOPE_OF: ReadonlyMap<Operation, string> = new Map([
  ['launch the scan', 'scans:launch'],
  ['cancel the scan', 'scans:launch'],
  ['publish the scan', 'publish'],
]);

/** One row per code of the service. */
const ROWS: ReadonlyMap<string, Row> = new Map<string, Row>([
  [
    'unauthorized',
    (error) => ({
      reason: 'configuration',
      cause: `The service does not accept the input \`api-token\`: could not ${error.operation}.`,
      nextStep: `The token is invalid, expired or revoked, or its project is archived; a project admin creates a new one in ${SETTINGS}, and the secret behind \`api-token\` is set to it. Check also that \`base-url\` is the environment the token was made for.`,
    }),
  ],
  [
    'forbidden',
    (error) => missingScope(SCOPE_OF.get(error.operation) ?? 'read', `could not ${error.operation}`),
  ],
  [
    'not_found',
    (error) => ({
      reason: 'configuration',
      cause: `The service does not know what was asked for: could not ${error.operation}${said(error)}.`,
      nextStep:
        "Either it does not exist, or it is outside the token's project or repository allowlist (the service does not say which): check `project-id` and `repository-id`, and ask a project admin what `api-token` may reach.",
    }),
  ],
  [
    'insufficient_credits',
    (_error, { creditBudget }) => ({
      reason: 'insufficient-credits',
      cause: `The organization's prepaid credits do not cover this scan (${budgetOf(creditBudget)}).`,
      nextStep: `Whoever manages the organization in the scanning service buys credits, then the job is run again${creditBudget === undefined ? '' : '; a maintainer can also lower the input `credit-budget`, as far as the preset allows'}.`,
    }),
  ],
  ['rate_limited', (error, context) => rateLimited(error, context)],
  [
    'diff_base_required',
    (error) => ({
      reason: 'configuration',
      cause: `The preset scans a change and the service got no base commit${said(error)}.`,
      nextStep:
        'Check that `launch-parameters` does not remove or rename `baseCommit`; the input `base-commit` sets it.',
    }),
  ],
  [
    'diff_base_not_allowed',
    (error) => ({
      reason: 'configuration',
      cause: `The preset does not take a base commit, so it scans more than the change${said(error)}.`,
      nextStep: 'Name a diff preset in the input `preset`.',
    }),
  ],
  [
    'diff_base_invalid',
    (error) => ({
      reason: 'configuration',
      cause: `The service does not know the base commit${said(error)}.`,
      nextStep:
        'Check that the input `base-commit`, where it is set, names a commit of this repository, and that `repository-id` names this repository in the service.',
    }),
  ],
  [
    'diff_empty',
    (error) => ({
      reason: 'configuration',
      cause: `The service sees no change between the base and the scanned commit${said(error)}.`,
      nextStep:
        'Check that the service scans the commit it was told to: where it names the field `commit` differently, the input `launch-parameters` sets it.',
    }),
  ],
  [
    'repository_initializing',
    () => ({
      reason: 'initializing',
      cause: 'The service is still analyzing this repository for the first time.',
      nextStep: 'Run the job again when the repository is ready in the service, or raise `timeout-minutes`.',
    }),
  ],
  [
    'conflict',
    (error) => ({
      reason: 'service-error',
      cause: `Something else changed the same thing at the same time: could not ${error.operation}${said(error)}.`,
      nextStep: 'Run the job again.',
    }),
  ],
  [
    'bad_request',
    (error) => ({
      reason: 'configuration',
      cause: `The service calls the request invalid: could not ${error.operation}${said(error)}.`,
      nextStep:
        'Check `preset`, `credit-budget` and `base-commit`; where the service names a launch field differently, the input `launch-parameters` corrects it.',
    }),
  ],
  [
    'internal',
    (error) => ({
      reason: 'service-error',
      cause: `The service failed on its own side: could not ${error.operation}${said(error)}.`,
      nextStep: 'Run the job again later; if it keeps failing, ask the support of the scanning service.',
    }),
  ],
]);

/** Why nothing was scanned, and what mends it. The sentences may hold foreign text: one line, cut, without the token. */
export function explainApiError(error: ApiError, context: ErrorContext = {}): NotScanned {
  switch (error.kind) {
    case 'refused':
      return (ROWS.get(error.code) ?? unknownCode)(error, context);
    case 'nonsense':
      return error.status === 429 ? rateLimited(error, context) : explainNonsense(error);
    case 'unreachable':
      return explainUnreachable(error);
    case 'stopped':
      return explainStop(error.by, `could not ${error.operation} any more`);
  }
}

export function missingScope(scope: string, what: string): NotScanned {
  return {
    reason: 'configuration',
    cause: `The token lacks the scope \`${scope}\`: ${what}.`,
    nextStep: `A project admin creates a token with the scope \`${scope}\` in ${SETTINGS}, and the secret behind \`api-token\` is set to it.`,
  };
}

function rateLimited(
  error: { readonly operation: Operation; readonly retryAfterSeconds: number | undefined },
  context: ErrorContext,
): NotScanned {
  const wait = error.retryAfterSeconds;
  const advice = wait === undefined ? '' : ` It asks to wait ${duration(wait)}.`;
  const launch = error.operation === 'launch the scan';
  return {
    reason: 'rate-limited',
    cause: `Could not ${error.operation} for now: ${
      launch
        ? "the token's request ceiling, or its spend limit for this billing period, is reached"
        : "the token's request ceiling is reached"
    }.${advice}${launch ? spendLimitOf(context) : ''}`,
    nextStep: `Run the job again later${launch ? `; where it is the spend limit, a project admin can raise it in ${SETTINGS}` : ''}.`,
  };
}

function unknownCode(error: Refused): NotScanned {
  return {
    reason: 'service-error',
    cause: `The service refused with HTTP ${error.status} and the unknown code "${foreignLine(error.code, 60)}": could not ${error.operation}${said(error)}.`,
    nextStep: 'Run the job again later; if it keeps failing, ask the support of the scanning service.',
  };
}

/** What the service says of the token's spend limit, so that a reader sees which of the two limits it may be. */
function spendLimitOf({ token, creditBudget }: ErrorContext): string {
  if (token === undefined) return '';
  if (token.spendLimit === undefined) return ' The service shows no spend limit of this token.';
  return ` The service shows a spend limit of ${token.spendLimit} credits per billing period for this token (${budgetOf(creditBudget)}).`;
}

/** The service's own sentence, marked as such. */
function said({ message }: Refused): string {
  const line = foreignLine(message);
  return line === '' ? '' : ` (it says: "${line}")`;
}

function budgetOf(credits: number | undefined): string {
  return credits === undefined ? "budget: the service's default floor" : `budget: ${credits} credits`;
}

/** For people: seconds up to two minutes, then minutes, then hours. */
export function duration(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7_200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3_600)} hours`;
}
