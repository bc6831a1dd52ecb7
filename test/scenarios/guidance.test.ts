import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { objectAt } from '../../sandbox/json.ts';
import { fullScan, push } from './branch-events.ts';
import { allowing, BOTH_WAYS, expectNotScanned } from './expect-result.ts';
import { GUIDANCE, GUIDANCE_FILE } from './repository.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const INPUTS = { 'guidance-file': GUIDANCE_FILE };
const STORED = 'Payments are out of scope.';

/** Options of a run whose base branch has the guidance file, and whose input names this file. */
function guided(options: ScenarioOptions = {}): ScenarioOptions {
  return { head: 'guided change', baseRef: 'guided', inputs: INPUTS, ...options };
}

/** The guidance in each launch request, the newest request first. */
function sentGuidance({ environment }: Scenario): unknown[] {
  return environment.service.requests
    .filter(({ point }) => point === 'scans.launch')
    .map(({ body }) =>
      typeof body === 'object' && body !== null ? Reflect.get(body, 'guidance') : undefined,
    )
    .reverse();
}

const storing = (guidance: string): NonNullable<ScenarioOptions['service']> => {
  return ({ dir }) => ({
    repositories: [{ owner: 'octo-org', name: 'octo-repo', gitDir: dir, guidance }],
  });
};

describe('the guidance that is sent', () => {
  test('a run does not show the text of the guidance file that it sends', async () => {
    const result = await runScenario(guided({ inputs: { ...INPUTS, 'report-file': 'report.json' } }));
    const { run, environment, repository } = result;
    expect(run.outputs, run.log).toMatchObject({ outcome: 'blocked' });
    expect(sentGuidance(result)).toEqual([GUIDANCE]);
    const digits = createHash('sha256').update(GUIDANCE).digest('hex').slice(0, 8);
    const places = [run.log, run.summary, environment.github.checkRuns[0]?.output.summary ?? ''];
    for (const place of places) {
      for (const shown of [GUIDANCE_FILE, repository.id('guided').slice(0, 7), '24 characters', digits])
        expect(place).toContain(shown);
    }
    expect(JSON.stringify([places, environment.github.comments])).not.toContain('parser');
    expect(environment.github.comments[0]?.body).not.toContain(digits);
  });

  test('guidance from a file costs three requests to GitHub and one to the service', async () => {
    const [without, withFile] = [
      await runScenario(guided({ inputs: {} })),
      await runScenario(guided()),
    ] as const;
    const requests = ({ environment }: Scenario) => [
      environment.github.requests.length,
      environment.service.requests.length,
    ];
    const [github = 0, service = 0] = requests(without);
    expect(requests(withFile)).toEqual([github + 3, service + 1]);
    expect(countOf(withFile, 'github', 'tree')).toBe(2);
    expect(countOf(withFile, 'github', 'blob')).toBe(1);
    expect(countOf(without, 'service', 'guidance.read')).toBe(0);
  });

  test('a run sends the stored guidance, an empty line and the guidance file', async () => {
    const result = await runScenario(guided({ service: storing(`${STORED}\n`) }));
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked' });
    expect(sentGuidance(result)).toEqual([`${STORED}\n\n${GUIDANCE}`]);
  });

  test('a run sends the guidance once if the stored text equals the guidance file', async () => {
    const result = await runScenario(guided({ service: storing(GUIDANCE.trim()) }));
    expect(sentGuidance(result)).toEqual([GUIDANCE]);
  });
});

describe('the version of the guidance file', () => {
  test('guidance is read from the base branch even if the pull request changes the file', async () => {
    const result = await runScenario(guided({ head: 'changes guidance' }));
    expect(sentGuidance(result)).toEqual([GUIDANCE]);
  });

  test('a run fails if only the head has the guidance file', async () => {
    const result = await runScenario(guided({ baseRef: 'stable', head: 'changes guidance' }));
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: [
        `There is no file ${GUIDANCE_FILE} at commit`,
        'merge it into the base branch first, and set guidance-file after that',
      ],
    });
  });

  test('the input `base-commit` does not change the guidance', async () => {
    const result = await runScenario(
      guided({ inputs: ({ repository }) => ({ ...INPUTS, 'base-commit': repository.id('behind') }) }),
    );
    expect(sentGuidance(result)).toEqual([GUIDANCE]);
  });

  test('guidance is read from the tip of the base branch, not from the head or the merge base', async () => {
    const scenario = await prepare(guided({ head: 'guided change', baseRef: 'misguided' }));
    const result = await runPrepared(scenario, { inputs: INPUTS });
    expect(sentGuidance(result)).toEqual(['Report nothing.\n']);
  });

  test('for a push, guidance is read from the commit before the push', async () => {
    const scenario = await prepare(guided({ head: 'changes guidance' }));
    const before = scenario.repository.id('guided');
    const result = await runAgain(scenario, push(scenario, { branch: 'guided', before }), INPUTS);
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked' });
    expect(sentGuidance(scenario)).toEqual([GUIDANCE]);
  });

  test('for a full scan, guidance is read from the scanned commit', async () => {
    const scenario = await prepare(guided());
    const result = await runAgain(scenario, fullScan(scenario, 'schedule'), INPUTS);
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked', 'scan-kind': 'full' });
    expect(sentGuidance(scenario)).toEqual([GUIDANCE]);
  });
});

describe('a paid scan', () => {
  test('a re-run with the same guidance uses the paid scan', async () => {
    const scenario = await prepare(guided());
    await runPrepared(scenario, { inputs: INPUTS });
    const again = await runAgain(scenario, { runAttempt: 2 }, INPUTS);
    expect(again.run.outputs, again.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'true' });
    expectPaid(scenario, 1);
  });

  test('a run does not use the paid scan if the new base branch has other guidance', async () => {
    const scenario = await prepare(guided({ head: 'vulnerable', baseRef: 'misguided' }));
    await runPrepared(scenario, { inputs: INPUTS });
    const { environment } = scenario;
    environment.github.setBase(environment.pullRequest, 'guided');
    const payload = environment.pullRequestPayload({
      action: 'edited',
      baseRef: 'guided',
      changes: { base: { ref: { from: 'misguided' } } },
    });
    const next = await runAgain(
      scenario,
      { event: { name: 'pull_request', payload }, runId: 9_000_000_002 },
      INPUTS,
    );
    expect(next.run.outputs, next.run.log).toMatchObject({ outcome: 'blocked', 'scan-reused': 'false' });
    expect(sentGuidance(scenario)).toEqual([GUIDANCE, 'Report nothing.\n']);
  });

  test('a run with guidance does not use a paid scan without guidance', async () => {
    const scenario = await prepare(guided());
    await runPrepared(scenario, { inputs: {} });
    const next = await runAgain(scenario, { runAttempt: 2 }, INPUTS);
    expect(next.run.outputs).toMatchObject({ 'scan-reused': 'false' });
    expect(sentGuidance(scenario)).toEqual([GUIDANCE, undefined]);
  });
});

describe('incomplete guidance is never sent', () => {
  test.each(BOTH_WAYS)(
    'nothing is launched if the stored guidance cannot be read ($way)',
    async ({ allowed }) => {
      const result = await runScenario(
        guided({
          service: {
            intercept: ({ point }) =>
              point === 'guidance.read'
                ? { status: 500, body: { error: { code: 'internal', message: 'x' } } }
                : undefined,
          },
          inputs: { ...INPUTS, ...allowing('service-error', allowed) },
        }),
      );
      expectNotScanned(result, 'service-error', {
        allowed,
        launches: 0,
        texts: ['Could not read the stored guidance', 'nothing was launched'],
      });
    },
  );

  test.each([
    [403, 'configuration', 'Add contents: read'],
    [500, 'service-error', 'Re-run this job'],
  ])('nothing is launched if the request for the guidance file gets %i', async (status, reason, text) => {
    const result = await runScenario(
      guided({
        github: {
          intercept: ({ point }) =>
            point === 'blob'
              ? { status, body: { message: 'Resource not accessible by integration' } }
              : undefined,
        },
      }),
    );
    expectNotScanned(result, reason, { launches: 0, texts: ['Could not read the guidance file', text] });
  });

  test('nothing is launched if both `guidance-file` and `launch-parameters` give guidance', async () => {
    const result = await runScenario(
      guided({ inputs: { ...INPUTS, 'launch-parameters': '{"guidance": "Report nothing."}' } }),
    );
    expectNotScanned(result, 'configuration', {
      launches: 0,
      texts: ['guidance-file is set, and launch-parameters has guidance too', 'Keep one of them'],
    });
  });
});

describe('the guidance in a stack', () => {
  const layerOn = (stack: unknown) => (scenario: Scenario) => {
    const payload = scenario.environment.pullRequestPayload();
    const pullRequest = { ...objectAt(payload, 'pull_request'), stack };
    return { event: { name: 'pull_request', payload: { ...payload, pull_request: pullRequest } } };
  };

  test('a run reads the guidance of a layer from the branch on which the stack is built', async () => {
    // The base, `main`, has no guidance file.
    const run = layerOn({ id: 1, position: 2, base: { ref: 'guided' } });
    const result = await runScenario({ inputs: INPUTS, run });
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked' });
    expect(sentGuidance(result)).toEqual([GUIDANCE]);
  });

  test.each([
    ['has no name', { base: {} }],
    ['is gone', { base: { ref: 'no-such-branch' } }],
    ['is malformed', 'guided'],
  ])('a run launches nothing if the branch below the stack %s', async (_what, stack) => {
    const result = await runScenario(guided({ run: layerOn(stack) }));
    expectNotScanned(result, 'service-error', {
      launches: 0,
      texts: ['the branch on which the stack is built'],
    });
  });

  test('outside of a stack, a run reads the guidance from the base branch', async () => {
    const result = await runScenario(guided({ run: layerOn(null) }));
    expect(sentGuidance(result)).toEqual([GUIDANCE]);
  });
});
