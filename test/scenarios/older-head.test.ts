import { expect, test } from 'vitest';
import { countOf, playAgain, pushed } from './reuse.ts';
import { prepare, type Scene } from './story.ts';

/** Plays a job whose machine goes away when its check run names the scan; the scan is held, and `post` never runs. */
async function playLost(scene: Scene, pullRequest = scene.stage.pullRequest): Promise<string> {
  const { stage } = scene;
  const payload = stage.pullRequestPayload({ number: pullRequest });
  const known = stage.github.checkRuns.length;
  const run = await stage.run({
    event: { name: 'pull_request', payload },
    onStart: ({ kill }) => {
      void stage.when(() => stage.github.checkRuns.length > known).then(() => kill('SIGKILL'));
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  const [scan] = stage.service.scans();
  if (scan === undefined) throw new Error('nothing was launched');
  return scan.id;
}

function statusOf({ stage }: Scene, scanId: string): string | undefined {
  return stage.service.scans().find(({ id }) => id === scanId)?.status;
}

/** Lets every scan go on but those. */
const releasing = ({ stage }: Scene, ...held: readonly string[]) => ({
  onLine: () => {
    for (const { id } of stage.service.scans()) if (!held.includes(id)) stage.service.control.release(id);
  },
});

const HOLDING = { service: { pace: { hold: true } } };

test('a push cancels what a lost machine left running for the head before it', async () => {
  const scene = await prepare(HOLDING);
  const left = await playLost(scene);
  const next = await playAgain(scene, {
    ...pushed(scene, scene.headSha, scene.repository.id('clean')),
    ...releasing(scene, left),
  });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  expect(statusOf(scene, left)).toBe('CANCELLED');
  expect(scene.stage.service.ledger().reserved).toBe(0);
});

test('a push cancels what runs for a head further back, where the one between was never scanned', async () => {
  const scene = await prepare(HOLDING);
  const left = await playLost(scene);
  const { repository } = scene;
  const next = await playAgain(scene, {
    ...pushed(scene, repository.id('medium'), repository.id('clean')),
    ...releasing(scene, left),
  });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  expect(statusOf(scene, left)).toBe('CANCELLED');
  expect(scene.stage.service.ledger().reserved).toBe(0);
});

test("another pull request's scan is left alone, also where it has the same base", async () => {
  const scene = await prepare(HOLDING);
  const theirs = await playLost(scene, 8);
  const { repository } = scene;
  const before = countOf(scene, 'github', 'check.list');
  const next = await playAgain(scene, {
    ...pushed(scene, repository.id('medium'), repository.id('clean')),
    ...releasing(scene, theirs),
  });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed' });
  expect(statusOf(scene, theirs)).toBe('QUEUED');
  expect(countOf(scene, 'service', 'scans.cancel')).toBe(0);
  // The check runs of the head, of the previous head, of the commit that is being scanned, and the look for twins.
  expect(countOf(scene, 'github', 'check.list')).toBe(before + 4);
});
