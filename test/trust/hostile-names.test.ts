import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { GitFixture } from '../../src/sandbox/git-fixture.ts';
import type { Intercept } from '../../src/sandbox/github/faults.ts';
import { setStage } from '../../src/sandbox/stage.ts';
import { createRepository, MERGE_BASE } from '../scenarios/repository.ts';
import { runInProcess } from './run-in-process.ts';

let repository: GitFixture;
beforeAll(async () => {
  repository = await createRepository();
});
afterAll(() => repository.remove());

/** What GitHub's payload might name; some are legal branches, some are none that git knows. */
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
  const stage = await setStage({
    directory: repository.dir,
    headSha: repository.id('flawed'),
    service: { pace: { phasesPerPoll: Number.POSITIVE_INFINITY } },
    github: { intercept },
  });
  onTestFinished(() => stage.close());
  const payload = stage.pullRequestPayload({ baseRef, headRef });
  const event = { name: 'pull_request_target', payload };
  const told = await runInProcess(stage, { workspace, event });
  return { stage, told, left: await readdir(workspace) };
}

const NO_COMPARISON: Intercept = ({ point }) =>
  point === 'compare' ? { status: 503, body: { message: 'Service Unavailable' } } : undefined;

describe.each([
  ['asked of GitHub', () => undefined],
  ['asked of git', NO_COMPARISON],
] as const)('a base branch %s', (_of, intercept) => {
  test.each(NAMES)('called %j costs nothing, runs nothing and leads nowhere else', async (name) => {
    const { stage, told, left } = await ask(name, intercept);
    expect(told.outputs).toMatchObject({ outcome: 'not-scanned' });
    expect(told.exitCode).toBe(1);
    expect(stage.service.scans()).toEqual([]);
    expect(left).toEqual([]);
    for (const place of ['.', repository.dir, tmpdir()])
      expect(existsSync(path.join(place, 'pwned'))).toBe(false);
    const strayed = stage.github.requests.filter(({ point }) => point === 'unknown' || point === 'user');
    expect(strayed.map((request) => request.path)).toEqual([]);
  });
});

test.each(NAMES)(
  'a head branch called %j is not even looked at: the commit is scanned, nothing is checked out',
  async (name) => {
    const { told, left } = await ask('main', () => undefined, name);
    expect(told.outputs).toMatchObject({ outcome: 'blocked', 'base-commit': repository.id(MERGE_BASE) });
    expect(left).toEqual([]);
  },
);
