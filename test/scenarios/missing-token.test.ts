import { describe, expect, test } from 'vitest';
import { allowing, BOTH_WAYS, EVERYTHING_ALLOWED, expectNotScanned } from './expect-story.ts';
import { type Scene, type StoryOptions, tell } from './story.ts';

const SAYS = ['so api-token is empty', 'Ask a maintainer'];
const HOW_TO_ALLOW = 'add missing-token to allow-unscanned';
const READ_ONLY = { permissions: { contents: 'read' } } as const;

function asPullRequest(
  scene: Scene,
  changes: Parameters<Scene['stage']['pullRequestPayload']>[0],
  name = 'pull_request',
) {
  return { event: { name, payload: scene.stage.pullRequestPayload(changes) } };
}

/** GitHub gives these pull requests no secrets; a fork's token may write nothing either. */
const WITHHELD: readonly [who: string, options: StoryOptions][] = [
  [
    'a fork',
    { github: READ_ONLY, run: (scene) => asPullRequest(scene, { headRepository: 'someone/octo-repo' }) },
  ],
  [
    'a fork that was deleted',
    { github: READ_ONLY, run: (scene) => asPullRequest(scene, { headRepository: null }) },
  ],
  ['Dependabot as the actor', { run: () => ({ actor: 'dependabot[bot]' }) }],
  [
    'Dependabot as the author, whoever pushed last',
    { run: (scene) => ({ ...asPullRequest(scene, { author: 'dependabot[bot]' }), actor: 'octocat' }) },
  ],
  [
    'Dependabot under pull_request_target',
    { run: (scene) => asPullRequest(scene, { author: 'dependabot[bot]' }, 'pull_request_target') },
  ],
];

describe.each(WITHHELD)('the token is withheld from %s', (_who, options) => {
  test.each(BOTH_WAYS)('not scanned: $way', async ({ allowed }) => {
    const story = await tell({
      ...options,
      inputs: { 'api-token': '', ...allowing('missing-token', allowed) },
    });
    expectNotScanned(story, 'missing-token', {
      allowed,
      launches: 0,
      says: allowed ? SAYS : [...SAYS, HOW_TO_ALLOW],
      ...(options.github === READ_ONLY ? { checkRun: false } : {}),
    });
    expect(story.stage.service.requests).toEqual([]);
    // The hint is left out where the reason is allowed already.
    expect(story.run.summary.includes('To let such pull requests pass')).toBe(!allowed);
  });
});

describe('an address that comes from a variable is withheld with the token', () => {
  const WITHHELD_INPUTS = { 'api-token': '', 'base-url': '' };
  const fork = (scene: Scene) => asPullRequest(scene, { headRepository: 'someone/octo-repo' });

  test.each(BOTH_WAYS)('not scanned: $way', async ({ allowed }) => {
    const story = await tell({
      github: READ_ONLY,
      run: fork,
      inputs: { ...WITHHELD_INPUTS, ...allowing('missing-token', allowed) },
    });
    expectNotScanned(story, 'missing-token', { allowed, launches: 0, says: SAYS, checkRun: false });
  });

  test.each([
    [
      'a malformed address',
      fork,
      { 'api-token': '', 'base-url': 'https://scanner.example.com' },
      'base-url is not',
    ],
    ['another wrong input', fork, { ...WITHHELD_INPUTS, 'fail-on': 'hihg' }, 'fail-on is hihg'],
    ['an empty address where the token is there', fork, { 'base-url': '' }, 'base-url is empty'],
    ['a pull request of the repository itself', () => ({}), WITHHELD_INPUTS, 'base-url is empty'],
  ])('%s is still a wrong setup', async (_what, run, inputs, says) => {
    const story = await tell({ run, inputs: { ...inputs, ...EVERYTHING_ALLOWED } });
    expectNotScanned(story, 'configuration', { launches: 0, says: [says] });
  });
});

test.each([
  ['a pull request of the repository itself', {}],
  [
    'a fork under pull_request_target',
    {
      run: (scene: Scene) =>
        asPullRequest(scene, { headRepository: 'someone/octo-repo' }, 'pull_request_target'),
    },
  ],
])('an empty token in %s is a wrong setup, which nobody can allow', async (_where, options) => {
  const story = await tell({ ...options, inputs: { 'api-token': '', ...EVERYTHING_ALLOWED } });
  expectNotScanned(story, 'configuration', {
    launches: 0,
    says: ['api-token is empty', 'secrets: inherit'],
  });
  expect(story.stage.service.requests).toEqual([]);
});

test('a fork whose token is there is scanned', async () => {
  const story = await tell({
    head: 'clean',
    run: (scene) => asPullRequest(scene, { headRepository: 'someone/octo-repo' }),
  });
  expect(story.run.outputs).toMatchObject({ outcome: 'passed', 'findings-total': '0' });
});
