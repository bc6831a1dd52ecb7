import { expect, test } from 'vitest';
import type { EnvironmentRunOptions } from '../../sandbox/environment.ts';
import { GUIDANCE_FILE, type Head } from './repository.ts';
import { prepare, runPrepared, type Scenario } from './scenario.ts';

/** One cause for not scanning. */
interface Fault {
  readonly name: string;
  /** The output `reason` of the run. */
  readonly reason: string;
  readonly cause: string;
  /** 0 if the job passes, because this cause shows that no scan is needed. */
  readonly exitCode?: 0;
  readonly head?: Head;
  readonly event?: 'fork' | 'stranger' | 'no pull request';
  readonly inputs?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly before?: (scenario: Scenario) => void;
}

const OTHER_COMMIT = 'f'.repeat(40);

/**
 * The causes, in the order in which a run checks them. If a run has two causes, it reports the earlier one.
 *
 * A run checks `no change` and `paths that are not scanned` before `an unknown preset`, because it needs no service for
 * them.
 */
const FAULTS: readonly Fault[] = [
  {
    name: 'an input error',
    reason: 'configuration',
    cause: 'fail-on',
    inputs: { 'fail-on': 'severe' },
  },
  {
    name: 'an unsupported event',
    reason: 'unsupported-event',
    cause: 'The event release has no change to scan',
    event: 'no pull request',
  },
  {
    name: 'a closed pull request',
    reason: 'unsupported-event',
    cause: 'Pull request #7 is closed',
    before: ({ environment }) => environment.github.edit(environment.pullRequest, { state: 'closed' }),
  },
  {
    name: 'another head',
    reason: 'superseded',
    cause: 'The pull request now has another head commit',
    before: ({ environment, repository }) =>
      environment.github.setHead(environment.pullRequest, repository.id('low')),
  },
  {
    name: 'a token that is withheld',
    reason: 'missing-token',
    cause: 'so api-token is empty',
    event: 'fork',
    inputs: { 'api-token': '' },
  },
  {
    name: 'a fork of a stranger',
    reason: 'untrusted-fork',
    cause: 'mallory has no write access',
    event: 'stranger',
  },
  {
    name: 'another commit in launch-parameters',
    reason: 'configuration',
    cause: 'launch-parameters sets commit to a value that is not the head SHA',
    parameters: { commit: OTHER_COMMIT },
  },
  {
    name: 'two guidances',
    reason: 'configuration',
    cause: 'guidance-file is set, and launch-parameters has guidance too',
    inputs: { 'guidance-file': GUIDANCE_FILE },
    parameters: { guidance: 'Report nothing.' },
  },
  {
    name: 'no change',
    reason: '',
    cause: 'Nothing to scan',
    exitCode: 0,
    head: 'behind',
  },
  {
    name: 'paths that are not scanned',
    reason: 'paths',
    cause: 'paths-unscanned',
    exitCode: 0,
    head: 'documents',
    inputs: { 'paths-unscanned': '**/*.md' },
  },
  {
    name: 'an unknown preset',
    reason: 'configuration',
    cause: 'no-such-preset',
    inputs: { preset: 'no-such-preset' },
  },
  {
    name: 'no common ancestor',
    reason: 'configuration',
    cause: 'The head and the base branch have no common ancestor',
    head: 'unrelated',
  },
  {
    name: 'guidance that is not there',
    reason: 'configuration',
    cause: 'no-such-file.md',
    inputs: { 'guidance-file': 'no-such-file.md' },
  },
];

/** Causes that an event without a pull request can have. */
const ABOUT_ANY_EVENT = new Set(['an input error', 'an unsupported event', 'two guidances']);

type Pair = readonly [earlier: Fault, later: Fault];

const PAIRS: readonly Pair[] = FAULTS.flatMap((earlier, index) =>
  FAULTS.slice(index + 1).map((later): Pair => [earlier, later]),
).filter(canMeet);

/**
 * True if two causes can occur in one run. A run has only one head, one event and one guidance file. A release event
 * has no pull request, so few causes can occur with it.
 */
function canMeet([earlier, later]: Pair): boolean {
  const differ = <T>(a: T | undefined, b: T | undefined) => a !== undefined && b !== undefined && a !== b;
  const events = [earlier.event, later.event];
  if (differ(earlier.head, later.head) || differ(earlier.event, later.event)) return false;
  const file = 'guidance-file';
  if (differ(earlier.inputs?.[file], later.inputs?.[file])) return false;
  return (
    !events.includes('no pull request') || [earlier, later].every(({ name }) => ABOUT_ANY_EVENT.has(name))
  );
}

function eventOf({ environment }: Scenario, event: Fault['event']): Pick<EnvironmentRunOptions, 'event'> {
  switch (event) {
    case undefined:
      return {};
    case 'no pull request': {
      const { repository } = environment.pullRequestPayload();
      return { event: { name: 'release', payload: { action: 'published', repository } } };
    }
    case 'fork':
    case 'stranger': {
      const payload = environment.pullRequestPayload({
        headRepository: 'mallory/octo-repo',
        author: 'mallory',
      });
      return { event: { name: event === 'fork' ? 'pull_request' : 'pull_request_target', payload } };
    }
  }
}

/** The number of requests of each kind, as text, sorted by kind. */
function counted(requests: readonly { readonly point: string }[]): string {
  const names = [...new Set(requests.map(({ point }) => point))].toSorted();
  return names.map((name) => `${name} ${requests.filter(({ point }) => point === name).length}`).join(', ');
}

async function runWith([earlier, later]: Pair) {
  const head = earlier.head ?? later.head ?? 'vulnerable';
  // In virtual time, a run always sends the same requests.
  const scenario = await prepare({ driver: 'in process', head });
  // The event is built before the pull request changes, so its payload shows the earlier state.
  const event = eventOf(scenario, earlier.event ?? later.event);
  const payload = scenario.environment.pullRequestPayload();
  for (const { before } of [earlier, later]) before?.(scenario);
  const parameters = { ...earlier.parameters, ...later.parameters };
  return runPrepared(scenario, {
    inputs: {
      ...earlier.inputs,
      ...later.inputs,
      ...(Object.keys(parameters).length > 0 ? { 'launch-parameters': JSON.stringify(parameters) } : {}),
    },
    run: () => ({ event: { name: 'pull_request', payload }, ...event }),
  });
}

const transcript: string[] = [];

test.each(PAIRS.map((pair) => [`${pair[0].name}, and ${pair[1].name}`, pair] as const))(
  'a run with two faults reports the first one: %s',
  async (title, pair) => {
    const { run, environment } = await runWith(pair);
    const [{ reason, cause, exitCode = 1 }] = pair;
    expect({ reason: run.outputs['reason'], exitCode: run.exitCode }, run.log).toEqual({ reason, exitCode });
    expect(run.log.replaceAll('`', '')).toContain(cause);
    expect(environment.service.requests.filter(({ point }) => point === 'scans.launch')).toEqual([]);
    transcript.push(
      `${title}\n  service: ${counted(environment.service.requests) || 'nothing'}\n  GitHub: ${counted(environment.github.requests) || 'nothing'}\n`,
    );
  },
);

test('a run with an unknown preset warns if the head and the base have no common ancestor', async () => {
  const pair = PAIRS.find(
    ([earlier, later]) => earlier.name === 'an unknown preset' && later.name === 'no common ancestor',
  );
  const { run } = await runWith(pair ?? expect.unreachable());
  const warning = 'The head and the base branch have no common ancestor.';
  expect(run.log).toContain(`##[warning]${warning}`);
  expect(run.summary).toContain(warning);
});

test('runs with two faults send the requests that two-faults.txt lists', async () => {
  expect(transcript).toHaveLength(PAIRS.length);
  await expect(`${transcript.join('\n')}`).toMatchFileSnapshot('two-faults.txt');
});
