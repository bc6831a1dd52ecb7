import type { NotScanned } from '../domain/not-scanned.ts';
import type { TokenInformation } from '../domain/project.ts';
import { missingScope } from '../scan-api/explain-error.ts';

/**
 * Our choice: the run warns if the token expires within this time. A week contains working days on which a user can
 * create a new token.
 */
export const EXPIRY_NOTICE_MS = 7 * 24 * 60 * 60_000;

/** Returns one problem for each scope that the token lacks. */
export function scopeFaults(token: TokenInformation, willPublish: boolean): NotScanned[] {
  const { scopes } = token;
  if (scopes === undefined) return [];
  const needed = ['read', 'scans:launch', ...(willPublish ? ['publish'] : [])];
  return needed.filter((scope) => !scopes.includes(scope)).map((scope) => missingScope(scope));
}

/** Returns a sentence if the token's expiry date is near or in the past. */
export function expiryNotices(token: TokenInformation, now: Date): string[] {
  const expiry = new Date(token.expiresAt ?? Number.NaN);
  const left = expiry.getTime() - now.getTime();
  if (!(left <= EXPIRY_NOTICE_MS)) return [];
  const day = expiry.toISOString().slice(0, 10);
  const when = left <= 0 ? 'expired' : 'expires';
  return [
    `\`api-token\` ${when} on ${day}. Ask a project admin of the service for a new token and update the secret.`,
  ];
}
