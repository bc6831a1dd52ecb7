import { timingSafeEqual } from 'node:crypto';
import type { Scope, TokenRecord } from './records.ts';
import { badRequest, forbidden, Refusal, rateLimited, unauthorized } from './refusal.ts';
import type { ServiceState } from './state.ts';

const TOKEN_NAMES = /^(?:token|access_token|api_token|apitoken|api_key|authorization)$/;

/** Refuses a token in the query string, even a valid one, because logs would show it. */
export function refuseTokenInQuery(query: URLSearchParams): Refusal | undefined {
  const holdsToken = [...query].some(
    ([name, value]) => TOKEN_NAMES.test(name.toLowerCase()) || value.includes('svc_proj_'),
  );
  return holdsToken
    ? badRequest('Send the token in the Authorization header, not in the query string.')
    : undefined;
}

/** Finds the token of an Authorization header. All invalid tokens get the same answer. */
export function authenticate(state: ServiceState, header: string | undefined): TokenRecord | Refusal {
  const [, sent, keyId] = /^Bearer (svc_proj_([^_\s]+)_\S+)$/.exec(header ?? '') ?? [];
  const token = state.tokens.find((one) => one.keyId === keyId);
  if (sent === undefined || token === undefined || !isSame(sent, token.token)) return unauthorized();
  const isExpired = token.expiresAt !== null && token.expiresAt <= state.now();
  return token.revoked || isExpired ? unauthorized() : token;
}

/** Compares two secrets in constant time. */
export function isSame(sent: string, kept: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(kept)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Counts a request of the token. Refuses the request if the token has none left in the current window of time. */
export function countRequest(state: ServiceState, token: TokenRecord): Refusal | undefined {
  const now = state.now().getTime();
  const { window, requestCeiling } = token;
  const windowMs = requestCeiling.windowSeconds * 1000;
  if (now - window.startedAt >= windowMs) Object.assign(window, { startedAt: now, requests: 0 });
  window.requests += 1;
  if (window.requests <= requestCeiling.requests) return undefined;
  return rateLimited('Too many requests for this token.', window.startedAt + windowMs - now);
}

/**
 * Checks the project, then the scope. Every project except the token's own gets the same answer, whether it exists or
 * not.
 */
export function checkProjectAndScope(
  state: ServiceState,
  token: TokenRecord,
  projectId: string | undefined,
  scope: Scope | undefined,
): Refusal | undefined {
  const { id, slug } = state.project;
  if (projectId !== undefined && projectId !== id) {
    return new Refusal(404, 'not_found', `Not found. This token belongs to the project ${slug} (${id}).`);
  }
  return scope === undefined || token.scopes.includes(scope) ? undefined : forbidden(scope);
}
