import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import { openRepository } from './repository.ts';
import { countOf, pushed, runAgain } from './reuse.ts';
import { prepare, type Scenario } from './scenario.ts';

/**
 * Runs a job. Its machine is lost as soon as its check run names the scan. The scan does not end, and `post` never
 * runs.
 */
async function runLost(scenario: Scenario, pullRequest = scenario.environment.pullRequest): Promise<string> {
  const { environment } = scenario;
  const payload = environment.pullRequestPayload({ number: pullRequest });
  const known = environment.github.checkRuns.length;
  const run = await environment.run({
    event: { name: 'pull_request', payload },
    onStart: ({ kill }) => {
      void environment.when(() => environment.github.checkRuns.length > known).then(() => kill('SIGKILL'));
    },
  });
  expect(run.signal, run.log).toBe('SIGKILL');
  const [scan] = environment.service.scans();
  if (scan === undefined) throw new Error('nothing was launched');
  return scan.id;
}

function statusOf({ environment }: Scenario, scanId: string): string | undefined {
  return environment.service.scans().find(({ id }) => id === scanId)?.status;
}

/** Releases every scan, except those in `held`. */
const releasing = ({ environment }: Scenario, ...held: readonly string[]) => ({
  onLine: () => {
    for (const { id } of environment.service.scans())
      if (!held.includes(id)) environment.service.control.release(id);
  },
});

const HOLDING = { service: { pace: { hold: true } } };

/** Removes the check runs from an answer of GraphQL. */
const hideChecks = (answer: Answer): Answer => {
  const { data } = v.parse(v.object({ data: v.object({ repository: v.looseObject({}) }) }), answer.body);
  return { ...answer, body: { data: { ...data, repository: { ...data.repository, previous: null } } } };
};

test.each([
  ['the check runs come with the pull request', undefined, 2],
  ['the check runs come in an answer of their own', { rewrite: hideChecks }, 3],
])('a push cancels the running scan of the previous head (%s)', async (_, hiding, lists) => {
  let intercepted: Interception | undefined;
  const intercept = ({ point }: { readonly point: string }) =>
    point === 'graphql' ? intercepted : undefined;
  const scenario = await prepare({ ...HOLDING, github: { intercept } });
  const left = await runLost(scenario);
  intercepted = hiding;
  const before = countOf(scenario, 'github', 'check.list');
  const next = await runAgain(scenario, {
    ...pushed(scenario, scenario.headSha, scenario.repository.id('clean')),
    ...releasing(scenario, left),
  });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
  expect(statusOf(scenario, left)).toBe('CANCELLED');
  expect(scenario.environment.service.ledger().reserved).toBe(0);
  // The run cancels the older scan before it launches. The launch may need the credits that the older scan reserved.
  const points = scenario.environment.service.requests.map(({ point }) => point);
  expect(points.indexOf('scans.cancel')).toBeLessThan(points.lastIndexOf('scans.launch'));
  expect(countOf(scenario, 'github', 'check.list')).toBe(before + lists);
});

/** Pushes, but starts no run for the push. Returns a run for `action`. Its payload does not name the previous head. */
function withoutBefore(scenario: Scenario, action: string, headSha: string) {
  const { runId } = pushed(scenario, scenario.headSha, headSha);
  const payload = scenario.environment.pullRequestPayload({ action, headSha });
  return { event: { name: 'pull_request', payload }, runId };
}

test.each(['edited', 'reopened'])(
  'a run for the event `%s` finds the previous head in the comment, and cancels the scan of that head',
  async (action) => {
    const scenario = await prepare({
      service: { ...HOLDING.service, hideFields: { scanItem: ['commit'] } },
    });
    const { environment } = scenario;
    const first = await runAgain(scenario, releasing(scenario));
    expect(first.run.outputs, first.run.log).toMatchObject({ outcome: 'blocked' });
    const known = environment.github.checkRuns.length;
    const lost = await environment.run({
      inputs: { 'reuse-scan': 'false' },
      runAttempt: 2,
      onStart: ({ kill }) => {
        void environment.when(() => environment.github.checkRuns.length > known).then(() => kill('SIGKILL'));
      },
    });
    expect(lost.signal, lost.log).toBe('SIGKILL');
    const left = environment.service.scans()[0]?.id ?? '';
    expect(left).not.toBe(first.run.outputs['scan-id']);
    const next = await runAgain(scenario, {
      ...withoutBefore(scenario, action, scenario.repository.id('clean')),
      ...releasing(scenario, left),
    });
    expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed', 'scan-reused': 'false' });
    expect(statusOf(scenario, left)).toBe('CANCELLED');
    expect(environment.service.ledger().reserved).toBe(0);
  },
);

test('a push does not cancel the scan of another pull request, even if both have the same base', async () => {
  const repository = await openRepository();
  const pull = { headSha: repository.id('vulnerable'), baseRef: 'main' };
  const pullRequests = [7, 8].map((number) => ({ ...pull, number }));
  const scenario = await prepare({ ...HOLDING, github: { pullRequests } });
  const theirs = await runLost(scenario, 8);
  const next = await runAgain(scenario, {
    ...pushed(scenario, repository.id('medium'), repository.id('clean')),
    ...releasing(scenario, theirs),
  });
  expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'passed' });
  expect(statusOf(scenario, theirs)).toBe('QUEUED');
  expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
});

test.each([
  ['leaves nothing to scan', 'start', {}, { outcome: 'unchanged' }],
  [
    'changes only unscanned paths',
    'documents',
    { 'paths-unscanned': 'docs/**\n**/*.md' },
    { outcome: 'not-scanned', reason: 'paths' },
  ],
] as const)(
  'a push that %s cancels the running scan of the previous head',
  async (_what, head, inputs, outputs) => {
    const scenario = await prepare(HOLDING);
    const left = await runLost(scenario);
    const next = await runAgain(
      scenario,
      pushed(scenario, scenario.headSha, scenario.repository.id(head)),
      inputs,
    );
    expect(next.run.outputs, next.run.log).toMatchObject(outputs);
    expect(next.run.exitCode).toBe(0);
    expect(statusOf(scenario, left)).toBe('CANCELLED');
    expect(scenario.environment.service.ledger().reserved).toBe(0);
  },
);

const pushAgain = ({ environment, repository }: Scenario) =>
  environment.github.setHead(environment.pullRequest, repository.id('low'));
const close = ({ environment }: Scenario) =>
  environment.github.edit(environment.pullRequest, { state: 'closed' });

test.each([
  ['that has a change to scan', 'another push', 'clean', pushAgain, 'superseded'],
  ['that has nothing to scan', 'another push', 'start', pushAgain, 'superseded'],
  ['that has nothing to scan', 'the closing of the pull request', 'start', close, 'unsupported-event'],
] as const)(
  'a run %s launches nothing if GitHub goes down after %s',
  async (_what, _shown, head, change, reason) => {
    let reads: number | undefined;
    const scenario: Scenario = await prepare({
      service: {
        ...HOLDING.service,
        intercept: ({ point }) => {
          if (point === 'scans.read' && reads === 1) change(scenario);
          return undefined;
        },
      },
      github: {
        intercept: ({ point }) => {
          if (reads === undefined || (point !== 'graphql' && point !== 'pulls.read')) return undefined;
          reads += 1;
          return reads <= 2 ? undefined : { status: 502, body: 'Bad Gateway' };
        },
      },
    });
    const left = await runLost(scenario);
    reads = 0;
    const next = await runAgain(scenario, {
      ...pushed(scenario, scenario.headSha, scenario.repository.id(head)),
      ...releasing(scenario, left),
    });
    expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'not-scanned', reason });
    expect(next.run.exitCode).toBe(1);
    expect(scenario.environment.service.scans()).toHaveLength(1);
  },
);
