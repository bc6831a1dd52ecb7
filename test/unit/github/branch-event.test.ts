import { describe, expect, test } from 'vitest';
import { pushEvent, scheduleEvent, workflowDispatchEvent } from '../../../sandbox/events.ts';
import { readEnvironment } from '../../../src/github/environment.ts';
import { readTarget } from '../../../src/github/event.ts';

const HEAD = 'a'.repeat(40);
const BEFORE = 'b'.repeat(40);
const NO_COMMIT = '0'.repeat(40);

function environment(event: string, variables: Readonly<Record<string, string>> = {}) {
  const read = readEnvironment({
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: '/tmp/event.json',
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_ACTOR: 'octocat',
    ...variables,
  });
  if (!read.ok) throw new Error(read.error.cause);
  return read.value;
}

describe('readPush', () => {
  const push = {
    repository: 'acme/shop',
    ref: 'refs/heads/release/1.0',
    before: BEFORE,
    after: HEAD,
    visibility: 'private',
  } as const;
  const read = (changes: Partial<Parameters<typeof pushEvent>[0]> = {}, actor = 'octocat') =>
    readTarget(environment('push', { GITHUB_ACTOR: actor }), pushEvent({ ...push, ...changes }));

  test('readPush reads the head, the commit before it, the branch and the default branch', () => {
    expect(read()).toEqual({
      ok: true,
      value: {
        event: 'push',
        repository: { owner: 'acme', name: 'shop', isPublic: false },
        headSha: HEAD,
        base: { kind: 'push', branch: 'release/1.0', before: BEFORE, defaultBranch: 'main' },
        secretsWithheld: false,
        pullRequest: undefined,
      },
    });
  });

  test.each([40, 64])('readPush reads %i zeros as no previous commit', (length) => {
    expect(read({ before: '0'.repeat(length) })).toMatchObject({ value: { base: { before: undefined } } });
  });

  test.each([
    ['a tag', { ref: 'refs/tags/v1' }],
    ['a branch without a name', { ref: 'refs/heads/' }],
    ['a ref in its short form', { ref: 'main' }],
    ['a deleted branch', { after: NO_COMMIT }],
    ['a deleted tag', { ref: 'refs/tags/v1', after: NO_COMMIT }],
  ])('readPush finds nothing to scan for a push of %s', (_what, changes) => {
    expect(read(changes)).toMatchObject({ error: { reason: 'unsupported-event' } });
  });

  test('the error of readPush says why there is nothing to scan', () => {
    expect(read({ ref: 'refs/tags/v1' })).toMatchObject({
      error: { cause: 'A push of "refs/tags/v1" is not to a branch.' },
    });
    expect(read({ after: NO_COMMIT })).toMatchObject({
      error: { cause: 'The push deleted the branch "release/1.0".' },
    });
  });

  test('readPush accepts a commit whose id begins or ends with zeros', () => {
    for (const sha of [`${'0'.repeat(39)}1`, `1${'0'.repeat(39)}`]) {
      expect(read({ before: sha, after: sha })).toMatchObject({
        value: { headSha: sha, base: { before: sha } },
      });
    }
  });

  test.each(['', undefined])('readPush rejects a payload with this default branch: %j', (defaultBranch) => {
    const payload = pushEvent(push);
    const repository = { ...Object(payload['repository']), default_branch: defaultBranch };
    expect(readTarget(environment('push'), { ...payload, repository })).toMatchObject({
      error: { reason: 'configuration', cause: expect.stringContaining('default_branch') },
    });
  });

  test.each(['before', 'after'])('readPush rejects a payload whose `%s` is not a commit id', (member) => {
    for (const value of ['main', HEAD.slice(1), HEAD.toUpperCase(), '', '--all']) {
      const target = read({ [member]: value });
      expect(target, value).toMatchObject({ error: { reason: 'configuration' } });
      expect(JSON.stringify(target)).toContain(member);
      expect(JSON.stringify(target)).toContain('`push` event');
    }
  });

  test('readPush reports that GitHub withholds secrets from forks and from Dependabot', () => {
    const WITHHELD = { value: { secretsWithheld: true } };
    expect(read({ fork: true })).toMatchObject(WITHHELD);
    expect(read({}, 'dependabot[bot]')).toMatchObject(WITHHELD);
    expect(read({}, 'dependabot')).toMatchObject({ value: { secretsWithheld: false } });
  });
});

describe.each(['schedule', 'workflow_dispatch'] as const)('readFullScan for %s', (event) => {
  const repository = { repository: 'acme/shop', visibility: 'private', fork: false } as const;
  const read = (sha: string | undefined, payload?: unknown, actor = 'octocat') => {
    const described =
      event === 'schedule'
        ? scheduleEvent(repository)
        : workflowDispatchEvent({ ...repository, ref: 'refs/heads/main' });
    const variables = { GITHUB_ACTOR: actor, ...(sha === undefined ? {} : { GITHUB_SHA: sha }) };
    return readTarget(environment(event, variables), payload ?? described);
  };

  test(`for ${event}, readFullScan returns the commit of the run, without a base`, () => {
    expect(read(HEAD)).toEqual({
      ok: true,
      value: {
        event,
        repository: { owner: 'acme', name: 'shop', isPublic: false },
        headSha: HEAD,
        base: { kind: 'none' },
        secretsWithheld: false,
        pullRequest: undefined,
      },
    });
  });

  test('readFullScan treats a repository as public if the payload does not show its visibility', () => {
    expect(read(HEAD, { schedule: '0 4 * * 1' })).toMatchObject({
      value: { repository: { owner: 'acme', isPublic: true }, secretsWithheld: false },
    });
  });

  test('readFullScan reports that GitHub withholds secrets from forks and from Dependabot', () => {
    const copy = { repository: { full_name: 'acme/shop', fork: true } };
    expect(read(HEAD, copy)).toMatchObject({ value: { secretsWithheld: true } });
    expect(read(HEAD, undefined, 'dependabot[bot]')).toMatchObject({ value: { secretsWithheld: true } });
  });

  test.each([undefined, '', 'main', HEAD.slice(1), HEAD.toUpperCase()])(
    'readFullScan reports a wrong setup if GITHUB_SHA is not a full commit id: %j',
    (sha) => {
      expect(read(sha)).toMatchObject({
        error: {
          reason: 'configuration',
          cause: expect.stringContaining('GITHUB_SHA'),
          nextStep: expect.stringContaining('re-run the workflow'),
        },
      });
    },
  );

  test('readFullScan reports a malformed payload as a wrong setup', () => {
    for (const payload of ['text', { repository: 7 }])
      expect(read(HEAD, payload)).toMatchObject({ error: { reason: 'configuration' } });
  });
});

describe('readFullScan for a dispatch on a tag', () => {
  const dispatch = (ref: string, variables: Readonly<Record<string, string>> = {}) =>
    readTarget(
      environment('workflow_dispatch', { GITHUB_SHA: HEAD, ...variables }),
      workflowDispatchEvent({ repository: 'acme/shop', ref }),
    );
  const failure = {
    error: {
      reason: 'unsupported-event',
      cause: 'The workflow was started on "refs/tags/v1", which is not a branch.',
      nextStep: expect.stringContaining('Start it on a branch'),
    },
  };

  test('readFullScan finds nothing to scan if the payload or GITHUB_REF names a tag', () => {
    expect(dispatch('refs/tags/v1')).toMatchObject(failure);
    expect(dispatch('v1', { GITHUB_REF: 'refs/tags/v1' })).toMatchObject(failure);
  });

  test.each(['refs/heads/main', 'refs/heads/refs/tags/v1', 'main'])(
    'readFullScan accepts a branch: %s',
    (ref) => {
      expect(dispatch(ref, { GITHUB_REF: 'refs/heads/main' })).toMatchObject({ value: { headSha: HEAD } });
    },
  );
});
