import { expect, test } from 'vitest';
import { expectPaid, playAgain } from './reuse.ts';
import { play, prepare, type Scene } from './story.ts';

const MOVED_RUN = 9_000_000_003;

/** The event of a pull request whose base branch was changed. */
function moved({ stage }: Scene, baseRef: string, runId = 9_000_000_002) {
  const from = stage.github.pullRequests.get(stage.pullRequest)?.baseRef;
  stage.github.setBase(stage.pullRequest, baseRef);
  const payload = stage.pullRequestPayload({
    action: 'edited',
    baseRef,
    changes: { base: { ref: { from } } },
  });
  return { event: { name: 'pull_request', payload }, runId };
}

/** The event of a pull request whose title was changed. */
function renamed({ stage }: Scene) {
  stage.github.edit(stage.pullRequest, { title: 'A better title' });
  const payload = stage.pullRequestPayload({ action: 'edited', changes: { title: { from: 'A change' } } });
  return { event: { name: 'pull_request', payload }, runId: 9_000_000_002 };
}

/** The newest check run: what GitHub shows of the commit. */
function newestConclusion({ stage }: Scene) {
  return stage.github.checkRuns.toSorted((a, b) => b.id - a.id)[0]?.conclusion;
}

test('a pull request that moves to another base branch is scanned against that, and a re-run of the first run too', async () => {
  const scene = await prepare({ baseRef: 'stacked' });
  const opened = { event: { name: 'pull_request', payload: scene.stage.pullRequestPayload() } };
  // The base branch holds the head already, so nothing is left to scan.
  const first = await playAgain(scene, opened);
  expect(first.run.outputs).toMatchObject({ outcome: 'unchanged' });
  expect(first.run.exitCode).toBe(0);
  expectPaid(scene, 0);

  const against = { outcome: 'blocked', 'base-commit': scene.repository.id('start') };
  const next = await playAgain(scene, moved(scene, 'main', MOVED_RUN));
  expect(next.run.outputs, next.run.log).toMatchObject({ ...against, 'scan-reused': 'false' });
  expect(next.run.exitCode).toBe(1);
  expectPaid(scene, 1);

  const again = await playAgain(scene, { ...opened, runAttempt: 2 });
  expect(again.run.outputs, again.run.log).toMatchObject({ ...against, 'scan-reused': 'true' });
  expect(again.run.exitCode).toBe(1);
  expect(newestConclusion(scene)).toBe('failure');
  expectPaid(scene, 1);
});

test.each([
  ['shows', []],
  ['does not show', ['baseCommit']],
])(
  'a scan against one base proves nothing about another, where the service %s its base',
  async (_, hidden) => {
    const scene = await prepare({ service: { hideFields: { scanDetail: hidden, scanItem: hidden } } });
    const first = await play(scene);
    const next = await playAgain(scene, moved(scene, 'older'));
    expect(next.run.outputs, next.run.log).toMatchObject({
      'base-commit': scene.repository.id('behind'),
      'scan-reused': 'false',
    });
    expect(next.run.outputs['scan-id']).not.toBe(first.run.outputs['scan-id']);
    expectPaid(scene, 2);
  },
);

test('another base with the same merge base is the same change: read again, for no credits', async () => {
  const scene = await prepare({});
  const first = await play(scene);
  const next = await playAgain(scene, moved(scene, 'stable'));
  expect(next.run.outputs).toMatchObject({
    outcome: 'blocked',
    'scan-reused': 'true',
    'scan-id': first.run.outputs['scan-id'],
  });
  expectPaid(scene, 1);
});

test('a new title costs nothing, and changes no verdict', async () => {
  const scene = await prepare({});
  const first = await play(scene);
  const again = await playAgain(scene, renamed(scene));
  expect(again.run.outputs).toMatchObject({
    outcome: 'blocked',
    'scan-reused': 'true',
    'scan-id': first.run.outputs['scan-id'],
  });
  expect(again.run.exitCode).toBe(1);
  expectPaid(scene, 1);
});
