import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Intercept } from '../../sandbox/github/faults.ts';
import type { Point } from '../../sandbox/github/routes.ts';
import { MERGE_BASE, openRepository } from '../scenarios/repository.ts';
import { openEnvironment } from '../support/driver/environment.ts';
import { rounds } from '../support/rounds.ts';
import type { SharedRepository } from '../support/shared-repository.ts';

let repository: SharedRepository;
beforeAll(async () => {
  repository = await openRepository();
});

/** Names that GitHub's payload might contain. Git accepts some of them as branch names, and refuses the others. */
const NAMES = [
  '--upload-pack=touch pwned',
  '--upload-pack=touch\u0024{IFS}pwned',
  '-c core.sshCommand=touch pwned',
  '../../../user',
  '..%2f..%2fuser',
  'main?per_page=1&x=',
  'main#x',
  'main...evil',
  'refs/heads/main:refs/heads/x',
  'x\n::error::owned',
  '##[error]owned',
  '$(touch pwned)',
  '@{-1}',
  '<img src=x>',
];

async function ask(baseRef: string, intercept: Intercept, headRef = 'topic') {
  const workspace = await mkdtemp(path.join(tmpdir(), 'scangate-names-'));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const environment = await openEnvironment({
    directory: repository.dir,
    headSha: repository.id('vulnerable'),
    baseRef,
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    github: { intercept },
  });
  onTestFinished(() => environment.close());
  const payload = environment.pullRequestPayload({ headRef });
  const event = { name: 'pull_request_target', payload };
  const run = await environment.run({ workspace, event });
  return { environment, run, left: await readdir(workspace) };
}

/** Makes GitHub fail at these requests. */
const without =
  (...points: readonly Point[]): Intercept =>
  ({ point }) =>
    points.includes(point) ? { status: 503, body: { message: 'Service Unavailable' } } : undefined;

/**
 * If the run cannot read the pull request, it uses the base branch that the payload names. The quick round tries each
 * name in one of the three ways.
 */
test.each(
  (
    [
      ['the run can read the pull request', without(), 'graphql'],
      ['the run asks GitHub for the branch', without('graphql', 'pulls.read'), 'ref'],
      ['the run asks git for the branch', without('graphql', 'pulls.read', 'ref'), 'ref'],
    ] as const
  ).flatMap((how, turn) =>
    NAMES.filter((_, index) => rounds(index % 3 === turn, true)).map((name) => [name, ...how] as const),
  ),
)(
  'a hostile base branch causes no scan, no command and no stray request: %j (%s)',
  async (name, _how, intercept, reached) => {
    const { environment, run, left } = await ask(name, intercept);
    expect(run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
    expect(run.exitCode).toBe(1);
    expect(environment.service.scans()).toEqual([]);
    expect(left).toEqual([]);
    for (const place of ['.', repository.dir, tmpdir()])
      expect(existsSync(path.join(place, 'pwned'))).toBe(false);
    const points = environment.github.requests.map(({ point }) => point);
    expect(points).toContain(reached);
    expect(points.filter((point) => point === 'unknown' || point === 'user')).toEqual([]);
  },
);

test.each(NAMES)('the action scans a hostile head branch, and checks nothing out: %j', async (name) => {
  const { run, left } = await ask('main', () => undefined, name);
  expect(run.outputs).toMatchObject({ outcome: 'blocked', 'base-commit': repository.id(MERGE_BASE) });
  expect(left).toEqual([]);
});
