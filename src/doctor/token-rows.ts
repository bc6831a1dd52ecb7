import type { ProjectRepository, TokenInformation } from '../domain/project.ts';
import type { Result } from '../domain/result.ts';
import { EXPIRY_NOTICE_MS, scopeFaults } from '../preflight/token-check.ts';
import type { ServiceFacts } from './facts.ts';
import { explainRead, fixerOf } from './failed-read.ts';
import { type Check, code, error, errorOf, ok, type Row, skipped, warning } from './row.ts';

const ADMIN = 'Project admin of the service';
const NEW_TOKEN = 'Create a new token in the integration settings of the project, and update the secret.';
const DAY_MS = 24 * 60 * 60_000;

export interface TokenQuestion {
  readonly willPublish: boolean;
  /** The credits of one scan; undefined if they are not known. */
  readonly budget: number | undefined;
  /** The gate's repository in the list of the service; undefined if the list was not read. */
  readonly repository: Result<ProjectRepository, unknown> | undefined;
  readonly isPublic: boolean;
  readonly now: Date;
}

/** Rows about the token alone: whether it is accepted, its project, scopes, expiry, credits and repositories. */
export function tokenRows(service: ServiceFacts | undefined, question: TokenQuestion): readonly Row[] {
  if (service === undefined) return [skipped('Token', 'Not checked: fix the inputs first.')];
  const { token } = service;
  if (!token.ok) {
    const row =
      token.error.kind === 'refused'
        ? errorOf('Token', explainRead(token.error), fixerOf(token.error))
        : skipped('Token', 'Not checked: the service cannot be reached.');
    return [row, ...projectRows(service)];
  }
  const { value } = token;
  return [
    ok('Token', 'The service accepts `api-token`.'),
    ...projectRows(service),
    ...scopeRows(value, question.willPublish),
    expiryRow(value, question),
    spendLimitRow(value, question),
    allowlistRow(value, question),
  ];
}

function projectRows({ projectId }: ServiceFacts): readonly Row[] {
  if (projectId === undefined) return [skipped('Project', 'Not checked: the token was not read.')];
  if (!projectId.ok) return [errorOf('Project', projectId.error, 'Workflow maintainer')];
  return [ok('Project', `${code(projectId.value)}.`)];
}

function scopeRows(token: TokenInformation, willPublish: boolean): readonly Row[] {
  const missing = scopeFaults(token, willPublish);
  if (missing.length > 0) return missing.map((fault) => errorOf('Scopes', fault, ADMIN));
  const needed = willPublish ? '`read`, `scans:launch` and `publish`' : '`read` and `scans:launch`';
  return token.scopes === undefined
    ? [notShown('Scopes', 'scopes', `the token has ${needed}`)]
    : [ok('Scopes', `The token has ${needed}.`)];
}

function expiryRow({ expiresAt }: TokenInformation, { isPublic, now }: TokenQuestion): Row {
  if (expiresAt === undefined) return ok('Expiry', 'The service shows no expiry.');
  const left = new Date(expiresAt).getTime() - now.getTime();
  if (Number.isNaN(left)) return notShown('Expiry', 'a readable expiry', 'the token does not expire soon');
  if (left <= 0) return error('Expiry', 'The token has expired.', ADMIN, NEW_TOKEN);
  const days = Math.floor(left / DAY_MS);
  if (left <= EXPIRY_NOTICE_MS) {
    const when = isPublic ? 'within 7 days' : `in ${days === 1 ? '1 day' : `${days} days`}`;
    return warning('Expiry', `The token expires ${when}.`, ADMIN, NEW_TOKEN);
  }
  return ok('Expiry', isPublic ? 'More than 7 days are left.' : `${days} days are left.`);
}

function spendLimitRow({ spendLimit }: TokenInformation, { budget, isPublic }: TokenQuestion): Row {
  if (spendLimit !== undefined && (spendLimit === 0 || spendLimit < (budget ?? 0))) {
    const text = isPublic
      ? 'The spend limit of the token is below the budget of one scan.'
      : `The spend limit of the token is ${spendLimit} credits, below the budget of one scan (${budget ?? 1} or more).`;
    return error('Spend limit', text, ADMIN, 'Raise the spend limit of the token, or lower `credit-budget`.');
  }
  if (isPublic) return ok('Spend limit', 'The service shows none that is below the budget of one scan.');
  return ok(
    'Spend limit',
    spendLimit === undefined
      ? 'The service shows no spend limit.'
      : `${spendLimit} credits per billing period. What is left of it is not shown.`,
  );
}

function allowlistRow({ allowlist }: TokenInformation, { repository, isPublic }: TokenQuestion): Row {
  if (repository === undefined) return skipped('Allowlist', 'Not checked: the repositories were not read.');
  // The service lists only repositories that the token may access.
  if (repository.ok) {
    if (isPublic || allowlist === undefined) return ok('Allowlist', 'The token may see this repository.');
    const { length } = allowlist;
    return ok(
      'Allowlist',
      length === 0
        ? 'None: the token may see every repository of the project.'
        : `The token may see this repository, one of ${length}.`,
    );
  }
  if (allowlist !== undefined && allowlist.length === 0) {
    return ok('Allowlist', 'None: the token may see every repository of the project.');
  }
  return error(
    'Allowlist',
    'The token may not see this repository, or the project does not have it.',
    ADMIN,
    'Add the repository to the project and to the allowlist of the token.',
  );
}

function notShown(check: Check, what: string, whether: string): Row {
  return warning(
    check,
    `The service does not show ${what}.`,
    ADMIN,
    `Check in the integration settings of the project that ${whether}.`,
  );
}
