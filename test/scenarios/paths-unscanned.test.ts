import { describe, expect, test } from 'vitest';
import { mergeGroupEvent } from '../../sandbox/events.ts';
import { push } from './branch-events.ts';
import { EVERYTHING_ALLOWED, expectNotScanned, expectResult } from './expect-result.ts';
import { GUIDANCE_FILE, type Head } from './repository.ts';
import { countOf, expectPaid, runAgain } from './reuse.ts';
import { prepare, runPrepared, runScenario, type Scenario, type ScenarioOptions } from './scenario.ts';

const INPUTS = { 'paths-unscanned': 'docs/**\n**/*.md' };
const SAYS = [
  'Not scanned (allowed): only files that need no scan',
  'All 2 changed files match paths-unscanned: README.md, docs/guide/start.md.',
  'Passing because the workflow sets paths-unscanned.',
];

/** The only text of `SAYS` that every output shows. The log lacks the other two texts. */
const IN_ALL_PLACES = SAYS.slice(1, 2);

function groupOf({ environment, repository }: Scenario, head: Head) {
  const payload = mergeGroupEvent({
    repository: environment.repository,
    visibility: 'private',
    serverUrl: environment.github.serverUrl,
    headSha: repository.id(head),
    baseSha: repository.id('start'),
    baseRef: 'stable',
    pullRequest: environment.pullRequest,
  });
  return { event: { name: 'merge_group', payload }, runId: 9_000_000_040 };
}

describe('a change that touches only documents', () => {
  test('the run passes without a scan, and the check run is neutral', async () => {
    const result = await runScenario({ head: 'documents', inputs: { ...INPUTS, comment: 'always' } });
    expectNotScanned(result, 'paths', { allowed: true, launches: 0, texts: IN_ALL_PLACES });
    for (const text of [SAYS[0], 'Passing because the workflow sets'])
      expect(result.run.summary).toContain(text);
    expect(result.environment.service.ledger().entries).toHaveLength(1);
    // The action reads five folders: the root, `docs` and `docs/guide` of the head, the root of the base, and the root
    // of the base branch's tip. The base has no `docs`.
    expect(countOf(result, 'github', 'tree')).toBe(5);
    expect(result.run.outputs['base-commit']).toBe(result.repository.id('start'));
  });

  test('the run passes even if the service is down', async () => {
    const result = await runScenario({
      head: 'documents',
      inputs: INPUTS,
      service: { intercept: () => ({ status: 503, body: 'Service Unavailable' }) },
    });
    expectNotScanned(result, 'paths', { allowed: true, launches: 0, texts: IN_ALL_PLACES });
  });

  test('a merge group that touches only documents is not scanned', async () => {
    const scenario = await prepare({ head: 'documents', baseRef: 'stable' });
    const group = await runAgain(scenario, groupOf(scenario, 'documents'), INPUTS);
    expectNotScanned(group, 'paths', { allowed: true, launches: 0, texts: IN_ALL_PLACES });
  });

  test('a push that touches only documents is scanned', async () => {
    const scenario = await prepare({ head: 'documents', baseRef: 'stable' });
    const before = scenario.repository.id('start');
    const pushed = await runAgain(scenario, push(scenario, { before }), INPUTS);
    expect(pushed.run.outputs, pushed.run.log).toMatchObject({ outcome: 'passed' });
    expectPaid(scenario, 1);
    expect(countOf(scenario, 'github', 'tree')).toBe(0);
  });

  test('the run does not use the scan of an earlier run', async () => {
    const scenario = await prepare({ head: 'documents' });
    await runPrepared(scenario);
    const again = await runAgain(scenario, { runAttempt: 2 }, INPUTS);
    expect(again.run.outputs).toMatchObject({ outcome: 'not-scanned', reason: 'paths', 'scan-id': '' });
    expectPaid(scenario, 1);
  });

  test('the run fails if an input is wrong', async () => {
    const inputs = { ...INPUTS, ...EVERYTHING_ALLOWED, 'fail-on': 'nothing' };
    const result = await runScenario({ head: 'documents', inputs });
    expectNotScanned(result, 'configuration', { launches: 0, texts: ['fail-on'] });
  });
});

describe('a base branch that changed since the merge base', () => {
  const inputs = { 'paths-unscanned': 'docs/**' };

  test.each<Head>(['edits docs', 'adds to docs'])(
    'a head that %s is not scanned if the base branch has only added another file to docs',
    async (head) => {
      const result = await runScenario({ head, baseRef: 'elsewhere', inputs });
      expectNotScanned(result, 'paths', { allowed: true, launches: 0, texts: [] });
    },
  );

  test.each<[Head, string]>([
    ['edits docs', 'docs'],
    ['adds to docs', 'docs'],
  ])('a head that %s is scanned if the base branch has moved a file out of docs', async (head, moved) => {
    const result = await runScenario({ head, baseRef: 'relocated', inputs });
    expect(result.run.log).toContain(`\`${moved}\` has changed on the base branch`);
    expect(result.run.outputs['reason'], result.run.log).toBe('');
    expectPaid(result, 1);
  });

  test.each([
    ['status 403', { status: 403, body: { message: 'Resource not accessible by integration' } }],
    ['a list that is cut', { status: 200, body: { sha: 'x', tree: [], truncated: true } }],
  ])(
    'a change in docs is scanned if the files of the base branch cannot be read (%s)',
    async (_what, answer) => {
      let tip = '';
      const result = await runScenario({
        head: 'edits docs',
        baseRef: 'elsewhere',
        inputs,
        before: ({ repository }) => {
          tip = repository.id('other docs');
        },
        github: {
          intercept: ({ point, path }) => (point === 'tree' && path.includes(tip) ? answer : undefined),
        },
      });
      expect(result.run.log).toContain('the files of the base branch could not be read');
      expectPaid(result, 1);
    },
  );
});

describe('a pull request that changes during the run', () => {
  /** Changes the pull request while the action reads the changed files. */
  const changing = (change: (scenario: Scenario) => void): ScenarioOptions => {
    let scenario: Scenario | undefined;
    return {
      head: 'documents',
      inputs: INPUTS,
      github: {
        intercept: ({ point, count }) => {
          if (scenario !== undefined && point === 'tree' && count === 1) change(scenario);
          return undefined;
        },
      },
      before: (opened) => {
        scenario = opened;
      },
    };
  };

  test.each<[string, (scenario: Scenario) => void, string, string]>([
    [
      'another head',
      ({ environment, repository }) =>
        environment.github.setHead(environment.pullRequest, repository.id('low')),
      'superseded',
      'now has another head commit',
    ],
    [
      'another base branch',
      ({ environment }) => environment.github.setBase(environment.pullRequest, 'older'),
      'superseded',
      'now has another base branch',
    ],
    [
      'no open pull request',
      ({ environment }) => environment.github.edit(environment.pullRequest, { state: 'closed' }),
      'unsupported-event',
      'is closed',
    ],
  ])(
    'a change in documents does not pass if GitHub shows %s at the end of the run',
    async (_what, change, reason, text) => {
      expectNotScanned(await runScenario(changing(change)), reason, { launches: 0, texts: [text] });
    },
  );
});

describe('a change is scanned', () => {
  test.each<[Head, string | undefined, string]>([
    ['documents and code', undefined, '`src/sum.js` does not match'],
    ['301 documents', undefined, 'more than 300 files'],
    ['moved out of docs', 'documented', '`src/sum.js` does not match'],
    ['docs submodule', undefined, '`docs/more` is no regular file'],
    ['docs symlink', undefined, '`docs/app.md` is no regular file'],
    ['docs workflow', undefined, '`.github/workflows/README.md` is always scanned'],
    ['changes guidance', 'guided', 'is always scanned'],
  ])('the input `paths-unscanned` does not apply to the head %j', async (head, baseRef, why) => {
    const result = await runScenario({
      head,
      ...(baseRef === undefined ? {} : { baseRef }),
      inputs: {
        'paths-unscanned': 'docs/**\n**/*.md\n.github/**',
        ...(baseRef === 'guided' ? { 'guidance-file': GUIDANCE_FILE } : {}),
      },
    });
    expect(result.run.outputs['reason'], result.run.log).toBe('');
    expect(result.run.log).toContain('`paths-unscanned` does not apply');
    expect(result.run.log).toContain(why);
    expectPaid(result, 1);
  });

  test('the input `paths-unscanned` does not apply to a merge group that touches code', async () => {
    const scenario = await prepare({ head: 'documents and code', baseRef: 'stable' });
    await runAgain(scenario, groupOf(scenario, 'documents and code'), INPUTS);
    expectPaid(scenario, 1);
  });

  test.each([
    ['status 403', () => ({ status: 403, body: { message: 'Resource not accessible by integration' } })],
    ['status 500', () => ({ status: 500, body: { message: 'Server Error' } })],
    ['a list that is cut', () => ({ status: 200, body: { sha: 'x', tree: [], truncated: true } })],
    ['a body that is cut', () => ({ fault: 'cut-body' }) as const],
  ])(
    'the input `paths-unscanned` does not apply if the files of the change cannot be read (%s)',
    async (_what, answer) => {
      const result = await runScenario({
        head: 'documents',
        inputs: INPUTS,
        github: { intercept: ({ point }) => (point === 'tree' ? answer() : undefined) },
      });
      expectResult(result, {
        outcome: 'passed',
        exitCode: 0,
        conclusion: 'success',
        launches: 1,
        texts: ['Could not read which files changed, so paths-unscanned does not apply.'],
      });
    },
  );

  test('the input `paths-unscanned` does not apply if the workflow sets the base', async () => {
    const result = await runScenario({
      head: 'documents',
      inputs: ({ repository }) => ({ ...INPUTS, 'base-commit': repository.id('start') }),
    });
    expect(result.run.log).toContain('the workflow sets the base');
    expectPaid(result, 1);
  });
});
