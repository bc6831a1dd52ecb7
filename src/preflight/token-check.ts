import type { NotScanned } from '../domain/not-scanned.ts';
import type { TokenInformation } from '../domain/project.ts';
import { missingScope } from '../scan-api/explain-error.ts';
import { foreignLine } from '../text/foreign-text.ts';

/** Ours: time enough to make a new token in working hours. */
const EXPIRY_NOTICE_MS = 7 * 24 * 60 * 60_000;

/** The token belongs to another project than the input names; undefined where it does not, or cannot be seen. */
export function otherProject(token: TokenInformation, projectId: string): NotScanned | undefined {
  if (token.projectId === undefined || token.projectId === projectId) return undefined;
  return {
    reason: 'configuration',
    cause: `The token belongs to the project ${foreignLine(token.projectId)}, the input \`project-id\` names ${foreignLine(projectId)}.`,
    nextStep:
      "Correct `project-id` or leave it empty, or set the secret behind `api-token` to a token of that project (a project admin creates one in the project's integration settings).",
  };
}

/** One fault for each scope that the token visibly lacks. */
export function scopeFaults(token: TokenInformation, willPublish: boolean): NotScanned[] {
  const { scopes } = token;
  if (scopes === undefined) return [];
  const needed: readonly (readonly [scope: string, what: string])[] = [
    ['read', 'repositories, presets, scans and findings cannot be read'],
    ['scans:launch', 'no scan can be launched'],
    ...(willPublish ? [['publish', 'the input `publish` asks for a public page'] as const] : []),
  ];
  return needed
    .filter(([scope]) => !scopes.includes(scope))
    .map(([scope, what]) => missingScope(scope, what));
}

/** A sentence where the token expires soon, or says that it has expired. */
export function expiryNotices(token: TokenInformation, now: Date): string[] {
  const expiry = new Date(token.expiresAt ?? Number.NaN);
  const left = expiry.getTime() - now.getTime();
  if (!(left <= EXPIRY_NOTICE_MS)) return [];
  const day = expiry.toISOString().slice(0, 10);
  const when = left <= 0 ? `says that it expired on ${day}` : `expires on ${day}`;
  return [
    `The token behind \`api-token\` ${when}: a project admin creates a new one in the project's integration settings.`,
  ];
}
