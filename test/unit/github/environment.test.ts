import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/github/environment.ts';
import { changes, shown } from '../../support/shown.ts';

const NEEDED = {
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_EVENT_PATH: '/tmp/event.json',
  GITHUB_REPOSITORY: 'Acme/shop.js',
};
const RUNNER = {
  ...NEEDED,
  GITHUB_REPOSITORY_ID: '1296269',
  GITHUB_RUN_ID: '9876543210',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_SHA: 'a'.repeat(40),
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_ACTOR: 'dependabot[bot]',
  RUNNER_TEMP: '/tmp/runner',
};
const GHES = 'https://git.corp/api/v3';

type Variables = Readonly<Record<string, string>>;
const ROWS: readonly (readonly [what: string, variables: Variables])[] = [
  ['a pull request on github.com', { ...RUNNER, GITHUB_SERVER_URL: '' }],
  ['no optional variables', NEEDED],
  ['no variables but faults', { GITHUB_REPOSITORY: 'acme', GITHUB_RUN_ID: '1e3' }],
  ...[
    { GITHUB_API_URL: `${GHES}/` },
    { GITHUB_API_URL: GHES, GITHUB_GRAPHQL_URL: 'https://g.corp/q' },
    { GITHUB_API_URL: 'https://api.corp.ghe.com' },
    { GITHUB_TRIGGERING_ACTOR: 'dana' },
    { GITHUB_REPOSITORY: 'acme/shop/../x' },
    { GITHUB_REPOSITORY: '../shop' },
    { GITHUB_REPOSITORY: 'acme/..' },
    { GITHUB_REPOSITORY: 'acme/shop?x' },
    { GITHUB_SERVER_URL: 'file:///etc' },
    { GITHUB_API_URL: 'not an address' },
    { GITHUB_API_URL: 'https://user:password@git.corp' },
    { GITHUB_RUN_ATTEMPT: '-1' },
  ].map((change) => [shown(change), { ...RUNNER, ...change }] as const),
];

test('the environment is what the variables of the runner say, and an error names all faults', async () => {
  const base = readEnvironment(RUNNER);
  const lines = ROWS.map(([what, variables]) => {
    const read = readEnvironment(variables);
    if (!read.ok) return `${what}: ${read.error.reason}. ${read.error.cause} ${read.error.nextStep}`;
    expect(JSON.stringify(read)).not.toContain('password');
    const differences = changes(base.ok && base.value, read.value).join('; ');
    return `${what}: ${differences === '' ? shown(read.value) : differences}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/environment.txt');
});
