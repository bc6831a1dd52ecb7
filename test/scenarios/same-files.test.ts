import { describe, expect, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import { isObject } from '../../sandbox/json.ts';
import { type Head, openRepository } from './repository.ts';
import { expectPaid, pushed, runAgain } from './reuse.ts';
import {
  prepare,
  runPrepared,
  type Scenario,
  type ScenarioOptions,
  type ScenarioResult,
} from './scenario.ts';

/** Scans the head `vulnerable` of a pull request onto `stable`. Then pushes `next`, and runs the action again. */
async function pushAfterScan(next: Head, options: ScenarioOptions = {}, inputs?: Record<string, string>) {
  const scenario = await prepare({ baseRef: 'stable', ...options });
  const first = await runPrepared(scenario, inputs && { inputs });
  const { repository } = scenario;
  const run = pushed(scenario, repository.id('vulnerable'), repository.id(next));
  const again = await runAgain(scenario, run, inputs);
  return { scenario, first, again, run };
}

/** A run for a pull request event with this `action`. The head of the pull request is `amended`. */
function onHead({ environment, repository }: Scenario, action: string) {
  const payload = environment.pullRequestPayload({ action, headSha: repository.id('amended') });
  return { event: { name: 'pull_request', payload }, runId: 9_000_000_070 };
}

function expectSameFiles({ run }: ScenarioResult, first: ScenarioResult, asHead: string): void {
  expect(run.outputs, run.log).toMatchObject({
    outcome: 'blocked',
    'scan-id': first.run.outputs['scan-id'],
    'scan-reused': 'true',
    'credits-reserved': '0',
    'findings-total': '4',
  });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain(`is of commit \`${asHead}\`, which has the same files.`);
  expect(run.summary).toContain('already scanned, no credits used');
  expect(run.summary).toContain(`same files as in <code>${asHead.slice(0, 7)}`);
}

describe('after a push with the same files', () => {
  test.each<[what: string, next: Head, baseRef: string]>([
    ['an amended message', 'amended', 'stable'],
    ['an empty commit', 'and empty', 'stable'],
    ['a rebase onto a base with the same files', 'rebased on empty', 'quiet'],
  ])('a run uses no credits after %s', async (_what, next, baseRef) => {
    const { scenario, first, again } = await pushAfterScan(next, { baseRef });
    expectSameFiles(again, first, scenario.repository.id('vulnerable'));
    expectPaid(scenario, 1);
    expect(again.run.outputs['head-commit']).toBe(scenario.repository.id(next));
  });

  test('a re-run, an edited title and the next push use no credits', async () => {
    const { scenario, first, run } = await pushAfterScan('amended');
    const { repository, environment } = scenario;
    const rerun = await runAgain(scenario, { ...run, runAttempt: 2 });
    expect(rerun.run.outputs, rerun.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': first.run.outputs['scan-id'],
    });
    const payload = environment.pullRequestPayload({ action: 'edited', headSha: repository.id('amended') });
    const edited = await runAgain(scenario, {
      event: { name: 'pull_request', payload },
      runId: 9_000_000_050,
    });
    expect(edited.run.outputs, edited.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': first.run.outputs['scan-id'],
    });
    const next = pushed(scenario, repository.id('amended'), repository.id('and empty'));
    const third = await runAgain(scenario, { ...next, runId: 9_000_000_060 });
    // The log still names the head of the first run, because the service scanned that commit.
    expectSameFiles(third, first, repository.id('vulnerable'));
    expectPaid(scenario, 1);
  });

  test('a run for an edited title uses no credits if the service hides the base', async () => {
    const hidden = ['baseCommit'];
    const service = { hideFields: { scanItem: hidden, scanDetail: hidden } };
    const { scenario, first } = await pushAfterScan('amended', { service });
    const edited = await runAgain(scenario, onHead(scenario, 'edited'));
    expect(edited.run.outputs, edited.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': first.run.outputs['scan-id'],
    });
    expectPaid(scenario, 1);
  });

  test('a run for an edited title fails if GitHub cannot be reached', async () => {
    let isDown = false;
    const { scenario } = await pushAfterScan('amended', {
      github: {
        intercept: ({ point }) =>
          isDown && point === 'commit' ? { status: 502, body: 'Bad Gateway' } : undefined,
      },
    });
    isDown = true;
    const result = await runAgain(scenario, onHead(scenario, 'edited'), {
      'allow-unscanned': 'service-error',
    });
    expect(result.run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
    expect(result.run.exitCode).toBe(1);
    expect(result.run.summary).toContain('Could not read a commit: GitHub could not be reached');
    expectPaid(scenario, 1);
  });

  test('a run for an edited title fails if GitHub no longer has the scanned commit', async () => {
    const { repository } = await prepare({});
    let isGone = false;
    const { scenario } = await pushAfterScan('amended', {
      github: {
        intercept: ({ point, path }) =>
          isGone && point === 'commit' && path.endsWith(repository.id('vulnerable'))
            ? { status: 404, body: { message: 'Not Found' } }
            : undefined,
      },
    });
    isGone = true;
    const edited = await runAgain(scenario, onHead(scenario, 'edited'));
    expect(edited.run.outputs, edited.run.log).toMatchObject({
      outcome: 'not-scanned',
      reason: 'service-error',
    });
    expect(edited.run.exitCode).toBe(1);
    expect(edited.run.summary).toMatch(/\[Re-run this job\]\(\S+\) to launch a new scan\./);
    expect(edited.run.summary).not.toContain('launch-parameters');
    const again = await runAgain(scenario, { ...onHead(scenario, 'edited'), runAttempt: 2 });
    expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });

  test('a run for an edited title fails if the service abbreviates commit ids', async () => {
    const { repository } = await prepare({});
    const full = repository.id('vulnerable');
    const { scenario } = await pushAfterScan('amended', {
      service: {
        intercept: ({ point }) =>
          point === 'scans.read'
            ? {
                rewrite: ({ body, ...answer }) => ({
                  ...answer,
                  body: JSON.parse(JSON.stringify(body).replaceAll(full, full.slice(0, 12))),
                }),
              }
            : undefined,
      },
    });
    const edited = await runAgain(scenario, onHead(scenario, 'edited'));
    expect(edited.run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'service-error' });
    expect(edited.run.exitCode).toBe(1);
    expect(edited.run.summary).not.toContain('launch-parameters');
    expectPaid(scenario, 1);
  });
});

function groupOf({ environment, repository }: Scenario, head: Head, pullRequest = environment.pullRequest) {
  const payload = mergeGroupEvent({
    repository: environment.repository,
    visibility: 'private',
    serverUrl: environment.github.serverUrl,
    headSha: repository.id(head),
    baseSha: repository.id('start'),
    baseRef: 'stable',
    pullRequest,
  });
  return { event: { name: 'merge_group', payload }, runId: 9_000_000_040 };
}

describe('a merge group', () => {
  test('a merge group uses no credits if its only pull request is up to date', async () => {
    const scenario = await prepare({ baseRef: 'stable' });
    const first = await runPrepared(scenario);
    const group = await runAgain(scenario, groupOf(scenario, 'merged'));
    expectSameFiles(group, first, scenario.repository.id('vulnerable'));
    expectPaid(scenario, 1);
  });

  test('a merge group finds the scan through the comment if check runs cannot be read', async () => {
    const permissions = { contents: 'read', 'pull-requests': 'write' } as const;
    const scenario = await prepare({ baseRef: 'stable', github: { permissions } });
    const first = await runPrepared(scenario);
    const group = await runAgain(scenario, groupOf(scenario, 'merged'));
    expectSameFiles(group, first, scenario.repository.id('vulnerable'));
    expectPaid(scenario, 1);
  });

  test('a merge group uses no credits if the service answers 503 to one read of the scan', async () => {
    let fails = false;
    const scenario = await prepare({
      baseRef: 'stable',
      service: {
        intercept: ({ point }) => {
          if (!fails || point !== 'scans.read') return undefined;
          fails = false;
          return { status: 503, body: {} };
        },
      },
    });
    const first = await runPrepared(scenario);
    fails = true;
    const group = await runAgain(scenario, groupOf(scenario, 'merged'));
    expect(fails).toBe(false);
    expectSameFiles(group, first, scenario.repository.id('vulnerable'));
    expectPaid(scenario, 1);
  });

  test('a merge group is scanned if its branch names a pull request that GitHub does not show', async () => {
    const scenario = await prepare({ baseRef: 'stable' });
    await runPrepared(scenario);
    const group = await runAgain(scenario, groupOf(scenario, 'merged', 8));
    expect(group.run.outputs).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });
});

/** GitHub shows the files of the head neither by GraphQL nor by REST. */
const WITHOUT_HEAD_FILES: ScenarioOptions = {
  github: {
    intercept: ({ point }) =>
      point === 'graphql' || point === 'commit' ? { status: 404, body: { message: 'Not Found' } } : undefined,
  },
};

/** GitHub shows the files of the base neither beside the comparison nor by themselves. */
const WITHOUT_BASE_FILES: ScenarioOptions = {
  github: {
    intercept: ({ point }) => {
      if (point === 'commit') return { status: 404, body: { message: 'Not Found' } };
      if (point !== 'compare') return undefined;
      return {
        rewrite: ({ body, ...answer }) => ({
          ...answer,
          body:
            isObject(body) && isObject(body['merge_base_commit'])
              ? { ...body, merge_base_commit: { sha: body['merge_base_commit']['sha'] } }
              : body,
        }),
      };
    },
  },
};

test('a run does not follow the running scan of another pull request with the same files', async () => {
  const { id } = await openRepository();
  const pull = { headSha: id('vulnerable'), baseRef: 'stable' };
  const scenario = await prepare({
    baseRef: 'stable',
    service: { pace: { hold: true } },
    github: { pullRequests: [7, 8].map((number) => ({ ...pull, number })) },
  });
  const { environment, headSha } = scenario;
  const { service, github } = environment;
  await environment.run({
    onStart: ({ kill }) => {
      void environment.when(() => github.checkRuns.length > 0).then(() => kill('SIGKILL'));
    },
  });
  const running = service.scans()[0]?.id;
  const payload = environment.pullRequestPayload({ action: 'opened', number: 8, headSha });
  const { run } = await runAgain(scenario, {
    event: { name: 'pull_request', payload },
    runId: 9_000_000_080,
    onLine: () => {
      for (const { id } of service.scans()) if (id !== running) service.control.release(id);
    },
  });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  expect(run.log).toContain(`Scan \`${running}\` of the same files is not used. Its status is QUEUED.`);
  expect(run.log).not.toContain('No mark proves');
});

/** Scans the head `vulnerable`. The scan finds nothing. All later scans of the same files block. */
async function passedFirst(compareIsDown: () => boolean = () => false) {
  let older: string | undefined;
  const scenario = await prepare({
    baseRef: 'stable',
    service: {
      intercept: ({ point, path }) => {
        if (point !== 'findings.list') return undefined;
        const scanId = new URL(path, 'http://127.0.0.1').searchParams.get('scanId') ?? undefined;
        older ??= scanId;
        return scanId === older
          ? { status: 200, body: { items: [], page: 1, limit: 100, total: 0 } }
          : undefined;
      },
    },
    github: {
      intercept: ({ point }) =>
        point === 'compare' && compareIsDown() ? { status: 502, body: '' } : undefined,
    },
  });
  const passed = await runPrepared(scenario);
  expect(passed.run.outputs, passed.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  return scenario;
}

describe('after a blocked scan with `reuse-scan: false`', () => {
  const OWN = { 'reuse-scan': 'false' };

  test.each([false, true])(
    'a push with the same files is blocked, although an older scan passed (comparison down: %s)',
    async (goesDown) => {
      let isDown = false;
      const scenario = await passedFirst(() => isDown);
      isDown = goesDown;
      const blocked = await runAgain(scenario, { runAttempt: 2 }, OWN);
      isDown = false;
      expect(blocked.run.outputs, blocked.run.log).toMatchObject({
        outcome: 'blocked',
        'scan-reused': 'false',
      });
      const { repository } = scenario;
      const next = await runAgain(
        scenario,
        pushed(scenario, repository.id('vulnerable'), repository.id('amended')),
      );
      expectSameFiles(next, blocked, repository.id('vulnerable'));
      expectPaid(scenario, 2);
    },
  );

  test('a push back to the head that passed before is blocked', async () => {
    const scenario = await passedFirst();
    const [first, amended] = (['vulnerable', 'amended'] as const).map(scenario.repository.id);
    const blocked = await runAgain(scenario, pushed(scenario, first ?? '', amended ?? ''), OWN);
    expect(blocked.run.outputs, blocked.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-reused': 'false',
    });
    const back = await runAgain(scenario, pushed(scenario, amended ?? '', first ?? ''));
    expectSameFiles(back, blocked, amended ?? '');
    expectPaid(scenario, 2);
  });
});

describe('a change for which no earlier scan is used', () => {
  test('a head that GitHub does not show is scanned without a long wait', async () => {
    const scenario = await prepare({
      // Uses virtual time, because real time depends on the machine.
      driver: 'in process',
      baseRef: 'stable',
      github: {
        intercept: ({ point }) => {
          if (point === 'commit') return { fault: 'hang-before' };
          return point === 'graphql' ? { status: 404, body: { message: 'Not Found' } } : undefined;
        },
      },
    });
    const began = scenario.environment.now();
    const { run } = await runPrepared(scenario);
    expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked' });
    expect(scenario.environment.now() - began).toBeLessThan(30_000);
  });

  test.each<[why: string, next: Head, options: ScenarioOptions, inputs?: Record<string, string>]>([
    ['after a rebase of the same patch onto other files', 'rebased on moved on', { baseRef: 'main' }],
    ['if GitHub does not show the files of the base', 'amended', WITHOUT_BASE_FILES],
    ['if GitHub does not show the files of the head', 'amended', WITHOUT_HEAD_FILES],
    ['with `reuse-scan: false`', 'amended', {}, { 'reuse-scan': 'false' }],
    ['with another budget', 'amended', {}],
  ])('a push is scanned again %s', async (why, next, options, inputs) => {
    const scenario = await prepare({ baseRef: 'stable', ...options });
    await runPrepared(scenario, inputs && { inputs });
    const { repository } = scenario;
    const run = pushed(scenario, repository.id('vulnerable'), repository.id(next));
    const changed = why === 'with another budget' ? { 'credit-budget': '50' } : inputs;
    const again = await runAgain(scenario, run, changed);
    expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });

  test('a push with the same files and another base is scanned again', async () => {
    const scenario = await prepare({ baseRef: 'stable' });
    await runPrepared(scenario);
    const { repository, environment } = scenario;
    environment.github.edit(environment.pullRequest, { baseRef: 'older' });
    const { event, runId } = pushed(scenario, repository.id('vulnerable'), repository.id('amended'));
    const again = await runAgain(scenario, { event, runId });
    expect(again.run.outputs, again.run.log).toMatchObject({
      'scan-reused': 'false',
      'base-commit': repository.id('behind'),
    });
    expectPaid(scenario, 2);
  });

  test('a push with the same files is scanned again if the workflow gives the base', async () => {
    const scenario = await prepare({ baseRef: 'stable' });
    const inputs = { 'base-commit': scenario.repository.id('start') };
    await runPrepared(scenario, { inputs });
    const { repository } = scenario;
    const again = await runAgain(
      scenario,
      pushed(scenario, repository.id('vulnerable'), repository.id('amended')),
      inputs,
    );
    expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });

  test.each<[what: string, forge: (externalId: string) => string]>([
    ['has a forged content key', (mark) => mark.replace(/:[\w-]{22}:(?=\d{10}:)/, `:${'A'.repeat(22)}:`)],
    ['is on the check run of another head', (mark) => mark],
  ])('a push with the same files is scanned again if the only mark %s', async (what, forge) => {
    const scenario = await prepare({ baseRef: 'stable', head: 'vulnerable', inputs: { comment: 'never' } });
    await runPrepared(scenario, { inputs: { comment: 'never' } });
    const { repository, environment } = scenario;
    const [own] = environment.github.checkRuns;
    if (own === undefined) throw new Error('there is no check run');
    const mark = own.externalId ?? '';
    if (what.includes('forged')) expect(forge(mark)).not.toBe(mark);
    Object.assign(own, { externalId: forge(mark) });
    // Moves the mark to the check run of another commit.
    if (what.includes('another head')) Object.assign(own, { headSha: repository.id('low') });
    const before = what.includes('another head') ? 'low' : 'vulnerable';
    const run = pushed(scenario, repository.id(before), repository.id('amended'));
    const again = await runAgain(scenario, run, { comment: 'never' });
    expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });
});
