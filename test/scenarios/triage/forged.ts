import { expect } from 'vitest';
import { REPOSITORY_ID } from '../../../sandbox/runner/job.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import { encodeMark, readMark, type ScanMark } from '../../../src/scan/scan-mark.ts';
import type { Scenario } from '../scenario.ts';

/** Creates a check run by the app of the gate. Any workflow of the repository can do this. */
export async function addCheckRun(
  scenario: Scenario,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { headSha } = scenario;
  const body = { name: 'Security scan', head_sha: headSha, conclusion: 'failure', ...fields };
  expect(await write(scenario, 'POST', 'check-runs', body)).toBe(201);
}

/** The mark in the check run of the gate, with these changes, sealed with `token`. Default: the token of the gate. */
function sealed(
  { environment }: Scenario,
  change: Partial<ScanMark>,
  token = environment.service.token,
): string {
  const externalId = environment.github.checkRuns[0]?.externalId ?? '';
  const mark = readMark(externalId, createSeal(environment.service.token, REPOSITORY_ID));
  if (mark === undefined) throw new Error('the gate has left no mark');
  return encodeMark({ ...mark, ...change }, createSeal(token, REPOSITORY_ID));
}

/** The mark of the gate with these changes, as a user without the API token can write it. */
export function forged(scenario: Scenario, change: Partial<ScanMark>): string {
  return sealed(scenario, change, 'a guessed token');
}

/** Adds a check run that has the mark of the gate with these changes. Everyone who has the API token can do this. */
export function addMark(scenario: Scenario, change: Partial<ScanMark>): Promise<void> {
  return addCheckRun(scenario, { external_id: sealed(scenario, change) });
}

/** Removes all marks, and adds the mark of the gate with these changes. */
export function marked(change: Partial<ScanMark>) {
  return async (scenario: Scenario): Promise<void> => {
    const externalId = sealed(scenario, change);
    for (const { id } of [...scenario.environment.github.checkRuns]) {
      expect(await write(scenario, 'PATCH', `check-runs/${id}`, { external_id: 'none' })).toBe(200);
    }
    await addCheckRun(scenario, { external_id: externalId });
  };
}

async function write(
  { environment }: Scenario,
  method: string,
  path: string,
  body: unknown,
): Promise<number> {
  const { github, repository } = environment;
  github.permissions.checks = 'write';
  const response = await fetch(`${github.apiUrl}/repos/${repository}/${path}`, {
    method,
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  github.permissions.checks = 'read';
  return response.status;
}
