import * as v from 'valibot';
import { type ConnectionFault, readConnectionError } from '../http/connection-error.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import type { GitHubError, Permission } from './github-error.ts';
import type { Failure } from './retry.ts';

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
 * @param date the current time; needed for headers that say until when to wait
 */
export function failureOf(thrown: unknown, request: FailedRequest, date: Date): Failure {
  const answered = v.safeParse(Answered, thrown);
  if (answered.success) return answeredFailure(answered.output, request, date);
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
    { retryable: cause !== 'certificate' && cause !== 'proxy-credentials' },
  );
}

/** The failure of a 2xx answer whose body was incomplete. GitHub may have fulfilled the request. */
export function cutAnswer(request: FailedRequest, status: number): Failure {
  if (request.endedBy === 'caller') return failure(request, { kind: 'stopped', message: '' });
  const message =
    request.endedBy === 'deadline' ? 'the response did not end in time' : 'the response was cut off';
  return failure(request, { kind: 'unreachable', status, message }, { retryable: true });
}

/** The failure of an answer that does not match GitHub's documentation. */
export function invalid(request: FailedRequest, status: number, message: string): Failure {
  return failure(request, { kind: 'invalid', status, message });
}

/**
 * The failure of a 2xx answer with text instead of JSON. A read is retried, because a proxy or a restart can cause this
 * once.
 */
export function notJson(request: FailedRequest, status: number): Failure {
  return failure(
    request,
    { kind: 'invalid', status, message: 'the answer is not JSON' },
    { retryable: true },
  );
}

function answeredFailure(
  { status, response }: v.InferOutput<typeof Answered>,
  request: FailedRequest,
  date: Date,
): Failure {
  const message = messageOf(response.data);
  const definite = { status, message, ambiguous: false };
  const retryAfterSeconds = waitNamedBy(response.headers, date);
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

function failure(
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
function waitNamedBy(headers: Readonly<Record<string, unknown>>, date: Date): number | undefined {
  const named = headers['retry-after'];
  const after = parseRetryAfter(named === undefined ? null : String(named), date);
  if (after !== undefined || headers['x-ratelimit-remaining'] !== '0') return after;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) - date.getTime() / 1000;
  return Number.isFinite(reset) && reset > 0 ? reset : undefined;
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
