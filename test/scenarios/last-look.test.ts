import { expect, test } from 'vitest';
import type { Interception } from '../../sandbox/faults/interception.ts';
import { expectNotScanned } from './expect-result.ts';
import { countOf } from './reuse.ts';
import { runScenario, type Scenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts';

/** Delays the list of findings by this many seconds, and then calls `then`. */
function slowFindings(seconds: number, then?: (scenario: Scenario) => void): ScenarioOptions {
  let scenario: Scenario | undefined;
  return {
    service: {
      intercept: ({ point, count }) => {
        if (point !== 'findings.list') return undefined;
        if (count === 1)
          return {
            status: 429,
            headers: { 'retry-after': String(seconds) },
            body: { error: 'rate_limited' },
          };
        if (scenario !== undefined) then?.(scenario);
        return undefined;
      },
    },
    before: (opened) => {
      scenario = opened;
    },
  };
}

const push = ({ environment, repository }: Scenario) =>
  environment.github.setHead(environment.pullRequest, repository.id('low'));

const looks = (result: ScenarioResult) => countOf(result, 'github', 'graphql');

test('a clean run reads the pull request twice if the list of findings comes after 2 seconds', async () => {
  const result = await runScenario({ head: 'clean', ...slowFindings(2) });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
  expect(looks(result)).toBe(2);
});

test('a clean run notices a push that comes while it waits for the list of findings', async () => {
  const result = await runScenario({ head: 'clean', ...slowFindings(6, push) });
  expectNotScanned(result, 'superseded', { launches: 1, texts: ['now has another head'] });
  expect(looks(result)).toBe(3);
});

test('a clean run does not pass if GitHub shows a push and then fails', async () => {
  const late = slowFindings(30);
  let scenario: Scenario | undefined;
  const result = await runScenario({
    head: 'clean',
    ...late,
    before: (opened) => {
      scenario = opened;
      return late.before?.(opened);
    },
    github: {
      intercept: ({ point, count }) => {
        if (point !== 'graphql' && point !== 'pulls.read') return undefined;
        if (point === 'graphql' && count === 2 && scenario !== undefined) push(scenario);
        return point === 'graphql' && count <= 2 ? undefined : { status: 502, body: 'Bad Gateway' };
      },
    },
  });
  expectNotScanned(result, 'superseded', { launches: 1, texts: ['now has another head'] });
});

test('a blocked run reads the pull request twice if the list of findings comes after 2 seconds', async () => {
  const result = await runScenario({ head: 'vulnerable', ...slowFindings(2) });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked' });
  expect(looks(result)).toBe(2);
  expect(result.environment.github.comments).toHaveLength(1);
});

test('a blocked run writes no comment if a push comes while it waits for the list of findings', async () => {
  const result = await runScenario({ head: 'vulnerable', ...slowFindings(6, push) });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'blocked' });
  expect(looks(result)).toBe(3);
  expect(result.environment.github.comments).toEqual([]);
});

test('a clean run writes no comment if a push comes while it waits to publish the scan', async () => {
  let scenario: Scenario | undefined;
  const result = await runScenario({
    driver: 'in process',
    head: 'clean',
    inputs: { publish: 'always', comment: 'always' },
    before: (opened) => {
      scenario = opened;
    },
    service: {
      intercept: ({ point, count }) => {
        if (point !== 'scans.publish' || count > 1) return undefined;
        if (scenario !== undefined) push(scenario);
        return { status: 429, headers: { 'retry-after': '60' }, body: { error: 'rate_limited' } };
      },
    },
  });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
  expect(result.run.outputs['public-url']).not.toBe('');
  expect(result.environment.github.comments).toEqual([]);
});

test('a clean run reads the pull request again for the comment if GitHub fails until the scan is published', async () => {
  let isFailing = false;
  const result = await runScenario({
    driver: 'in process',
    head: 'clean',
    inputs: { publish: 'always', comment: 'always' },
    github: {
      intercept: ({ point }) =>
        isFailing && (point === 'graphql' || point === 'pulls.read')
          ? { status: 502, body: 'Bad Gateway' }
          : undefined,
    },
    service: {
      intercept: ({ point, count }) => {
        if (point === 'findings.list') isFailing = true;
        if (point !== 'scans.publish') return undefined;
        isFailing = false;
        if (count > 1) return undefined;
        return { status: 429, headers: { 'retry-after': '60' }, body: { error: 'rate_limited' } };
      },
    },
  });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
  expect(result.run.outputs['public-url']).not.toBe('');
  expect(result.environment.github.comments).toHaveLength(1);
});

test.each([
  ['vulnerable', 'blocked', 1],
  ['clean', 'passed', 2],
] as const)(
  'for a %s change with `comment: never` (outcome %s), the number of reads of the pull request is %i',
  async (head, outcome, count) => {
    const result = await runScenario({ head, inputs: { comment: 'never' } });
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome });
    expect(looks(result)).toBe(count);
  },
);

test('a run that cannot read the findings reads the pull request for the comment again', async () => {
  const result = await runScenario({
    driver: 'in process',
    head: 'vulnerable',
    inputs: { 'timeout-minutes': '30' },
    service: { intercept: ({ point }) => (point === 'findings.list' ? { status: 403 } : undefined) },
  });
  expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned' });
  expect(looks(result)).toBe(3);
});

test.each([
  ['passes', 600, { outcome: 'passed', reason: '' }],
  ['does not pass', 1000, { outcome: 'not-scanned', reason: 'service-error' }],
] as const)(
  'if GitHub never shows the pull request, a run %s %i seconds after the event',
  async (_ends, seconds, outputs) => {
    const failing: Interception = { status: 502, body: 'Bad Gateway' };
    const { run } = await runScenario({
      ...slowFindings(seconds),
      driver: 'in process',
      head: 'clean',
      github: {
        intercept: ({ point }) => (point === 'graphql' || point === 'pulls.read' ? failing : undefined),
      },
      inputs: { 'timeout-minutes': '30' },
    });
    expect(run.outputs, run.log).toMatchObject(outputs);
  },
);
