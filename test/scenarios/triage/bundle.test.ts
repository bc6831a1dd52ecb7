import { expect, test } from 'vitest';
import { expectMasked, expectNothingLeaked } from '../../support/driver/secrecy.ts';
import { prepare, type Scenario } from '../scenario.ts';
import {
  asBlocked,
  blockedPullRequest,
  comment,
  minutesLater,
  seen,
  sweep,
  triage,
} from './blocked-pull-request.ts';

/**
 * Creates a pull request and the run of the gate, but no result of the gate. A triage action that ends before its first
 * request needs no result.
 */
async function pullRequestWithRun(): Promise<Scenario> {
  const scenario = await prepare({ driver: 'bundle' });
  asBlocked(scenario);
  return scenario;
}

test('the bundled triage action re-runs the job after a comment, and the next sweep re-runs nothing', async () => {
  const scenario = await blockedPullRequest({ driver: 'bundle' });
  const { service } = scenario.environment;
  triage(scenario);
  const ledger = service.ledger();

  const asked = await comment(scenario);
  expect(asked, asked.log).toMatchObject({ exitCode: 0, signal: null, outputs: { rerun: '1' } });
  expect(asked.stderr).toBe('');
  expect(asked.summary).toContain('Triage: 1 job re-run');
  expect(seen(scenario)).toEqual({ attempt: 2, reactions: ['+1'], replies: [] });

  const swept = await sweep(scenario);
  expect(swept, swept.log).toMatchObject({ exitCode: 0, outputs: { rerun: '0' } });
  expect(swept.log).toContain('A run for this commit is under way.');
  expect(service.ledger()).toEqual(ledger);
});

/** The scopes of the gate's token and of the triage token. Each token has only the scopes that it needs. */
const TOKENS = [{ scopes: ['read', 'scans:launch'] }, { scopes: ['read', 'findings:write'] }] as const;

test('the bundled triage action closes findings after a comment, and never prints its token', async () => {
  const scenario = await blockedPullRequest({ driver: 'bundle', service: { tokens: TOKENS } });
  const { service, github } = scenario.environment;
  const triageToken = service.tokens[1]?.token ?? '';
  const labels = service.scans()[0]?.findingIds.map((id) => `ZK-${id.slice(-8)}`) ?? [];
  const ledger = service.ledger();
  const asked = await comment(scenario, {
    body: `/scangate false-positive ${labels.join(' ')}`,
    createdAt: minutesLater(scenario, 5),
    inputs: { 'triage-token': triageToken },
  });
  expect(asked, asked.log).toMatchObject({ exitCode: 0, signal: null, stderr: '', outputs: { rerun: '1' } });
  expect(seen(scenario)).toMatchObject({ attempt: 2, reactions: ['+1'] });
  expect(asked.summary).toContain('## Triage');
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(labels.length);
  expect(service.ledger()).toEqual(ledger);
  expectMasked(scenario.environment, asked, [triageToken, service.token, github.token]);
  expectNothingLeaked(scenario.environment, asked, { secrets: [triageToken], folders: [] });
  expect(JSON.stringify(github.comments)).not.toContain(triageToken);
});

test('the bundled triage action reports all input errors before it sends a request', async () => {
  const scenario = await pullRequestWithRun();
  const { github, service } = scenario.environment;
  const before = [github.requests.length, service.requests.length];
  const ended = await sweep(scenario, { 'base-url': 'ftp://scan.example', 'api-token': '' });
  expect(ended).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
  expect(ended.log).toMatch(/`base-url` is not valid[\s\S]*`api-token` is empty/);
  expect([github.requests.length, service.requests.length]).toEqual(before);
});

test('the bundled triage action writes its output even if it cannot read the event', async () => {
  const scenario = await pullRequestWithRun();
  const ended = await sweep(scenario, {}, { GITHUB_EVENT_PATH: '/nowhere/event.json' });
  expect(ended, ended.log).toMatchObject({ exitCode: 1, outputs: { rerun: '0' } });
  expect(ended.log).toContain('Nothing was re-run. ');
});
