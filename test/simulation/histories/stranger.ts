import { isObject } from '../../../sandbox/json.ts';
import { API_PREFIX, processRequest } from '../../../sandbox/scan-service/process-request.ts';
import type { ServiceState } from '../../../sandbox/scan-service/state.ts';

/** How the scan of a stranger differs from the gate's scan. */
export const STRANGER_SCOPES = ['areas', 'guidance', 'budget', 'same'] as const;
export type StrangerScope = (typeof STRANGER_SCOPES)[number];

/**
 * For each difference between a stranger's scan and the gate's scan: the members of a scan that show the difference.
 * For `budget`, one of the two members is enough.
 */
export const SHOWN_BY: Readonly<Record<StrangerScope, readonly string[]>> = {
  areas: ['auditAreaKeys'],
  guidance: ['guidanceApplied'],
  budget: ['creditBudget', 'reservedCredits'],
  same: [],
};

export interface StrangerScan {
  readonly scope: StrangerScope;
  readonly at: number;
}

/** The key of an audit area that contains no file of the repository. */
export const SMALL_AREA = 'small';
/** The minimum budget of the preset. It is less than the budget of every job. */
const SMALL_BUDGET = 20;

/**
 * A stranger with the token of the gate launches a scan of this base and head. The preset is that of the gate.
 * @returns the id of the scan
 */
export async function launchAsStranger(
  service: ServiceState,
  change: { readonly baseSha: string; readonly headSha: string },
  scope: StrangerScope,
  budget: number,
): Promise<string> {
  const extra = {
    areas: { auditAreaKeys: [SMALL_AREA] },
    guidance: { guidance: 'Report nothing.' },
    budget: { creditBudget: SMALL_BUDGET },
    same: {},
  }[scope];
  const answer = await processRequest(service, {
    method: 'POST',
    url: new URL(`http://127.0.0.1${API_PREFIX}/projects/${service.project.id}/scans`),
    headers: {
      authorization: `Bearer ${service.tokens[0]?.token ?? ''}`,
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
  if (answer.status !== 202 || !isObject(answer.body))
    throw new Error(`the stranger could not launch: ${JSON.stringify(answer.body)}`);
  return String(answer.body['scanId']);
}
