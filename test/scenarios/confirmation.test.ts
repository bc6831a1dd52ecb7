import { describe, expect, test } from 'vitest';
import type { Answer, Interception } from '../../sandbox/faults/interception.ts';
import { expectNotScanned } from './expect-result.ts';
import { countOf } from './reuse.ts';
import { prepare, runPrepared, type Scenario, type ScenarioOptions } from './scenario.ts';

const PUSHED = { texts: ['now has another head'] };
const DOWN: Interception = { status: 502, body: 'Bad Gateway' };
const HANGS: Interception = { fault: 'hang-before' };
/** While GitHub is down, one read of the pull request sends three requests by GraphQL and three by REST. */
const ATTEMPTS_OF_ONE_READ = 6;
const FIRST_READ = 1;
const CONFIRMATION_FAILED = FIRST_READ + ATTEMPTS_OF_ONE_READ;

interface Options extends Pick<ScenarioOptions, 'service' | 'driver'> {
  readonly inputs?: Readonly<Record<string, string>>;
}

const push = ({ environment, repository }: Scenario) =>
  environment.github.setHead(environment.pullRequest, repository.id('low'));

/** Runs the action on a clean change. `answerTo` gets the number of each request that reads the pull request. */
async function runReading(
  answerTo: (request: number, scenario: Scenario) => Interception | undefined,
  { service = {}, inputs, ...options }: Options = {},
) {
  let reads = 0;
  const scenario: Scenario = await prepare({
    ...options,
    head: 'clean',
    service,
    github: {
      intercept: ({ point }) => {
        if (point !== 'graphql' && point !== 'pulls.read') return undefined;
        reads += 1;
        return answerTo(reads, scenario);
      },
    },
  });
  return runPrepared(scenario, { inputs: { comment: 'always', ...inputs } });
}

/** Changes the answer of GraphQL. Each change is a pattern, and the text that replaces its first match. */
function showing(...changes: readonly (readonly [RegExp, string])[]): Interception {
  return {
    rewrite: (answer: Answer): Answer => {
      const text = changes.reduce((body, [from, to]) => body.replace(from, to), JSON.stringify(answer.body));
      return { ...answer, body: JSON.parse(text) };
    },
  };
}

describe('the timeout of the step ends the last read of the pull request', () => {
  test.each(['always', 'on-findings', 'never'])(
    'a run with `comment: %s` does not pass if GitHub shows a push after the timeout',
    async (comment) => {
      const result = await runReading(
        (request, scenario) => {
          if (request === 1) return undefined;
          if (request === 3) push(scenario);
          return request <= 3 ? HANGS : undefined;
        },
        { inputs: { comment, 'timeout-minutes': '1' } },
      );
      expectNotScanned(result, 'superseded', { launches: 1, ...PUSHED });
    },
  );

  test('a run that ends with exit code 0 does not read the pull request after the verdict', async () => {
    const result = await runReading(
      (request, scenario) => {
        if (request === 1) return undefined;
        push(scenario);
        return request === 2 ? HANGS : undefined;
      },
      {
        service: { pace: { hold: true } },
        inputs: { 'timeout-minutes': '1', 'allow-unscanned': 'timeout' },
      },
    );
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'not-scanned', reason: 'timeout' });
    expect(result.run.exitCode).toBe(0);
    expect(countOf(result, 'github', 'graphql')).toBe(2);
  });
});

describe('GitHub fails in the last read of a run, and then answers with an older state', () => {
  test.each<[string, Interception]>([
    ['the pull request', { status: 404, body: { message: 'Not Found' } }],
    ['the base branch of the pull request', showing([/"baseRef":\{[^}]*\}\}/, '"baseRef":null'])],
  ])('a run passes and writes its comment if GitHub does not show %s for a moment', async (_, lagging) => {
    const result = await runReading((request) => {
      if (request <= FIRST_READ || request > CONFIRMATION_FAILED + 2) return undefined;
      return request <= CONFIRMATION_FAILED ? DOWN : lagging;
    });
    expect(result.run.outputs, result.run.log).toMatchObject({ outcome: 'passed' });
    expect(result.environment.github.comments).toHaveLength(1);
  });

  test('a run does not pass if GitHub first shows an older state, and then a push', async () => {
    const result = await runReading((request, scenario) => {
      if (request <= FIRST_READ || request > CONFIRMATION_FAILED + 1) return undefined;
      if (request <= CONFIRMATION_FAILED) return DOWN;
      push(scenario);
      return showing(
        [/"headRefOid":"[0-9a-f]+"/, `"headRefOid":"${scenario.repository.id('medium')}"`],
        [/"updatedAt":"[^"]+"/, '"updatedAt":"2020-01-01T00:00:00Z"'],
      );
    });
    expectNotScanned(result, 'superseded', { launches: 1, ...PUSHED });
  });
});
