import { beforeAll, expect, test } from 'vitest';
import type { Environment, EnvironmentRunOptions } from '../../sandbox/environment.ts';
import type { Grant, Permissions } from '../../sandbox/github/access.ts';
import type { ActionRun } from '../../sandbox/runner/action-run.ts';
import { MERGE_BASE, openRepository } from '../scenarios/repository.ts';
import { openEnvironment } from '../support/driver/environment.ts';
import type { SharedRepository } from '../support/shared-repository.ts';

const GRANTS: readonly Grant[] = ['write', 'read', 'none'];
const ORIGINS = ['the repository itself', 'a fork', 'Dependabot'] as const;
type Origin = (typeof ORIGINS)[number];

let repository: SharedRepository;
beforeAll(async () => {
  repository = await openRepository();
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

/** Runs the action with these permissions, in an environment of its own. Returns what people see. */
async function resultOf(
  permissions: Permissions,
  origin: Origin,
  inputs: Readonly<Record<string, string>>,
): Promise<string> {
  const environment = await openEnvironment({
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    github: { permissions },
  });
  try {
    return shown(await environment.run({ ...eventOf(origin, environment), inputs }), environment);
  } finally {
    await environment.close();
  }
}

function shown(run: ActionRun, { github, service }: Environment): string {
  const { outcome, reason, 'findings-total': total, 'base-commit': base } = run.outputs;
  const isListed = (text: string) => ['src/pack.js', 'src/agent.js'].every((file) => text.includes(file));
  const placed = run.annotations.filter(({ file }) => file !== undefined);
  const texts = run.annotations.filter(({ file }) => file === undefined);
  const delivered = [
    `check runs ${github.checkRuns.map(({ conclusion }) => conclusion).join() || 'none'}`,
    `comments ${github.comments.length}`,
    `annotations in the log ${placed.length}`,
    ...([run.log, run.summary].every(isListed) ? ['all findings in log and summary'] : []),
  ];
  return [
    `${outcome} ${reason}, exit ${run.exitCode}, findings ${total || 'not counted'}`,
    service.requests.length === 0 ? 'the service is not asked' : `scans ${service.scans().length}`,
    `base ${base === repository.id(MERGE_BASE) ? 'the merge base' : base || 'none'}`,
    delivered.join(', '),
    // The first two sentences, and the permission that is missing.
    ...texts.map(({ level, message }) => {
      const [one, two] = message.split(/(?<=\.) |: /);
      const missing = message.match(/[Aa]dd (`.*?`)/)?.[0];
      return [level, one, two, missing].filter((text) => text !== undefined).join(': ');
    }),
  ].join('\n  ');
}

interface Profile {
  readonly origin: Origin;
  readonly permissions: Permissions;
}

/** Compares the results with the golden file. Profiles with the same result share it. */
async function expectResults(
  name: string,
  profiles: readonly Profile[],
  inputs: Readonly<Record<string, string>>,
): Promise<void> {
  const byResult = new Map<string, string[]>();
  for (const { origin, permissions } of profiles) {
    const result = await resultOf(permissions, origin, inputs);
    const granted = Object.entries(permissions).map(([permission, grant]) => `${permission} ${grant}`);
    byResult.set(result, [...(byResult.get(result) ?? []), `${origin}: ${granted.join(', ')}`]);
  }
  const pages = [...byResult].map(([result, all]) => `${all.join('\n')}\n  ${result}`);
  await expect(`${pages.join('\n')}\n`).toMatchFileSnapshot(`golden/profiles-${name}.txt`);
}

/** Every combination of permissions for check runs and pull requests. */
const profilesWith = (origin: Origin, contents: Grant) =>
  GRANTS.flatMap((checks) =>
    GRANTS.map((pullRequests): Profile => {
      return { origin, permissions: { contents, checks, 'pull-requests': pullRequests } };
    }),
  );
const EVERY_ORIGIN = ORIGINS.flatMap((origin) => profilesWith(origin, 'read'));

test('a run for a pull request writes its result wherever the permissions allow it', async () => {
  await expectResults('with-token', EVERY_ORIGIN, {});
});

test('a run without a token for the service scans nothing, whatever the permissions', async () => {
  await expectResults('without-token', EVERY_ORIGIN, { 'api-token': '' });
});

test('a run with a given base needs to read the contents', async () => {
  const profiles = GRANTS.flatMap((contents) => profilesWith('the repository itself', contents));
  await expectResults('given-base', profiles, { 'base-commit': repository.id(MERGE_BASE) });
});
