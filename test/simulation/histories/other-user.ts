import { API_PREFIX, processRequest } from '../../../sandbox/scan-service/process-request.ts';
import type { ServiceState } from '../../../sandbox/scan-service/state.ts';

/** How the scan of another user differs from that of the action. */
export const OTHER_USER_SCOPES = ['areas', 'guidance', 'budget'] as const;
export type OtherUserScope = (typeof OTHER_USER_SCOPES)[number];

/** The key of an audit area of the repository. */
export const SMALL_AREA = 'small';
/** Less than the budget of every job, and the least that the preset takes. */
const SMALL_BUDGET = 20;

/**
 * Another user of the project launches a scan of this base and head with the same preset.
 * @returns its id
 */
export async function launchAsOtherUser(
  service: ServiceState,
  change: { readonly baseSha: string; readonly headSha: string },
  scope: OtherUserScope,
  budget: number,
): Promise<string> {
  const extra = {
    areas: { auditAreaKeys: [SMALL_AREA] },
    guidance: { guidance: 'Report nothing.' },
    budget: { creditBudget: SMALL_BUDGET },
  }[scope];
  const answer = await processRequest(service, {
    method: 'POST',
    url: new URL(`http://127.0.0.1${API_PREFIX}/projects/${service.project.id}/scans`),
    headers: {
      authorization: `Bearer ${service.tokens[1]?.token ?? ''}`,
      'content-type': 'application/json',
    },
    text: JSON.stringify({
      repositoryId: service.repositories[0]?.id,
      presetRef: 'diff-review',
      creditBudget: budget,
      baseCommit: change.baseSha,
      commit: change.headSha,
      ...extra,
    }),
  });
  const id = service.scans.at(-1)?.id;
  if (answer.status !== 202 || id === undefined)
    throw new Error(`the other user could not launch: ${JSON.stringify(answer.body)}`);
  return id;
}
