import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment, EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { Grant, Permissions } from '../../sandbox/github/access.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { MERGE_BASE, openRepository, VULNERABLE } from '../scenarios/repository.ts';
import { openEnvironment } from '../support/driver/environment.ts';
import type { SharedRepository } from '../support/shared-repository.ts';

const GRANTS: readonly Grant[] = ['write', 'read', 'none'];
const ORIGINS = ['the repository itself', 'a fork', 'Dependabot'] as const;
type Origin = (typeof ORIGINS)[number];

let repository: SharedRepository;
let folder: string;
beforeAll(async () => {
  repository = await openRepository();
  folder = await mkdtemp(path.join(tmpdir(), 'scangate-profiles-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** The event of a pull request of this origin. */
function eventOf(origin: Origin, environment: Environment): EnvironmentRunOptions {
  const payload = environment.pullRequestPayload({
    ...(origin === 'a fork' ? { headRepository: 'someone/octo-repo' } : {}),
    ...(origin === 'Dependabot' ? { author: 'dependabot[bot]' } : {}),
  });
  return {
    event: { name: 'pull_request', payload },
    ...(origin === 'Dependabot' ? { actor: 'dependabot[bot]' } : {}),
  };
}

/** Runs the action with these permissions, in an environment of its own. */
async function runScenario(
  permissions: Permissions,
  origin: Origin,
  inputs: Readonly<Record<string, string>>,
  look: (run: ActionRun, environment: Environment) => void,
): Promise<void> {
  const environment = await openEnvironment({
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    github: { permissions },
  });
  try {
    look(await environment.run({ ...eventOf(origin, environment), inputs, workspace: folder }), environment);
  } finally {
    await environment.close();
  }
}

/** The warnings of a run, except those on lines of code. */
const warnings = ({ annotations }: ActionRun) =>
  annotations.flatMap(({ level, file, message }) =>
    level === 'warning' && file === undefined ? [message] : [],
  );
const naming = (run: ActionRun, permission: string) =>
  warnings(run).filter((text) => text.includes(permission));
const times = (is: boolean) => (is ? 1 : 0);

/**
 * Checks that the verdict does not depend on the permissions. Each missing permission is mentioned once. What the run
 * could not write to GitHub is in the log and in the job summary.
 */
function expectBlocked(run: ActionRun, { github, service }: Environment, permissions: Permissions): void {
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({
    outcome: 'blocked',
    reason: '',
    'base-commit': repository.id(MERGE_BASE),
    'findings-total': String(VULNERABLE.total),
    'findings-reported': '3',
    'findings-blocking': '2',
  });
  expect(service.scans()).toHaveLength(1);
  const [checks, comments] = [permissions.checks === 'write', permissions['pull-requests'] === 'write'];
  expect(github.checkRuns.map(({ conclusion }) => conclusion)).toEqual(checks ? ['failure'] : []);
  expect(run.annotations.filter(({ file }) => file !== undefined)).toHaveLength(checks ? 0 : 3);
  expect(github.comments).toHaveLength(times(comments));
  expect(naming(run, '`checks: write`')).toHaveLength(times(!checks));
  expect(naming(run, '`pull-requests: write`')).toHaveLength(times(!comments));
  expect(naming(run, '`pull-requests: read`')).toEqual([]);
  expect(warnings(run)).toHaveLength(times(!checks) + times(!comments));
  for (const place of [run.summary, run.log])
    for (const file of ['src/pack.js', 'src/agent.js']) expect(place).toContain(file);
}

/**
 * Checks a run that may not read the pull request. Such a run launches no scan, because it cannot check at its end that
 * the pull request still has this head.
 */
function expectUnreadable(run: ActionRun, { service }: Environment): void {
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({
    outcome: 'not-scanned',
    reason: 'configuration',
    'findings-total': '',
  });
  expect(service.scans()).toEqual([]);
  expect(run.log).toContain('Add `pull-requests: read`');
}

/**
 * Checks a run without `contents: read`. It cannot compare the given base with the head, so it launches no scan. If the
 * base contained the head, a scan would find nothing.
 */
function expectBaseUnproven(run: ActionRun, { service }: Environment): void {
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({
    outcome: 'not-scanned',
    reason: 'configuration',
    'base-commit': '',
    'findings-total': '',
  });
  expect(service.scans()).toEqual([]);
  expect(run.log).toContain('Could not compare the base that the workflow sets with the head');
  expect(run.log).toContain('`contents: read`');
}

function expectNotScanned(
  run: ActionRun,
  { github, service }: Environment,
  origin: Origin,
  checks: Grant,
): void {
  const reason = origin === 'the repository itself' ? 'configuration' : 'missing-token';
  expect(run.exitCode).toBe(1);
  expect(run.outputs).toMatchObject({ outcome: 'not-scanned', reason, 'findings-total': '' });
  expect(service.requests).toEqual([]);
  expect(github.checkRuns.map(({ conclusion }) => conclusion)).toEqual(checks === 'write' ? ['failure'] : []);
  expect(github.comments).toEqual([]);
  expect(naming(run, '`checks: write`')).toHaveLength(times(checks !== 'write'));
  expect(naming(run, '`pull-requests: write`').length).toBeLessThanOrEqual(1);
  const cause = reason === 'configuration' ? '`api-token` is empty' : 'so `api-token` is empty';
  expect(run.log).toContain(cause);
}

describe.each(ORIGINS)('a pull request from %s', (origin) => {
  describe.each(GRANTS)('checks: %s', (checks) => {
    test.each(GRANTS)(
      `a run for a pull request from ${origin} writes its result wherever the permissions allow it (checks: ${checks}, pull-requests: %s)`,
      async (pullRequests) => {
        const permissions: Permissions = { contents: 'read', checks, 'pull-requests': pullRequests };
        const isReadable = pullRequests !== 'none';
        await runScenario(permissions, origin, {}, (run, environment) =>
          isReadable ? expectBlocked(run, environment, permissions) : expectUnreadable(run, environment),
        );
        await runScenario(permissions, origin, { 'api-token': '' }, (run, environment) =>
          isReadable
            ? expectNotScanned(run, environment, origin, checks)
            : expectUnreadable(run, environment),
        );
      },
    );
  });
});

describe.each(GRANTS)('contents: %s', (contents) => {
  test.each(
    GRANTS.flatMap((checks) =>
      GRANTS.map((pullRequests) => {
        if (pullRequests === 'none') return { checks, pullRequests, end: 'cannot read the pull request' };
        const end = contents === 'none' ? 'cannot check the base' : 'reports `blocked`';
        return { checks, pullRequests, end };
      }),
    ),
  )(
    `a run with a given base $end (contents: ${contents}, checks: $checks, pull-requests: $pullRequests)`,
    async ({ checks, pullRequests }) => {
      const permissions: Permissions = { contents, checks, 'pull-requests': pullRequests };
      const inputs = { 'base-commit': repository.id(MERGE_BASE) };
      await runScenario(permissions, 'the repository itself', inputs, (run, environment) => {
        if (pullRequests === 'none') return expectUnreadable(run, environment);
        return contents === 'none'
          ? expectBaseUnproven(run, environment)
          : expectBlocked(run, environment, permissions);
      });
    },
  );
});
