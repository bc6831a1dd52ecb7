import * as v from 'valibot';
import { type ProxyFault, proxyFaultOf } from '../http/proxy-fault.ts';
import type { GitHubError, Permission } from './github-error.ts';
import type { Failure } from './retry.ts';

/** Which request failed, and why we ourselves may have ended it. */
export interface FailedRequest {
  readonly operation: string;
  readonly permission: Permission;
  readonly stopped: boolean;
  readonly timedOut: boolean;
}

/** What octokit throws for an answer of 400 or more. Without an answer there is no `response`. */
const Answered = v.object({
  status: v.number(),
  response: v.object({
    headers: v.record(v.string(), v.unknown()),
    data: v.unknown(),
  }),
});

/** GitHub's error body, as far as it says something to people. */
const ErrorBody = v.object({
  message: v.string(),
  errors: v.optional(v.array(v.unknown())),
});

/** The request never left: no name, no route, nobody listening. */
const NOT_SENT = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** What the proxy did, and what mends it. */
const PROXY: Readonly<Record<ProxyFault, string>> = {
  credentials:
    'the proxy asks for a name and a password; HTTPS_PROXY holds them, as in http://name:password@host:port',
  refusal: 'the proxy refuses to connect; check HTTPS_PROXY, NO_PROXY and what the proxy allows',
  'no-connection': 'the proxy makes no connection; check HTTPS_PROXY and NO_PROXY, and that the proxy runs',
};
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS|ERR_SSL/;

/** Sorts whatever octokit threw. `nowSeconds` is the wall clock, for the header that names a reset time. */
export function failureOf(thrown: unknown, request: FailedRequest, nowSeconds: number): Failure {
  const answered = v.safeParse(Answered, thrown);
  if (answered.success) return answeredFailure(answered.output, request, nowSeconds);
  const code = codeOf(thrown);
  if (request.stopped) return failure(request, { kind: 'stopped', message: '' });
  if (request.timedOut) {
    return failure(request, { kind: 'unreachable', message: 'no answer in time' }, { passing: true });
  }
  if (code !== undefined && CERTIFICATE.test(code)) {
    const message = `${code}: the certificate is not trusted; NODE_EXTRA_CA_CERTS can name your own authority`;
    return failure(request, { kind: 'unreachable', message, mayHaveHappened: false });
  }
  const proxyFault = errorChain(thrown)
    .map(proxyFaultOf)
    .find((fault) => fault !== undefined);
  if (proxyFault !== undefined) {
    const message = PROXY[proxyFault];
    const passing = proxyFault !== 'credentials';
    return failure(request, { kind: 'unreachable', message, mayHaveHappened: false }, { passing });
  }
  const sent = code === undefined || !NOT_SENT.has(code);
  return failure(
    request,
    { kind: 'unreachable', message: code ?? 'the connection failed', mayHaveHappened: sent },
    { passing: true },
  );
}

/** A 2xx whose body was cut: what was asked may well be done. */
export function cutAnswer(request: FailedRequest, status: number): Failure {
  if (request.stopped) return failure(request, { kind: 'stopped', message: '' });
  const message = request.timedOut ? 'the answer did not end in time' : 'the answer was cut off';
  return failure(request, { kind: 'unreachable', status, message }, { passing: true });
}

/** An answer that does not have the documented shape. */
export function nonsense(request: FailedRequest, status: number, message: string): Failure {
  return failure(request, { kind: 'nonsense', status, message });
}

/** A 2xx with text in the place of JSON. A read is asked again: a proxy or a restart can answer so once. */
export function notJson(request: FailedRequest, status: number): Failure {
  return failure(request, { kind: 'nonsense', status, message: 'the answer is not JSON' }, { passing: true });
}

function answeredFailure(
  { status, response }: v.InferOutput<typeof Answered>,
  request: FailedRequest,
  nowSeconds: number,
): Failure {
  const message = messageOf(response.data);
  const definite = { status, message, mayHaveHappened: false };
  const retryAfterSeconds = waitNamedBy(response.headers, nowSeconds);
  if (status === 429 || (status === 403 && isRateLimit(response.headers, message))) {
    return failure(request, { ...definite, kind: 'rate-limited' }, { passing: true, retryAfterSeconds });
  }
  if (status === 401) return failure(request, { ...definite, kind: 'unauthorized' });
  if (status === 403) return failure(request, { ...definite, kind: 'forbidden' });
  if (status === 404) return failure(request, { ...definite, kind: 'not-found' });
  if (status === 408 || status >= 500) {
    return failure(
      request,
      { kind: 'unreachable', status, message: message || `status ${status}` },
      { passing: true, retryAfterSeconds },
    );
  }
  return failure(request, { ...definite, kind: 'refused' });
}

function failure(
  { operation, permission }: FailedRequest,
  error: Pick<GitHubError, 'kind' | 'message'> & Partial<GitHubError>,
  again: Partial<Failure> = {},
): Failure {
  const { status, mayHaveHappened = true } = error;
  return {
    error: { ...error, operation, permission, status, mayHaveHappened },
    passing: again.passing ?? false,
    retryAfterSeconds: again.retryAfterSeconds,
  };
}

function isRateLimit(headers: Readonly<Record<string, unknown>>, message: string): boolean {
  return (
    headers['retry-after'] !== undefined ||
    headers['x-ratelimit-remaining'] === '0' ||
    /rate limit|abuse detection/i.test(message)
  );
}

/** `retry-after` in seconds, else the time until the primary limit is reset. */
function waitNamedBy(headers: Readonly<Record<string, unknown>>, nowSeconds: number): number | undefined {
  const after = Number(headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after) && after > 0) return after;
  if (headers['x-ratelimit-remaining'] !== '0') return undefined;
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) - nowSeconds;
  return Number.isFinite(reset) && reset > 0 ? reset : undefined;
}

/** GitHub's own words; an HTML error page says nothing. */
function messageOf(data: unknown): string {
  const body = v.safeParse(ErrorBody, data);
  if (!body.success) return '';
  const { message, errors = [] } = body.output;
  return [
    message,
    ...errors.map((error) => (typeof error === 'string' ? error : JSON.stringify(error))),
  ].join('; ');
}

function codeOf(thrown: unknown): string | undefined {
  for (const error of errorChain(thrown)) {
    if ('code' in error && typeof error.code === 'string') return error.code;
  }
  return undefined;
}

/** fetch hides the cause one or two levels down. */
function errorChain(thrown: unknown): readonly Error[] {
  const chain: Error[] = [];
  let error: unknown = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
    chain.push(error);
    error = error.cause;
  }
  return chain;
}
