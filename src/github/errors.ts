import * as v from 'valibot';
import { sentencesOf } from '../domain/result.ts';
import { largestBody } from '../http/attempt.ts';
import { type ConnectionFault, isLasting, readConnectionError } from '../http/connection-error.ts';
import { type AfterFailure, advisedWait, parseHttpDate, parseRetryAfter } from '../http/retry.ts';

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
    | 'forbidden' /** 403: a permission is missing, or GitHub has another reason. `lacksPermission` decides. */
    | 'not-found'
    | 'unauthorized' /** 401: the token is missing, or no longer valid. */
    | 'rate-limited'
    | 'refused' /** A definite refusal for a reason that has no kind of its own. */
    | 'invalid' /** The answer does not match GitHub's documentation. */
    | 'too-large' /** The answer is larger than we read. */
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

type Refusal = Pick<GitHubError, 'kind' | 'permission' | 'message'>;

/** True if GitHub says that the token lacks a permission. */
export function lacksPermission({ kind, message }: Refusal): boolean {
  return kind === 'forbidden' && /not accessible by/i.test(message);
}

/** Says how to fix the error; empty if the job was stopped. */
export function fixOf(error: Refusal): string {
  const { kind, permission } = error;
  switch (kind) {
    case 'forbidden':
      if (!lacksPermission(error)) return fixOfDenial(error.message);
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
    case 'too-large':
      return 'Shorten or delete what is so large, or please open an issue in the Scangate repository.';
    case 'unreachable':
      return "Re-run this job. If it fails again, check the runner's network and GitHub's status page.";
    case 'stopped':
      return '';
  }
}

/** Reasons other than a missing permission, by a part of GitHub's message, and what to do about them. */
const DENIALS: readonly (readonly [message: RegExp, fix: string])[] = [
  [/\blocked\b/i, 'Unlock the conversation, and re-run this job.'],
  [/more than [\d,]+ comments/i, 'Open a new pull request for this change, or set `comment: never`.'],
  [/IP allow list/i, "Ask an organization owner to add the runner's address to the IP allow list."],
  [
    /\bSAML\b/i,
    'Ask the owner of `github-token` to authorize the token for single sign-on to the organization.',
  ],
  [
    /must have (?:push|write|admin)/i,
    "Set `github-token` to a token whose owner has this access, or remove it to use the job's own token.",
  ],
];

function fixOfDenial(message: string): string {
  if (message === '') return 'Check `github-token`, and whether a proxy answered instead of GitHub.';
  const [, fix] = DENIALS.find(([pattern]) => pattern.test(message)) ?? [];
  return fix ?? "Do what GitHub's answer asks for.";
}

const CAUSES: Readonly<Record<GitHubError['kind'], string>> = {
  forbidden: 'GitHub denied access',
  'not-found': 'GitHub returned 404, which can also mean that the token has no access',
  unauthorized: 'GitHub rejected the token',
  'rate-limited': 'the token reached its GitHub rate limit',
  refused: 'GitHub returned STATUS',
  invalid: "the response is not what GitHub's API documents",
  'too-large': `the response is larger than ${largestBody('github')}`,
  unreachable: 'GitHub could not be reached',
  stopped: 'the job was stopped first',
};

/** How often a request is sent, including the first time. */
export const MAX_ATTEMPTS = 3;

/** A failed attempt, and what GitHub said about retrying. */
export interface Failure {
  readonly error: GitHubError;
  /** True if the cause may be temporary. */
  readonly retryable: boolean;
  /** The seconds that GitHub asks us to wait. */
  readonly retryAfterSeconds: number | undefined;
}

/** GitHub's documentation for a secondary rate limit that names no time: "wait for at least one minute". */
const UNNAMED_RATE_LIMIT_MS = 60_000;
/** A longer wait means the hourly rate limit. The run does not wait for that limit. */
const LONGEST_RATE_LIMIT_MS = 60_000;
/** Our choice: the limit for all waits for rate limits together. */
export const RATE_LIMIT_BUDGET_MS = 75_000;
/** Our choice. After this time, GitHub's lists show the effect of a request whose answer was lost. */
export const PAUSE_AFTER_LOSS_MS = 3_000;
const BACKOFF_MS = [1_000, 3_000] as const;

/**
 * Decides whether a request is sent again after a failed attempt. If GitHub may have fulfilled it, only a `repeatable`
 * request is sent again.
 */
export function afterFailedSend(failure: Failure, repeatable: boolean, sends: number): AfterFailure {
  const isLimited = failure.error.kind === 'rate-limited';
  const unnamed = isLimited ? UNNAMED_RATE_LIMIT_MS : (BACKOFF_MS[sends - 1] ?? 3_000);
  const waitMs = advisedWait(isLimited ? 'rate-limit' : 'failure', failure.retryAfterSeconds) ?? unnamed;
  const again =
    sends < MAX_ATTEMPTS &&
    failure.retryable &&
    (repeatable || !failure.error.ambiguous) &&
    !(isLimited && waitMs > LONGEST_RATE_LIMIT_MS);
  return { again, waitMs, forAll: isLimited && again };
}

/** The request that failed, and whether our own signal ended it. */
export interface FailedRequest {
  readonly operation: string;
  readonly permission: Permission;
  readonly endedBy: 'caller' | 'deadline' | undefined;
}

/** The error that octokit throws for a status of 400 or more. `response` is missing if there was no answer. */
const Answered = v.object({
  status: v.number(),
  response: v.object({
    headers: v.record(v.string(), v.unknown()),
    data: v.unknown(),
  }),
});

/** The members of GitHub's error body that our messages show. */
const ErrorBody = v.object({
  message: v.string(),
  errors: v.optional(v.array(v.unknown())),
});

/** What the user can do about a connection fault that a retry does not fix. */
const FIX: Partial<Readonly<Record<ConnectionFault, string>>> = {
  certificate: 'the certificate is not trusted; set NODE_EXTRA_CA_CERTS for a private certificate authority',
  'proxy-credentials':
    'the proxy requires a user name and a password; set HTTPS_PROXY to http://name:password@host:port',
  proxy: 'the proxy could not connect; check HTTPS_PROXY and NO_PROXY, and what the proxy allows',
};

/**
 * Classifies what octokit threw.
 * @param ours the current time; headers that say until when to wait are compared with it if the answer has no date
 */
export function failureOf(thrown: unknown, request: FailedRequest, ours: Date): Failure {
  const answered = v.safeParse(Answered, thrown);
  if (answered.success) return answeredFailure(answered.output, request, ours);
  if (request.endedBy === 'caller') return failure(request, { kind: 'stopped', message: '' });
  if (request.endedBy === 'deadline') {
    return failure(request, { kind: 'unreachable', message: 'no response in time' }, { retryable: true });
  }
  const { sent, cause, detail } = readConnectionError(thrown);
  const fix = FIX[cause];
  const message = fix === undefined ? detail : `${fix} (${detail})`;
  return failure(
    request,
    { kind: 'unreachable', message, ambiguous: sent === 'unknown' },
    { retryable: !isLasting(cause) },
  );
}

/** The failure of a 2xx answer whose body was incomplete. GitHub may have fulfilled the request. */
export function cutAnswer(request: FailedRequest, status: number): Failure {
  if (request.endedBy === 'caller') return failure(request, { kind: 'stopped', message: '' });
  const message =
    request.endedBy === 'deadline' ? 'the response did not end in time' : 'the response was cut off';
  return failure(request, { kind: 'unreachable', status, message }, { retryable: true });
}

/** The error of a 200 answer that matches GitHub's documentation, but that we cannot use. */
export function unusable(
  { operation, permission }: Pick<FailedRequest, 'operation' | 'permission'>,
  message: string,
): GitHubError {
  return { kind: 'invalid', operation, permission, status: 200, message, ambiguous: false };
}

function answeredFailure(
  { status, response }: v.InferOutput<typeof Answered>,
  request: FailedRequest,
  ours: Date,
): Failure {
  const message = messageOf(response.data);
  const definite = { status, message, ambiguous: false };
  const retryAfterSeconds = waitNamedBy(response.headers, ours);
  if (status === 429 || (status === 403 && isRateLimit(response.headers, message))) {
    return failure(request, { ...definite, kind: 'rate-limited' }, { retryable: true, retryAfterSeconds });
  }
  if (status === 401) return failure(request, { ...definite, kind: 'unauthorized' });
  if (status === 403) return failure(request, { ...definite, kind: 'forbidden' });
  if (status === 404) return failure(request, { ...definite, kind: 'not-found' });
  if (status === 408 || status >= 500) {
    return failure(
      request,
      { kind: 'unreachable', status, message: message || `status ${status}` },
      { retryable: true, retryAfterSeconds },
    );
  }
  return failure(request, { ...definite, kind: 'refused' });
}

/** Makes the failure of a request. By default, GitHub may have fulfilled the request, and a retry cannot help. */
export function failure(
  { operation, permission }: FailedRequest,
  error: Pick<GitHubError, 'kind' | 'message'> & Partial<GitHubError>,
  again: Partial<Failure> = {},
): Failure {
  const { status, ambiguous = true } = error;
  return {
    error: { ...error, operation, permission, status, ambiguous },
    retryable: again.retryable ?? false,
    retryAfterSeconds: again.retryAfterSeconds,
  };
}

function isRateLimit(headers: Readonly<Record<string, unknown>>, message: string): boolean {
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    namesRateLimit(message)
  );
}

/** True if GitHub's message mentions a rate limit. The status and the type of the error do not matter. */
export function namesRateLimit(message: string): boolean {
  return /rate limit|abuse detection/i.test(message);
}

/**
 * Returns the wait that an answer asks for, in seconds. Reads `retry-after`, otherwise the time at which the primary
 * rate limit resets.
 */
function waitNamedBy(headers: Readonly<Record<string, unknown>>, ours: Date): number | undefined {
  const date = parseHttpDate(String(headers['date'])) ?? ours;
  const named = headers['retry-after'];
  const after = parseRetryAfter(named === undefined ? null : String(named), date);
  if (after !== undefined || headers['x-ratelimit-remaining'] !== '0') return after;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) - date.getTime() / 1000;
  return Number.isFinite(reset) && reset > 0 ? reset : undefined;
}

const LONGEST_MESSAGE = 300;

/** Makes one line of at most 300 characters from what GitHub said. */
export function messageLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE - 1).toWellFormed()}…` : line;
}

/** GitHub's message; empty for an HTML error page. */
function messageOf(data: unknown): string {
  const body = v.safeParse(ErrorBody, data);
  if (!body.success) return '';
  const { message, errors = [] } = body.output;
  return [
    message,
    ...errors.map((error) => (typeof error === 'string' ? error : JSON.stringify(error))),
  ].join('; ');
}
