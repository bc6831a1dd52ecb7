import { expect } from 'vitest';
import type { HiddenFields } from '../../sandbox/scan-service/options.ts';
import { MERGE_BASE } from './repository.ts';
import type { Scenario } from './scenario.ts';

/** Members of an answer that show the scope and the credits of a scan. A service does not have to send them. */
export const HIDDEN_SCOPE: HiddenFields = {
  scanDetail: ['auditAreaKeys', 'guidanceApplied', 'creditBudget'],
  progress: ['reservedCredits'],
};

/** The tokens of two users. The action uses the first token. */
export const TWO_USERS = { tokens: [{}, {}] } as const;

/** Whether the request was sent by the other user, and not by the action. */
export function isOfStranger({ environment }: Scenario, authorization: string | undefined): boolean {
  return authorization?.endsWith(environment.service.tokens[1]?.token ?? ' ') === true;
}

/** Makes another user of the project launch a scan of the same change. @returns the id of the scan */
export async function launchAsStranger(
  { environment, headSha, repository }: Scenario,
  extra: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { service } = environment;
  const answer = await fetch(`${service.baseUrl}/projects/${service.project.id}/scans`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.tokens[1]?.token ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      repositoryId: service.repositories[0]?.id,
      presetRef: 'diff-review',
      creditBudget: 20,
      baseCommit: repository.id(MERGE_BASE),
      commit: headSha,
      ...extra,
    }),
  });
  expect(answer.status, await answer.clone().text()).toBe(202);
  const [scan] = service.scans();
  if (scan === undefined) throw new Error('the stranger launched nothing');
  return scan.id;
}
