import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../src/github/environment.ts';

const RUNNER = {
  GITHUB_EVENT_NAME: 'pull_request',
  GITHUB_EVENT_PATH: '/tmp/event.json',
  GITHUB_REPOSITORY: 'Acme/shop.js',
  GITHUB_REPOSITORY_ID: '1296269',
  GITHUB_RUN_ID: '9876543210',
  GITHUB_RUN_ATTEMPT: '2',
  GITHUB_SHA: 'a'.repeat(40),
  GITHUB_REF: 'refs/pull/7/merge',
  GITHUB_ACTOR: 'dependabot[bot]',
  RUNNER_TEMP: '/tmp/runner',
};

describe('readEnvironment', () => {
  test('readEnvironment uses the addresses of github.com by default', () => {
    expect(readEnvironment({ ...RUNNER, GITHUB_SERVER_URL: '' })).toEqual({
      ok: true,
      value: {
        eventName: 'pull_request',
        eventPath: '/tmp/event.json',
        owner: 'Acme',
        repo: 'shop.js',
        repositoryId: '1296269',
        serverUrl: 'https://github.com',
        apiUrl: 'https://api.github.com',
        graphqlUrl: 'https://api.github.com/graphql',
        runId: 9876543210,
        runAttempt: 2,
        runUrl: 'https://github.com/Acme/shop.js/actions/runs/9876543210',
        sha: 'a'.repeat(40),
        ref: 'refs/pull/7/merge',
        actor: 'dependabot[bot]',
        triggeringActor: 'dependabot[bot]',
        runnerTemp: '/tmp/runner',
      },
    });
  });

  test.each([
    [{ GITHUB_API_URL: 'https://git.corp/api/v3/' }, 'https://git.corp/api/graphql'],
    [
      { GITHUB_API_URL: 'https://git.corp/api/v3', GITHUB_GRAPHQL_URL: 'https://g.corp/q' },
      'https://g.corp/q',
    ],
    [{ GITHUB_API_URL: 'https://api.corp.ghe.com' }, 'https://api.corp.ghe.com/graphql'],
  ])('readEnvironment derives the GraphQL address: %j gives %s', (change, graphqlUrl) => {
    expect(readEnvironment({ ...RUNNER, ...change })).toMatchObject({ ok: true, value: { graphqlUrl } });
  });

  test('readEnvironment leaves out optional variables that the runner does not set', () => {
    const { GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY } = RUNNER;
    const answer = readEnvironment({ GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY });
    expect(answer).toMatchObject({
      ok: true,
      value: {
        repositoryId: 'acme/shop.js',
        runId: 0,
        runAttempt: 1,
        runUrl: 'https://github.com/Acme/shop.js/actions',
        ref: '',
        actor: '',
        triggeringActor: '',
        runnerTemp: undefined,
      },
    });
  });

  test('readEnvironment names all faults in one error', () => {
    const answer = readEnvironment({ GITHUB_REPOSITORY: 'acme', GITHUB_RUN_ID: '1e3' });
    expect(answer).toMatchObject({ ok: false, error: { reason: 'configuration' } });
    for (const name of ['EVENT_NAME', 'EVENT_PATH', 'REPOSITORY', 'RUN_ID']) {
      expect(JSON.stringify(answer)).toContain(`GITHUB_${name}`);
    }
  });

  test.each([
    ['GITHUB_REPOSITORY', 'acme/shop/../x'],
    ['GITHUB_REPOSITORY', '../shop'],
    ['GITHUB_REPOSITORY', 'acme/..'],
    ['GITHUB_REPOSITORY', 'acme/shop?x'],
    ['GITHUB_SERVER_URL', 'file:///etc'],
    ['GITHUB_API_URL', 'not an address'],
    ['GITHUB_API_URL', 'https://user:password@git.corp'],
    ['GITHUB_RUN_ATTEMPT', '-1'],
  ])('readEnvironment rejects %s=%s', (name, value) => {
    const answer = readEnvironment({ ...RUNNER, [name]: value });
    expect(answer).toMatchObject({ ok: false, error: { reason: 'configuration' } });
    expect(JSON.stringify(answer)).toContain(name);
    expect(JSON.stringify(answer)).not.toContain('password');
  });
});
