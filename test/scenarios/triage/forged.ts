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

/** The mark in the check run of the gate. */
export function markOf({ environment }: Scenario): ScanMark {
  const mark = readMark(
    environment.github.checkRuns[0]?.externalId ?? '',
    createSeal(environment.service.token, REPOSITORY_ID),
  );
  if (mark === undefined) throw new Error('the gate has left no mark');
  return mark;
}

/** Removes the mark from all check runs, and creates a check run with this `external_id`. */
async function replaceMark(scenario: Scenario, externalId: string): Promise<void> {
  for (const { id } of [...scenario.environment.github.checkRuns]) {
    expect(await write(scenario, 'PATCH', `check-runs/${id}`, { external_id: 'none' })).toBe(200);
  }
  await addCheckRun(scenario, { external_id: externalId });
}

/** Changes members of the gate's mark. Everyone who has the API token can write such a valid mark. */
export function marked(change: Partial<ScanMark>) {
  return (scenario: Scenario) =>
    replaceMark(
      scenario,
      encodeMark(
        { ...markOf(scenario), ...change },
        createSeal(scenario.environment.service.token, REPOSITORY_ID),
      ),
    );
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
