import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GitFixture } from '../../src/sandbox/git-fixture.ts';
import type { Grant, Permissions } from '../../src/sandbox/github/access.ts';
import { type Stage, setStage } from '../../src/sandbox/stage.ts';
import { createRepository, FLAWED, MERGE_BASE } from '../scenarios/repository.ts';
import { type InProcess, runInProcess, type Told } from './run-in-process.ts';

const GRANTS: readonly Grant[] = ['write', 'read', 'none'];
const ORIGINS = ['the repository itself', 'a fork', 'Dependabot'] as const;
type Origin = (typeof ORIGINS)[number];

let repository: GitFixture;
let folder: string;
beforeAll(async () => {
  repository = await createRepository();
  folder = await mkdtemp(path.join(tmpdir(), 'scangate-profiles-'));
});
afterAll(async () => {
  await repository.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The pull request of that origin, as GitHub tells of it. */
function eventOf(origin: Origin, stage: Stage): Pick<InProcess, 'event' | 'actor'> {
  const payload = stage.pullRequestPayload({
    ...(origin === 'a fork' ? { headRepository: 'someone/octo-repo' } : {}),
    ...(origin === 'Dependabot' ? { author: 'dependabot[bot]' } : {}),
  });
  return {
    event: { name: 'pull_request', payload },
    ...(origin === 'Dependabot' ? { actor: 'dependabot[bot]' } : {}),
  };
}

/** One profile, told by a run of its own on a stage of its own. */
async function tell(
  permissions: Permissions,
  origin: Origin,
  inputs: Readonly<Record<string, string>>,
  look: (told: Told, stage: Stage) => void,
): Promise<void> {
  const stage = await setStage({
    directory: repository.dir,
    headSha: repository.id('flawed'),
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    github: { permissions },
  });
  try {
    look(await runInProcess(stage, { ...eventOf(origin, stage), inputs, workspace: folder }), stage);
  } finally {
    await stage.close();
  }
}

const naming = (told: Told, permission: string) => told.warnings.filter((text) => text.includes(permission));
const times = (is: boolean) => (is ? 1 : 0);

/** The verdict is the same, whatever can be written; what cannot be is said once, and shown in the next best place. */
function expectBlocked(told: Told, { github, service }: Stage, permissions: Permissions): void {
  expect(told.exitCode).toBe(1);
  expect(told.outputs).toMatchObject({
    outcome: 'blocked',
    reason: '',
    'base-commit': repository.id(MERGE_BASE),
    'findings-total': String(FLAWED.total),
    'findings-reported': '3',
    'findings-blocking': '2',
  });
  expect(service.scans()).toHaveLength(1);
  const [checks, comments] = [permissions.checks === 'write', permissions['pull-requests'] === 'write'];
  expect(github.checkRuns.map(({ conclusion }) => conclusion)).toEqual(checks ? ['failure'] : []);
  expect(told.annotations).toHaveLength(checks ? 0 : 3);
  expect(github.comments).toHaveLength(times(comments));
  expect(naming(told, '`checks: write`')).toHaveLength(times(!checks));
  expect(naming(told, '`pull-requests: write`')).toHaveLength(times(!comments));
  expect(told.warnings).toHaveLength(times(!checks) + times(!comments));
  for (const place of [told.summary, told.log.join('\n')])
    for (const file of ['src/pack.js', 'src/agent.js']) expect(place).toContain(file);
}

function expectNotScanned(told: Told, { github, service }: Stage, origin: Origin, checks: Grant): void {
  const reason = origin === 'the repository itself' ? 'configuration' : 'missing-token';
  expect(told.exitCode).toBe(1);
  expect(told.outputs).toMatchObject({ outcome: 'not-scanned', reason, 'findings-total': '' });
  expect(service.requests).toEqual([]);
  expect(github.checkRuns.map(({ conclusion }) => conclusion)).toEqual(checks === 'write' ? ['failure'] : []);
  expect(github.comments).toEqual([]);
  expect(naming(told, '`checks: write`')).toHaveLength(times(checks !== 'write'));
  expect(naming(told, '`pull-requests: write`').length).toBeLessThanOrEqual(1);
  const cause = reason === 'configuration' ? '`api-token` is empty' : 'GitHub gives no secrets';
  expect(told.log.join('\n')).toContain(cause);
}

describe.each(ORIGINS)('a pull request from %s', (origin) => {
  describe.each(GRANTS)('checks: %s', (checks) => {
    test.each(GRANTS)('pull-requests: %s', async (pullRequests) => {
      const permissions: Permissions = { contents: 'read', checks, 'pull-requests': pullRequests };
      await tell(permissions, origin, {}, (told, stage) => expectBlocked(told, stage, permissions));
      await tell(permissions, origin, { 'api-token': '' }, (told, stage) =>
        expectNotScanned(told, stage, origin, checks),
      );
    });
  });
});

describe.each(GRANTS)('contents: %s', (contents) => {
  test.each(GRANTS.flatMap((checks) => GRANTS.map((pullRequests) => ({ checks, pullRequests }))))(
    'with checks: $checks, pull-requests: $pullRequests, and the base given',
    async ({ checks, pullRequests }) => {
      const permissions: Permissions = { contents, checks, 'pull-requests': pullRequests };
      const inputs = { 'base-commit': repository.id(MERGE_BASE) };
      await tell(permissions, 'the repository itself', inputs, (told, stage) =>
        expectBlocked(told, stage, permissions),
      );
    },
  );
});
