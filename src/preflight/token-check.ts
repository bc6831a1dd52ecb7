import type { TokenInformation } from '../domain/project.ts';
import { err, type NotScanned, type Result } from '../domain/result.ts';
import { disclosureOf, type ScanTarget } from '../domain/target.ts';
import type { PublishInputs } from '../runner/inputs.ts';
import type { ScanApi } from '../scan-api/client.ts';
import { explainApiError, missingScope } from '../scan-api/explain-error.ts';
import { LAUNCH_NAMES, type LaunchParameters } from '../scan-api/wire-writes.ts';

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

/**
 * Reads the guidance that the service stores for the repository; null if there is none. The guidance that a run sends
 * replaces the stored guidance. So if the stored guidance cannot be read, the run must not send guidance.
 */
export async function readStoredGuidance(
  api: ScanApi,
  projectId: string,
  repositoryId: string,
  signal: AbortSignal,
): Promise<Result<string | null, NotScanned>> {
  const read = await api.guidance(projectId, repositoryId, { signal });
  if (read.ok) return read;
  const failure = explainApiError(read.error);
  const cause = `${failure.cause} Scangate composes \`guidance-file\` with that text, so nothing was launched.`;
  return err(failure.bySignal === true ? failure : { ...failure, cause });
}

/**
 * Returns an error if both `guidance-file` and `launch-parameters` contain guidance. `launch-parameters` would silently
 * replace the guidance of the file. Pure.
 */
export function refuseTwoGuidances(
  guidanceFile: string | undefined,
  { given }: LaunchParameters,
): NotScanned | undefined {
  return guidanceFile !== undefined && Object.hasOwn(given, LAUNCH_NAMES.guidance)
    ? TWO_GUIDANCES
    : undefined;
}

const TWO_GUIDANCES: NotScanned = {
  reason: 'configuration',
  cause: '`guidance-file` is set, and `launch-parameters` has `guidance` too.',
  nextStep: 'Keep one of them in the workflow and push.',
};

/**
 * Returns an input error if a published page has no password, and the report may show only labels. The page would show
 * everyone what is not fixed yet. Otherwise returns undefined.
 */
export function publishFault({ when, gated }: PublishInputs, target: ScanTarget): string | undefined {
  if (when === 'never' || gated || disclosureOf(target) !== 'labels') return undefined;
  return `On \`${target.event}\`, \`publish\` needs \`publish-password: true\`. This repository may be public, and the page would show everyone what is not fixed yet. Set \`publish-password\` to \`true\`, or \`publish\` to \`never\`.`;
}
