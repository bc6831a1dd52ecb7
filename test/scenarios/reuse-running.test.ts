import { expect, test } from 'vitest';
import type { Answer } from '../../sandbox/faults/interception.ts';
import type { TestStage } from '../support/driver/stage.ts';
import { MERGE_BASE } from './repository.ts';
import { countOf, expectPaid, playAgain, pushed } from './reuse.ts';
import { play, prepare, type Scene, type Story, type StoryOptions } from './story.ts';

const ONLY_COMMENTS = { permissions: { contents: 'read', 'pull-requests': 'write' } } as const;
const HOLDING = { pace: { hold: true } };

/** Plays a job whose machine goes away while its scan is polled; `post` never runs. */
async function playLost({ stage }: Scene): Promise<string> {
  const run = await stage.run({
    onLine: (line, { kill }) => {
      if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  const [scan] = stage.service.scans();
  if (scan === undefined) throw new Error('nothing was launched');
  return scan.id;
}

test('a re-run follows the scan that the check run of a lost machine names, and completes that check run', async () => {
  const scene = await prepare({ service: HOLDING });
  const { control } = scene.stage.service;
  const scanId = await playLost(scene);
  control.release(scanId);
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'in_progress' }]);
  const again = await playAgain(scene, { runAttempt: 2 });

  expect(again.run.outputs, again.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': scanId,
    'scan-reused': 'true',
    'credits-reserved': '0',
  });
  expectPaid(scene, 1);
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
});

test.each<[string, (scene: Scene) => void, NonNullable<StoryOptions['inputs']>, string]>([
  [
    'a head that is superseded',
    (scene) => pushed(scene, scene.headSha, scene.repository.id('low')),
    {},
    'superseded',
  ],
  [
    'a closed pull request',
    ({ stage }) => stage.github.edit(stage.pullRequest, { state: 'closed' }),
    {},
    'passed',
  ],
  ['wrong inputs', () => {}, { 'fail-on': 'hihg' }, 'configuration'],
  ['a preset that is gone', () => {}, { preset: 'gone' }, 'configuration'],
])('a re-run for %s completes the check run that a lost machine left', async (_, change, inputs, end) => {
  const scene = await prepare({ head: 'clean', service: HOLDING });
  const scanId = await playLost(scene);
  const [left] = scene.stage.github.checkRuns;
  expect(left).toMatchObject({ status: 'in_progress' });
  const payload = scene.stage.pullRequestPayload();
  scene.stage.service.control.release(scanId);
  change(scene);
  const again = await playAgain(scene, { event: { name: 'pull_request', payload }, runAttempt: 2 }, inputs);

  const { outcome, reason } = again.run.outputs;
  expect(reason || outcome, again.run.log).toBe(end);
  expect(countOf(scene, 'service', 'scans.launch')).toBe(1);
  const { checkRuns } = scene.stage.github;
  expect(checkRuns).toMatchObject([{ id: left?.id, status: 'completed' }]);
  // It still names the scan, for later runs.
  expect(checkRuns[0]?.externalId).toContain(`v2:${scanId}:`);
});

test('a re-run launches where no check run names the scan of a lost machine, and leaves that scan alone', async () => {
  const scene = await prepare({ service: HOLDING, github: ONLY_COMMENTS });
  const scanId = await playLost(scene);
  const again = await playAgain(scene, {
    runAttempt: 2,
    onLine: () => {
      const [newest] = scene.stage.service.scans();
      if (newest !== undefined && newest.id !== scanId) scene.stage.service.control.release(newest.id);
    },
  });
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(scene.stage.service.scans()).toHaveLength(2);
  expect(countOf(scene, 'service', 'scans.cancel')).toBe(0);
});

test('a scan that fails while it is followed is launched anew, and no other is left running', async () => {
  const scene = await prepare({ service: HOLDING });
  const { control } = scene.stage.service;
  const scanId = await playLost(scene);
  const again = await playAgain(scene, {
    runAttempt: 2,
    onLine: (line) => {
      if (line.includes(`Found scan \`${scanId}\``)) control.fail(scanId);
      const [newest] = scene.stage.service.scans();
      if (newest !== undefined && newest.id !== scanId) control.release(newest.id);
    },
  });
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expectPaid(scene, 2);
  expect(scene.stage.github.checkRuns).toMatchObject([{ status: 'completed', conclusion: 'failure' }]);
});

test('a re-run with reuse-scan: false launches beside it', async () => {
  const scene = await prepare({ service: HOLDING, github: ONLY_COMMENTS });
  const { control } = scene.stage.service;
  control.release(await playLost(scene));
  const again = await playAgain(
    scene,
    {
      runAttempt: 2,
      onLine: () => {
        const [newest] = scene.stage.service.scans();
        if (newest !== undefined) control.release(newest.id);
      },
    },
    { 'reuse-scan': 'false' },
  );
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(scene.stage.service.scans()).toHaveLength(2);
});

/** A repository that is analyzed for the first time, until the story says that it is ready. */
const analyzing = (dir: string) => ({
  repositories: [
    { id: 'shop', owner: 'octo-org', name: 'octo-repo', gitDir: dir, readiness: 'analyzing' as const },
  ],
});

const asAnalyzing = ({ body, ...answer }: Answer): Answer => {
  return { ...answer, body: JSON.parse(JSON.stringify(body).replaceAll('"ready"', '"analyzing"')) };
};

test('a run that waits reads the scan that another one launched and finished meanwhile', async () => {
  let other: Promise<Story> | undefined;
  let isOver = false;
  const scene = await prepare({
    service: {
      intercept: ({ point, count }) => {
        if (point === 'repositories' && !isOver) return { rewrite: asAnalyzing };
        if (point !== 'scans.launch' || count > 1) return undefined;
        other = playAgain(scene, { runId: 9_000_000_002 }).finally(() => {
          isOver = true;
        });
        return { status: 409, body: { error: { code: 'repository_initializing', message: '' } } };
      },
    },
  });
  const waiting = await playAgain(scene, {}, { 'timeout-minutes': '20' });
  const paid = await other;
  expect(paid?.run.outputs, paid?.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(waiting.run.outputs, waiting.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': paid?.run.outputs['scan-id'],
    'scan-reused': 'true',
  });
  expect(scene.stage.service.scans()).toHaveLength(1);
});

test('a scan that somebody else launched while we waited is not taken for our own that was lost', async () => {
  let stage: TestStage | undefined;
  const scene = await prepare({
    service: ({ dir, id }) => ({
      ...analyzing(dir),
      intercept: async ({ point, count, headers }) => {
        if (stage === undefined) throw new Error('the stage does not stand yet');
        const { service } = stage;
        if (point === 'repositories' && count === 2) {
          service.control.setReadiness('shop', 'ready');
          const launch = () =>
            fetch(`${service.baseUrl}/projects/${service.project.id}/scans`, {
              method: 'POST',
              headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
              body: JSON.stringify({
                repositoryId: 'shop',
                presetRef: 'diff-review',
                creditBudget: 20,
                baseCommit: id(MERGE_BASE),
                commit: id('vulnerable'),
              }),
            });
          const theirs = await stage.hold(launch);
          expect(theirs.status).toBe(202);
        }
        return point === 'scans.launch' && count === 3 ? { fault: 'cut-body' } : undefined;
      },
    }),
  });
  stage = scene.stage;
  const { service } = stage;
  const { run } = await play(scene, { inputs: { 'reuse-scan': 'false' } });
  expect(service.scans()).toHaveLength(2);
  expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked', 'scan-id': service.scans()[0]?.id });
});
