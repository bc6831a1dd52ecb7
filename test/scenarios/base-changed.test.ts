import { expect, test } from 'vitest';
import { expectPaid, playAgain } from './reuse.ts';
import { play, prepare, type Scene } from './story.ts';

/** The event of an edited pull request: its title, its text or its base branch. */
function edited({ stage }: Scene, baseRef: string) {
  const payload = stage.pullRequestPayload({ action: 'edited', baseRef });
  return { event: { name: 'pull_request', payload }, runId: 9_000_000_002 };
}

test('a pull request that moves to another base branch is scanned against that: the green of the old one is over', async () => {
  const scene = await prepare({});
  // The base branch holds the head already, so nothing is left to scan.
  const first = await playAgain(scene, edited(scene, 'stacked'));
  expect(first.run.outputs).toMatchObject({ outcome: 'unchanged' });
  expect(first.run.exitCode).toBe(0);
  expectPaid(scene, 0);

  const moved = await playAgain(scene, { ...edited(scene, 'main'), runId: 9_000_000_003 });
  expect(moved.run.outputs, moved.run.log).toMatchObject({
    outcome: 'blocked',
    'base-commit': scene.repository.id('start'),
    'scan-reused': 'false',
  });
  expect(moved.run.exitCode).toBe(1);
  expectPaid(scene, 1);
});

test.each([
  ['shows', []],
  ['does not show', ['baseCommit']],
])('a scan against one base says nothing about another, where the service %s its base', async (_, hidden) => {
  const scene = await prepare({ service: { hideFields: { scanDetail: hidden, scanItem: hidden } } });
  const first = await play(scene);
  const moved = await playAgain(scene, edited(scene, 'older'));
  expect(moved.run.outputs, moved.run.log).toMatchObject({
    'base-commit': scene.repository.id('behind'),
    'scan-reused': 'false',
  });
  expect(moved.run.outputs['scan-id']).not.toBe(first.run.outputs['scan-id']);
  expectPaid(scene, 2);
});

test('another base with the same merge base is the same change: read again, for no credits', async () => {
  const scene = await prepare({});
  const first = await play(scene);
  const moved = await playAgain(scene, edited(scene, 'stable'));
  expect(moved.run.outputs).toMatchObject({
    outcome: 'blocked',
    'scan-reused': 'true',
    'scan-id': first.run.outputs['scan-id'],
  });
  expectPaid(scene, 1);
});

test('a new title costs nothing, and changes no verdict', async () => {
  const scene = await prepare({});
  const first = await play(scene);
  const again = await playAgain(scene, edited(scene, 'main'));
  expect(again.run.outputs).toMatchObject({
    outcome: 'blocked',
    'scan-reused': 'true',
    'scan-id': first.run.outputs['scan-id'],
  });
  expect(again.run.exitCode).toBe(1);
  expectPaid(scene, 1);
});
