import { expect, test } from 'vitest';
import { expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';

/**
 * Sends a request to GitHub. Any workflow of the repository can send it, because all workflows write as the same app.
 */
async function write(
  { environment }: Scenario,
  method: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { github, repository } = environment;
  const response = await fetch(`${github.apiUrl}/repos/${repository}/${path}`, {
    method,
    headers: { authorization: `Bearer ${github.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

const asCheckRun =
  (fields: Readonly<Record<string, unknown>>) =>
  (scenario: Scenario, mark: string): Promise<void> => {
    const body = { name: 'Another check', head_sha: scenario.headSha, external_id: mark, ...fields };
    return write(scenario, 'POST', 'check-runs', body);
  };

/** Replaces the mark in the gate's comment, and keeps the text of the comment. */
async function inComment(scenario: Scenario, mark: string): Promise<void> {
  const [comment] = scenario.environment.github.comments;
  const body = comment?.body.replace(/(?<=scangate-state )v2:[^; ]+/, mark);
  await write(scenario, 'PATCH', `issues/comments/${comment?.id}`, { body });
}

/** Scans one change twice. The older scan found nothing, and the newer scan blocks. */
async function passedThenBlocked() {
  let older: string | undefined;
  const scenario = await prepare({
    service: {
      intercept: ({ point, path }) => {
        const { searchParams } = new URL(path, 'http://127.0.0.1');
        if (point !== 'findings.list') return undefined;
        older ??= searchParams.get('scanId') ?? undefined;
        const isOlder = searchParams.get('scanId') === older;
        return isOlder ? { status: 200, body: { items: [], page: 1, limit: 100, total: 0 } } : undefined;
      },
    },
  });
  const { checkRuns } = scenario.environment.github;
  const passed = await runPrepared(scenario);
  expect(passed.run.outputs, passed.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  const copied = checkRuns[0]?.externalId ?? '';
  const blocked = await runAgain(scenario, { runAttempt: 2 }, { 'reuse-scan': 'false' });
  expect(blocked.run.outputs, blocked.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  const newest = checkRuns.at(-1)?.externalId ?? '';
  return { scenario, copied, newest, newestScan: blocked.run.outputs['scan-id'] };
}

test.each([
  ['a completed check run', asCheckRun({ status: 'completed', conclusion: 'success' })],
  ['a check run in progress', asCheckRun({ status: 'in_progress' })],
  ['the comment of the gate', inComment],
])('the next run is blocked even if the mark of a passed scan is copied into %s', async (_what, copy) => {
  const { scenario, copied, newestScan } = await passedThenBlocked();
  await copy(scenario, copied);
  const next = await runAgain(scenario, { runAttempt: 3 });
  expect(next.run.outputs, next.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': newestScan,
    'scan-reused': 'true',
  });
  expect(next.run.exitCode).toBe(1);
  expectPaid(scenario, 2);
});

test('a copy of the mark of the newest scan does not change the next result', async () => {
  const { scenario, newest, newestScan } = await passedThenBlocked();
  await asCheckRun({ status: 'completed', conclusion: 'success' })(scenario, newest);
  const next = await runAgain(scenario, { runAttempt: 3 });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'blocked', 'scan-id': newestScan });
  expectPaid(scenario, 2);
});
