import { expect, test } from 'vitest';
import type { Head } from './repository.ts';
import { pushed, runAgain } from './reuse.ts';
import { prepare, runPrepared, type Scenario, type ScenarioResult } from './scenario.ts';

const SINCE = '**Since the last push**';

/** Pushes another head, and runs the action on it. */
function push(scenario: Scenario, from: Head, to: Head, runId: number, inputs = {}): Promise<ScenarioResult> {
  const { repository } = scenario;
  return runAgain(scenario, { ...pushed(scenario, repository.id(from), repository.id(to)), runId }, inputs);
}

/** What the comment says about changes since the last push, without the labels of the findings. */
function said({ environment }: Scenario): string | undefined {
  const lines = environment.github.comments[0]?.body.split('\n') ?? [];
  return lines.find((line) => line.startsWith(SINCE))?.replace(/<code>ZK-[0-9a-f]+<\/code>/g, 'ZK');
}

test('after each of two pushes, the comment shows which findings are new, still open, and no longer reported', async () => {
  const scenario = await prepare({ head: 'medium' });
  const short = (head: Head) => scenario.repository.id(head).slice(0, 7);
  await runPrepared(scenario);
  expect(scenario.environment.github.comments).toHaveLength(1);
  expect(said(scenario)).toBeUndefined();

  await push(scenario, 'medium', 'vulnerable', 9_000_000_002);
  expect(said(scenario)).toBe(
    `${SINCE} (compared with <code>${short('medium')}</code>): **2 new** · 1 still open`,
  );
  expect(
    scenario.environment.github.comments[0]?.body.match(/ · \*\*new\*\* · \*\*blocks\*\*/g),
  ).toHaveLength(2);

  await push(scenario, 'vulnerable', 'clean', 9_000_000_003);
  expect(said(scenario)).toBe(
    `${SINCE} (compared with <code>${short('vulnerable')}</code>): 3 no longer reported (Critical ZK, High ZK, Medium ZK)`,
  );
  expect(scenario.environment.github.comments).toHaveLength(1);
});

test('a second run for the same head does not change the comment', async () => {
  const scenario = await prepare({ head: 'medium' });
  await runPrepared(scenario);
  await push(scenario, 'medium', 'vulnerable', 9_000_000_002);
  const before = scenario.environment.github.comments[0];
  const again = await push(scenario, 'medium', 'vulnerable', 9_000_000_003, { 'reuse-scan': 'true' });
  expect(again.run.outputs['outcome'], again.run.log).toBe('blocked');
  expect(said(scenario)).toContain('2 new');
  // The second run for this head uses the scan of the first run.
  expect(again.run.outputs['scan-reused']).toBe('true');
  expect(scenario.environment.github.comments[0]).toEqual(before);
  await push(scenario, 'medium', 'vulnerable', 9_000_000_004);
  expect(scenario.environment.github.comments[0]).toEqual(before);
});

test('the comment compares a push with the last push that was scanned', async () => {
  const scenario = await prepare({ head: 'medium' });
  await runPrepared(scenario);
  await push(scenario, 'medium', 'clean', 9_000_000_002, { 'credit-budget': '100000' });
  expect(scenario.environment.github.comments[0]?.body).toContain('Not scanned');
  expect(said(scenario)).toBeUndefined();
  await push(scenario, 'clean', 'vulnerable', 9_000_000_003);
  expect(said(scenario)).toContain(
    `<code>${scenario.repository.id('medium').slice(0, 7)}</code>): **2 new** · 1 still open`,
  );
});

test('a run ignores a forged history in the comment', async () => {
  const scenario = await prepare({ head: 'medium' });
  await runPrepared(scenario);
  const [comment] = scenario.environment.github.comments;
  const forged = comment?.body.replace(/(;\d;)[0-9a-f]+:/, `$1${'0'.repeat(40)}:`) ?? '';
  expect(forged).not.toBe(comment?.body);
  const answer = await fetch(
    `${scenario.environment.github.apiUrl}/repos/${scenario.environment.repository}/issues/comments/${comment?.id}`,
    {
      method: 'PATCH',
      headers: { authorization: `Bearer ${scenario.environment.github.token}` },
      body: JSON.stringify({ body: forged }),
    },
  );
  expect(answer.status).toBe(200);
  await push(scenario, 'medium', 'vulnerable', 9_000_000_002);
  expect(scenario.environment.github.comments[0]?.body).toContain('Blocked: 2 findings');
  expect(said(scenario)).toBeUndefined();
});
