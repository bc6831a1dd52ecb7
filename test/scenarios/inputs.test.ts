import { expect, test } from 'vitest';
import { mergeGroup } from './branch-events.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { inBothWays, type RunRow, testRuns } from './run-rows.ts';
import { prepare } from './scenario.ts';

const FORK = { headRepository: 'someone/octo-repo' };
const READ_ONLY = { permissions: { contents: 'read', 'pull-requests': 'read' } } as const;
const NO_ADDRESS = { 'api-token': '', 'base-url': '' };

testRuns(
  [
    {
      name: 'one message reports all input errors, and how to correct each input',
      inputs: {
        ...EVERYTHING_ALLOWED,
        'fail-on': 'hihg',
        'severity-threshold': 'moderate',
        'fail-on-evidence': 'proof',
        'credit-budget': 'ten',
        'base-commit': 'main',
        'launch-parameters': '[1]',
        comment: 'sometimes',
        'timeout-minutes': '0',
        'report-file': '../report.json',
      },
    },
    { name: 'a wrong configuration cannot be allowed', inputs: { 'allow-unscanned': 'configuration' } },
    ...['pull_request', 'merge_group'].map((name) => ({
      name: `a run reports a configuration error if the payload of the event \`${name}\` is incomplete`,
      event: () => ({ event: { name, payload: { action: 'checks_requested' } } }),
      inputs: EVERYTHING_ALLOWED,
    })),
  ],
  'inputs',
);

test.each([
  ['api-token', 'svc_proj_k1_abc\ndef'],
  ['github-token', 'ghs_abc…'],
])('a run with a `%s` that no header can hold sends no request with it', async (name, token) => {
  const { environment } = await prepare({});
  const { github, service } = environment;
  const run = await environment.run({ inputs: { ...EVERYTHING_ALLOWED, [name]: token } });
  expect(run.outputs, run.log).toMatchObject({ outcome: 'not-scanned', reason: 'configuration' });
  expect(run.exitCode).toBe(1);
  expect(run.log).toContain(`\`${name}\` contains a space, a line break or`);
  expect((name === 'api-token' ? service : github).requests).toEqual([]);
  for (const text of [run.log, run.summary, JSON.stringify(run.outputs)]) expect(text).not.toMatch(/abc/);
});

/** GitHub passes no secrets to the runs of these pull requests. In a fork, the GitHub token is also read-only. */
const WITHHELD: readonly (readonly [who: string, row: Omit<RunRow, 'name'>])[] = [
  ['a deleted fork', { github: READ_ONLY, event: { headRepository: null } }],
  ['a run that Dependabot started', { event: () => ({ actor: 'dependabot[bot]' }) }],
  ['a pull request of Dependabot that a user pushed to', { event: { author: 'dependabot[bot]' } }],
  [
    'a pull request of Dependabot under pull_request_target',
    { event: { author: 'dependabot[bot]' }, eventName: 'pull_request_target' },
  ],
  [
    'a merge group that Dependabot started',
    { event: ({ scenario }) => ({ ...mergeGroup(scenario), actor: 'dependabot[bot]' }) },
  ],
];

testRuns(
  [
    ...inBothWays('missing-token', {
      name: 'a run launches no scan if GitHub withholds the token and the address from a fork',
      github: READ_ONLY,
      event: FORK,
      inputs: NO_ADDRESS,
      // Authors of forks read this, so it does not say how to pass without a scan.
      ends: [({ run }) => expect(run.summary).not.toContain('allow-unscanned:')],
    }),
    ...WITHHELD.map(([who, row]) => ({
      name: `a run launches no scan if GitHub withholds the token from ${who}`,
      ...row,
      inputs: { 'api-token': '' },
    })),
  ],
  'missing-token',
);

testRuns(
  [
    ...(
      [
        ['a malformed address', { 'api-token': '', 'base-url': 'https://scanner.example.com' }],
        ['a wrong `fail-on`', { ...NO_ADDRESS, 'fail-on': 'hihg' }],
        ['an empty address and a token', { 'base-url': '' }],
      ] as const
    ).map(([what, inputs]) => ({
      name: `a run for a fork with ${what} reports a configuration error`,
      event: FORK,
      inputs: { ...inputs, ...EVERYTHING_ALLOWED },
    })),
    ...(
      [
        ['a pull request of the repository itself', {}],
        ['a fork under pull_request_target', { event: FORK, eventName: 'pull_request_target' }],
        ['a merge group that a user started', { event: ({ scenario }) => mergeGroup(scenario) }],
      ] satisfies readonly (readonly [string, Omit<RunRow, 'name'>])[]
    ).map(([where, row]) => ({
      name: `an empty token in ${where} is a configuration error`,
      ...row,
      inputs: { 'api-token': '', ...EVERYTHING_ALLOWED },
    })),
    { name: 'a fork that gets the token is scanned', head: 'clean', event: FORK },
  ],
  'missing-token',
);
