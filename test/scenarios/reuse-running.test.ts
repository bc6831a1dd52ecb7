import { expect, test } from 'vitest';
import type { Answer } from '../../src/sandbox/faults/interception.ts';
import type { SeenRequest } from '../../src/sandbox/scan-service/options.ts';
import type { ScanService } from '../../src/sandbox/scan-service/scan-service.ts';
import { MERGE_BASE } from './repository.ts';
import { countOf, expectPaid, playAgain } from './reuse.ts';
import { play, prepare, type Scene, type Story, TIME_SCALE } from './story.ts';

const ONLY_COMMENTS = { permissions: { contents: 'read', 'pull-requests': 'write' } } as const;
const HOLDING = { pace: { hold: true } };

/** Plays a job whose machine goes away while its scan is polled; `post` never runs. */
async function playLost({ stage }: Scene): Promise<string> {
  const run = await stage.run({
    timeScale: TIME_SCALE,
    onLine: (line, { kill }) => {
      if (line.includes('Scan queued') || line.includes('Scan running')) kill('SIGKILL');
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  const [scan] = stage.service.scans();
  if (scan === undefined) throw new Error('nothing was launched');
  return scan.id;
}

test('a re-run follows the scan of a machine that went away, where no check run could name it', async () => {
  const scene = await prepare({ service: HOLDING, github: ONLY_COMMENTS });
  const { control } = scene.stage.service;
  const scanId = await playLost(scene);
  control.release(scanId);
  const listed = countOf(scene, 'service', 'scans.list');
  const again = await playAgain(scene, { runAttempt: 2 });

  expect(again.run.outputs, again.run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': scanId,
    'scan-reused': 'true',
    'credits-reserved': '0',
  });
  expectPaid(scene, 1);
  // The list of the preflight is enough.
  expect(countOf(scene, 'service', 'scans.list')).toBe(listed + 1);
});

test('a scan that is followed and then fails is launched anew, and no other is left running', async () => {
  const scene = await prepare({ service: HOLDING, github: ONLY_COMMENTS });
  const { control } = scene.stage.service;
  const scanId = await playLost(scene);
  const again = await playAgain(scene, {
    runAttempt: 2,
    onLine: (line) => {
      if (line.includes(`already paid for scan ${scanId}`)) control.fail(scanId);
      const [newest] = scene.stage.service.scans();
      if (newest !== undefined && newest.id !== scanId) control.release(newest.id);
    },
  });
  expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expectPaid(scene, 2);
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

test('two runs that wait for an initializing repository pay once', async () => {
  const refused: SeenRequest[] = [];
  let service: ScanService | undefined;
  const scene = await prepare({
    service: ({ dir }) => ({
      ...analyzing(dir),
      ...HOLDING,
      tokens: [{}, {}],
      intercept: async (request) => {
        const isSecond = request.headers.authorization?.endsWith(service?.tokens[1]?.token ?? ' ');
        if (request.point === 'scans.launch' && refused.length < 2) refused.push(request);
        // Both were told to wait; the second sees that the repository is ready when the first has launched.
        if (request.point === 'repositories' && refused.length === 2) {
          service?.control.setReadiness('shop', 'ready');
          while (isSecond && service?.scans().length === 0) await new Promise(setImmediate);
        }
        const [scan] = service?.scans() ?? [];
        if (request.point === 'scans.read' && isSecond && scan) service?.control.release(scan.id);
        return undefined;
      },
    }),
  });
  service = scene.stage.service;
  const labeled = scene.stage.pullRequestPayload({ action: 'labeled' });
  const [first, second] = await Promise.all([
    play(scene),
    play(scene, {
      // Another token, so that no mark can lead from one to the other.
      inputs: { 'api-token': service.tokens[1]?.token ?? '' },
      run: () => ({ runId: 9_000_000_002, event: { name: 'pull_request', payload: labeled } }),
    }),
  ]);
  expect(first.run.outputs, first.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(second.run.outputs, second.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'true' });
  expect(service.scans()).toHaveLength(1);
  expect(service.ledger()).toMatchObject({ spent: 20, reserved: 0 });
});

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
  let service: ScanService | undefined;
  const scene = await prepare({
    service: ({ dir, id }) => ({
      ...analyzing(dir),
      intercept: async ({ point, count, headers }) => {
        if (service === undefined) throw new Error('the stage does not stand yet');
        if (point === 'repositories' && count === 2) {
          service.control.setReadiness('shop', 'ready');
          const theirs = await fetch(`${service.baseUrl}/projects/${service.project.id}/scans`, {
            method: 'POST',
            headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
            body: JSON.stringify({
              repositoryId: 'shop',
              presetRef: 'diff-review',
              creditBudget: 20,
              baseCommit: id(MERGE_BASE),
              commit: id('flawed'),
            }),
          });
          expect(theirs.status).toBe(202);
        }
        return point === 'scans.launch' && count === 3 ? { fault: 'cut-body' } : undefined;
      },
    }),
  });
  service = scene.stage.service;
  const { run } = await play(scene, { inputs: { 'reuse-scan': 'false' } });
  expect(service.scans()).toHaveLength(2);
  expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked', 'scan-id': service.scans()[0]?.id });
});
