import { expect, test } from 'vitest';
import { blockedPullRequest, comment, seen, sweep, triage } from './blocked-pull-request.ts';

test('the bundle answers a comment, and then sweeps', async () => {
  const scenario = await blockedPullRequest({ driver: 'bundle' });
  const { service } = scenario.environment;
  triage(scenario);
  const ledger = service.ledger();

  const asked = await comment(scenario);
  expect(asked, asked.log).toMatchObject({ exitCode: 0, signal: null, outputs: { rerun: '1' } });
  expect(asked.stderr).toBe('');
  expect(asked.summary).toContain('Recheck: 1 job re-run');
  expect(seen(scenario)).toEqual({ attempt: 2, reactions: ['+1'], replies: [] });

  const swept = await sweep(scenario);
  expect(swept, swept.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
  expect(swept.log).toContain('A run for this commit is under way.');
  expect(service.ledger()).toEqual(ledger);
});

test('the bundle fails with all that is wrong, before it asks anything', async () => {
  const scenario = await blockedPullRequest({ driver: 'bundle' });
  const { github, service } = scenario.environment;
  const before = [github.requests.length, service.requests.length];
  const ended = await sweep(scenario, { 'base-url': 'ftp://scan.example', 'api-token': '' });
  expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
  expect(ended.log).toMatch(/`base-url` is not valid[\s\S]*`api-token` is empty/);
  expect([github.requests.length, service.requests.length]).toEqual(before);
});

test('the bundle writes its output also where it cannot start', async () => {
  const scenario = await blockedPullRequest({ driver: 'bundle' });
  const ended = await sweep(scenario, {}, { GITHUB_EVENT_PATH: '/nowhere/event.json' });
  expect(ended, ended.log).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
  expect(ended.log).toContain('Nothing was re-run. ');
});
