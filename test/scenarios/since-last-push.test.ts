import { expect, test } from 'vitest';
import type { Head } from './repository.ts';
import { playAgain, pushed } from './reuse.ts';
import { play, prepare, type Scene, type Story } from './story.ts';

const SINCE = '**Since the last push**';

/** A push to another head, and the run that follows. */
function push(scene: Scene, from: Head, to: Head, runId: number, inputs = {}): Promise<Story> {
  const { repository } = scene;
  return playAgain(scene, { ...pushed(scene, repository.id(from), repository.id(to)), runId }, inputs);
}

/** What the comment says of the last push, with the labels of the findings left out. */
function said({ stage }: Scene): string | undefined {
  const lines = stage.github.comments[0]?.body.split('\n') ?? [];
  return lines.find((line) => line.startsWith(SINCE))?.replace(/<code>ZK-[0-9a-f]+<\/code>/g, 'ZK');
}

test('every push tells what is new, what is still open and what is no longer reported', async () => {
  const scene = await prepare({ head: 'medium' });
  const short = (head: Head) => scene.repository.id(head).slice(0, 7);
  await play(scene);
  expect(scene.stage.github.comments).toHaveLength(1);
  expect(said(scene)).toBeUndefined();

  await push(scene, 'medium', 'vulnerable', 9_000_000_002);
  expect(said(scene)).toBe(
    `${SINCE} (compared with <code>${short('medium')}</code>): **2 new** · 1 still open`,
  );
  expect(scene.stage.github.comments[0]?.body.match(/ · \*\*new\*\* · \*\*blocks\*\*/g)).toHaveLength(2);

  await push(scene, 'vulnerable', 'clean', 9_000_000_003);
  expect(said(scene)).toBe(
    `${SINCE} (compared with <code>${short('vulnerable')}</code>): 3 no longer reported (Critical ZK, High ZK, Medium ZK)`,
  );
  expect(scene.stage.github.comments).toHaveLength(1);
});

test('a run for the same head says the same again, and so writes nothing', async () => {
  const scene = await prepare({ head: 'medium' });
  await play(scene);
  await push(scene, 'medium', 'vulnerable', 9_000_000_002);
  const before = scene.stage.github.comments[0];
  const again = await push(scene, 'medium', 'vulnerable', 9_000_000_003, { 'reuse-scan': 'true' });
  expect(again.run.outputs['outcome'], again.run.log).toBe('blocked');
  expect(said(scene)).toContain('2 new');
  // Also where it reads the scan that another run paid for.
  expect(again.run.outputs['scan-reused']).toBe('true');
  expect(scene.stage.github.comments[0]).toEqual(before);
  await push(scene, 'medium', 'vulnerable', 9_000_000_004);
  expect(scene.stage.github.comments[0]).toEqual(before);
});

test('a push that could not be scanned forgets nothing: the next one is compared with the last that was', async () => {
  const scene = await prepare({ head: 'medium' });
  await play(scene);
  await push(scene, 'medium', 'clean', 9_000_000_002, { 'credit-budget': '100000' });
  expect(scene.stage.github.comments[0]?.body).toContain('Not scanned');
  expect(said(scene)).toBeUndefined();
  await push(scene, 'clean', 'vulnerable', 9_000_000_003);
  expect(said(scene)).toContain(
    `<code>${scene.repository.id('medium').slice(0, 7)}</code>): **2 new** · 1 still open`,
  );
});

test('a history that somebody wrote into the comment is not believed', async () => {
  const scene = await prepare({ head: 'medium' });
  await play(scene);
  const [comment] = scene.stage.github.comments;
  const forged = comment?.body.replace(/;h1:([0-9a-f]+):/, `;h1:${'0'.repeat(40)}:`) ?? '';
  expect(forged).not.toBe(comment?.body);
  const answer = await fetch(
    `${scene.stage.github.apiUrl}/repos/${scene.stage.repository}/issues/comments/${comment?.id}`,
    {
      method: 'PATCH',
      headers: { authorization: `Bearer ${scene.stage.github.token}` },
      body: JSON.stringify({ body: forged }),
    },
  );
  expect(answer.status).toBe(200);
  await push(scene, 'medium', 'vulnerable', 9_000_000_002);
  expect(scene.stage.github.comments[0]?.body).toContain('Blocked: 2 findings');
  expect(said(scene)).toBeUndefined();
});
