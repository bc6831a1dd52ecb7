import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import type { HiddenFields, ScanServiceOptions } from '../../sandbox/scan-service/options.ts';
import { EVERYTHING_ALLOWED, expectNotScanned, expectResult } from './expect-result.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';
import { HIDDEN_SCOPE, isOfStranger, launchAsStranger, TWO_USERS } from './stranger.ts';

const atLaunch = (interception: Interception): Pick<ScanServiceOptions, 'intercept'> => ({
  intercept: ({ point }) => (point === 'scans.launch' ? interception : undefined),
});

describe('a service that hides what a scan covers', () => {
  test('a run cancels the scan of its lost launch', async () => {
    const scenario = await prepare({
      service: {
        hideFields: HIDDEN_SCOPE,
        pace: { phasesPerPoll: 1 },
        intercept: ({ point, count }) =>
          point === 'scans.launch' && count === 1 ? { fault: 'reset-after' } : undefined,
      },
    });
    const result = await runPrepared(scenario);
    const [scan] = scenario.environment.service.scans();
    expectNotScanned(result, 'launch-unknown', {
      launches: 1,
      texts: [
        'Could not confirm the launch of the scan: ',
        `The service lists one new scan of this change, ${scan?.id}, but does not show all that can narrow it`,
        `Cancelled scan ${scan?.id}.`,
        'Re-run this job.',
      ],
      scanKnown: false,
    });
    expect(scan).toMatchObject({ status: 'CANCELLED' });
    expect(result.run.summary).toContain('at least 20 credits in 1 scan of this pull request');
    const again = await runAgain(scenario, { runAttempt: 2 });
    expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expectPaid(scenario, 2);
  });

  test.each<[string, HiddenFields]>([
    ['budget, audit areas and guidance are hidden', HIDDEN_SCOPE],
    [
      'budget, audit areas, guidance, repository and preset are hidden',
      { ...HIDDEN_SCOPE, scanDetail: [...(HIDDEN_SCOPE.scanDetail ?? []), 'repositoryId', 'presetRef'] },
    ],
  ])('`post` cancels the scan of a run that was killed during its launch (%s)', async (_what, hideFields) => {
    const { environment } = await prepare({
      service: { hideFields, pace: { hold: true }, ...atLaunch({ fault: 'hang-after' }) },
    });
    const { service } = environment;
    const main = await environment.run({
      onStart: ({ kill }) => {
        void environment.when(() => service.scans().length > 0).then(() => kill('SIGKILL'));
      },
    });
    expect(service.scans()).toMatchObject([{ status: 'QUEUED' }]);
    const post = await environment.run({ step: 'post', state: main.state });
    expect(post.exitCode, post.log).toBe(0);
    expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
    expect(service.ledger()).toMatchObject({ reserved: 0 });
  });

  test("a run with a lost launch does not use another user's scan", async () => {
    const { result } = await runBesideStranger({ hideFields: HIDDEN_SCOPE }, { guidance: 'Report nothing.' });
    expect(result.run.exitCode).toBe(1);
    expect(result.run.outputs, result.run.log).toMatchObject({
      outcome: 'not-scanned',
      reason: 'launch-unknown',
      'scan-id': '',
    });
  });
});

/** Makes `guidanceApplied` show the text of the guidance, and not only the word `scan`. */
const showGuidanceText = (answer: Answer): Answer => {
  const shown = v.safeParse(GUIDED, answer.body);
  if (!shown.success) return answer;
  const { scan } = shown.output;
  return { ...answer, body: { ...shown.output, scan: { ...scan, guidanceApplied: 'Look at SQL only.' } } };
};
const GUIDED = v.looseObject({ scan: v.looseObject({ guidanceApplied: v.literal('scan') }) });

test('a run finds the scan of its lost launch beside a scan of another step', async () => {
  const scenario = await prepare({
    service: {
      pace: { phasesPerPoll: 1 },
      retryAfterSeconds: 8,
      intercept: ({ point, count }) => {
        if (point === 'scans.read') return { rewrite: showGuidanceText };
        return point === 'scans.launch' && count === 1 ? { fault: 'reset-after' } : undefined;
      },
    },
  });
  const guided = { 'check-name': 'Guided', 'launch-parameters': '{"guidance": "Look at SQL only."}' };
  const jobs = await Promise.all(
    [{}, guided].map((inputs) => runPrepared(scenario, { inputs: { ...inputs, 'timeout-minutes': '20' } })),
  );
  const logs = jobs.map(({ run }) => run.log).join('\n---\n');
  for (const { run } of jobs) {
    expect(run.outputs, logs).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
  }
  expectPaid(scenario, 2);
});

test('a run with a lost launch finds its scan if only the progress of the scan shows the budget', async () => {
  const result = await prepare({
    service: { hideFields: { scanDetail: ['creditBudget'] }, ...atLaunch({ fault: 'reset-after' }) },
  }).then(runPrepared);
  expectResult(result, {
    outcome: 'blocked',
    exitCode: 1,
    conclusion: 'failure',
    launches: 1,
    texts: ['Blocked: 2 findings'],
  });
});

test("a run with a lost launch does not cancel another user's scan that has half the budget", async () => {
  const hideFields = { scanDetail: [...(HIDDEN_SCOPE.scanDetail ?? [])] };
  const { result, scenario } = await runBesideStranger(
    { hideFields, pace: { hold: true } },
    {},
    {
      'credit-budget': '40',
    },
  );
  expect(result.run.outputs, result.run.log).toMatchObject({ reason: 'launch-unknown' });
  expect(scenario.environment.service.scans()).toMatchObject([{ status: 'QUEUED' }]);
  expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
});

describe('a launch answer with an unknown id', () => {
  const renamed: Interception = {
    rewrite: (answer) => ({ ...answer, body: { scanId: 'launch_4711', status: 'QUEUED' } }),
  };

  test('a run finds its scan in the list if the launch answer has an unknown id', async () => {
    const result = await prepare({ service: atLaunch(renamed) }).then(runPrepared);
    expectResult(result, {
      outcome: 'blocked',
      exitCode: 1,
      conclusion: 'failure',
      launches: 1,
      texts: ['Blocked: 2 findings'],
    });
  });

  test('`post` cancels the scan of a killed run if the launch answer has an unknown id', async () => {
    const { environment } = await prepare({ service: { pace: { hold: true }, ...atLaunch(renamed) } });
    const { service } = environment;
    const main = await environment.run({
      onStart: ({ kill }) => {
        void environment
          .when(() => service.requests.some(({ point }) => point === 'scans.read'))
          .then(() => kill('SIGKILL'));
      },
    });
    const post = await environment.run({ step: 'post', state: main.state });
    expect(post.exitCode, post.log).toBe(0);
    expect(service.scans()).toMatchObject([{ status: 'CANCELLED' }]);
  });
});

/** Adds a scan without an id to the list. */
const withoutAnId = (answer: Answer): Answer => {
  const { items, total, ...rest } = v.parse(LIST, answer.body);
  return { ...answer, body: { ...rest, items: [...items, { status: 'RUNNING' }], total: total + 1 } };
};
const LIST = v.looseObject({ items: v.array(v.unknown()), total: v.number() });

describe('a launch answer that names an older scan', () => {
  /**
   * Another user launches a scan. When the action sends its launch, the service names that scan, and launches nothing.
   */
  async function answeredWithTheirs(service: Partial<ScanServiceOptions>) {
    let theirs = '';
    let scenario: Scenario | undefined;
    scenario = await prepare({
      service: {
        ...TWO_USERS,
        ...service,
        intercept: ({ point, headers }) =>
          point === 'scans.launch' && scenario !== undefined && !isOfStranger(scenario, headers.authorization)
            ? { status: 202, body: { scanId: theirs } }
            : undefined,
      },
    });
    theirs = await launchAsStranger(scenario);
    return { scenario, theirs };
  }

  test('a run uses an older scan that the launch answer names', async () => {
    const { scenario, theirs } = await answeredWithTheirs({});
    const result = await runPrepared(scenario);
    expect(result.run.outputs, result.run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': theirs,
      'scan-reused': 'true',
    });
  });

  test('a run that times out does not cancel an older scan that the launch answer names', async () => {
    const { scenario } = await answeredWithTheirs({ pace: { hold: true } });
    const result = await runPrepared(scenario, { inputs: EVERYTHING_ALLOWED });
    expect(result.run.outputs, result.run.log).toMatchObject({ reason: 'timeout' });
    expect(result.run.state['running-scan']).toBe('');
    expect(scenario.environment.service.scans()).toMatchObject([{ status: 'QUEUED' }]);
    expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
  });

  test('a run does not cancel the scan in the launch answer if the list has a scan without an id', async () => {
    let theirs = '';
    let scenario: Scenario | undefined;
    scenario = await prepare({
      service: {
        ...TWO_USERS,
        pace: { hold: true },
        intercept: ({ point, headers }) => {
          if (point === 'scans.list') return { rewrite: withoutAnId };
          return point === 'scans.launch' && scenario && !isOfStranger(scenario, headers.authorization)
            ? { status: 202, body: { scanId: theirs } }
            : undefined;
        },
      },
    });
    theirs = await launchAsStranger(scenario);
    const result = await runPrepared(scenario);
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned' });
    expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
  });

  test('a run neither uses nor cancels an older scan if the service hides what that scan covers', async () => {
    const { scenario, theirs } = await answeredWithTheirs({ hideFields: HIDDEN_SCOPE });
    const result = await runPrepared(scenario);
    expect(result.run.exitCode).toBe(1);
    expect(result.run.outputs, result.run.log).toMatchObject({ reason: 'launch-unknown', 'scan-id': '' });
    expect(result.run.log).toContain(`the service answered with scan \`${theirs}\` from before the launch`);
    expect(countOf(scenario, 'service', 'scans.cancel')).toBe(0);
  });
});

/**
 * Runs the action. Another user launches a scan of the same change. Then the service answers the action's launch with
 * 503, and starts no scan for it.
 */
async function runBesideStranger(
  service: Partial<ScanServiceOptions>,
  extra: Readonly<Record<string, unknown>>,
  inputs: Readonly<Record<string, string>> = {},
) {
  let scenario: Scenario | undefined;
  scenario = await prepare({
    service: {
      ...TWO_USERS,
      ...service,
      intercept: async ({ point, headers }) => {
        if (point !== 'scans.launch' || scenario === undefined) return undefined;
        const own = scenario;
        if (isOfStranger(own, headers.authorization)) return undefined;
        await own.environment.hold(() => launchAsStranger(own, extra));
        return { status: 503, body: 'Service Unavailable' };
      },
    },
  });
  return { scenario, result: await runPrepared(scenario, { inputs }) };
}
