import { describe, expect, test } from 'vitest';
import {
  afterFailedSend,
  explainGitHubError,
  type Failure,
  fixOf,
  type GitHubError,
  MAX_ATTEMPTS,
} from '../../../src/github/errors.ts';

const ERROR: GitHubError = {
  kind: 'unreachable',
  operation: 'create the check run',
  status: 502,
  message: 'Bad Gateway',
  permission: 'checks: write',
  ambiguous: true,
};

describe('fixOf, if the token lacks a permission', () => {
  const message = 'Resource not accessible by integration';

  test.each(['checks: write', 'pull-requests: write'] as const)(
    'for the permission `%s`, fixOf mentions that forks get a read-only token',
    (permission) => {
      expect(fixOf({ kind: 'forbidden', permission, message })).toBe(
        `On \`pull_request\`, GitHub gives forks a read-only token. In all other cases, add \`${permission}\` to the job's \`permissions\` and push.`,
      );
    },
  );

  test.each(['contents: read', 'metadata: read', 'pull-requests: read'] as const)(
    'for the permission `%s`, fixOf does not mention forks',
    (permission) => {
      expect(fixOf({ kind: 'forbidden', permission, message })).toBe(
        `Add \`${permission}\` to the job's \`permissions\` and push.`,
      );
    },
  );

  test('fixOf names the permission that a personal access token lacks', () => {
    const said = 'Resource not accessible by personal access token';
    expect(fixOf({ kind: 'forbidden', permission: 'contents: read', message: said })).toContain(
      '`contents: read`',
    );
  });
});

describe('fixOf, if GitHub denies access for another reason', () => {
  test.each([
    ['Unable to create comment because issue is locked.', /^Unlock the conversation/],
    ['Commenting is disabled on issues with more than 2500 comments', /new pull request.*`comment: never`/],
    [
      'Although you appear to have the correct authorization credentials, the `acme` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.',
      /IP allow list/,
    ],
    [
      'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.',
      /single sign-on/,
    ],
    ['Must have push access to view collaborator permission.', /token whose owner has this access/],
    ['This workflow is already running', /^Do what GitHub's answer asks for\./],
    ['', /whether a proxy answered/],
  ])('fixOf advises no permission: %s', (message, fix) => {
    const said = fixOf({ kind: 'forbidden', permission: 'pull-requests: write', message });
    expect(said).toMatch(fix);
    expect(said).not.toContain('pull-requests');
    const error = { ...ERROR, kind: 'forbidden', status: 403, message } as const;
    expect(explainGitHubError(error)).toContain(
      `GitHub denied access${message === '' ? '' : ` (${message})`}.`,
    );
  });
});

const BLIP: Failure = { error: ERROR, retryable: true, retryAfterSeconds: undefined };

function waitBeforeRetry(failure: Failure, repeatable: boolean, sends: number): number | undefined {
  const { again, waitMs } = afterFailedSend(failure, repeatable, sends);
  return again ? waitMs : undefined;
}

describe('afterFailedSend', () => {
  test('afterFailedSend allows no retry after the last attempt', () => {
    expect(waitBeforeRetry(BLIP, true, MAX_ATTEMPTS - 1)).toBe(3000);
    expect(waitBeforeRetry(BLIP, true, MAX_ATTEMPTS)).toBeUndefined();
  });

  test('afterFailedSend waits one second after the first failure, and three seconds after the second', () => {
    expect([1, 2].map((attempt) => waitBeforeRetry(BLIP, true, attempt))).toEqual([1000, 3000]);
  });

  test.each([
    [7, 7000],
    [0.2, 1000],
    [60, 60_000],
    [3600, 60_000],
  ])('if GitHub advises to wait %d s, afterFailedSend waits %d ms', (retryAfterSeconds, wait) => {
    expect(waitBeforeRetry({ ...BLIP, retryAfterSeconds }, true, 1)).toBe(wait);
  });

  test('afterFailedSend waits at most a minute for a rate limit', () => {
    const limited: Failure = { ...BLIP, error: { ...ERROR, kind: 'rate-limited' } };
    expect(waitBeforeRetry(limited, true, 1)).toBe(60_000);
    expect(waitBeforeRetry({ ...limited, retryAfterSeconds: 5 }, true, 1)).toBe(5000);
    expect(waitBeforeRetry({ ...limited, retryAfterSeconds: 60 }, true, 1)).toBe(60_000);
    expect(waitBeforeRetry({ ...limited, retryAfterSeconds: 61 }, true, 1)).toBeUndefined();
  });

  test('after a rate limit, afterFailedSend delays all requests of the client', () => {
    const limited: Failure = { ...BLIP, error: { ...ERROR, kind: 'rate-limited' } };
    expect(afterFailedSend(limited, true, 1).forAll).toBe(true);
    expect(afterFailedSend({ ...limited, retryAfterSeconds: 61 }, true, 1).forAll).toBe(false);
    expect(afterFailedSend(BLIP, true, 1).forAll).toBe(false);
  });

  test('afterFailedSend does not retry a permanent failure', () => {
    expect(waitBeforeRetry({ ...BLIP, retryable: false }, true, 1)).toBeUndefined();
  });

  test('afterFailedSend does not retry a write that GitHub may have carried out', () => {
    expect(waitBeforeRetry(BLIP, false, 1)).toBeUndefined();
    expect(waitBeforeRetry({ ...BLIP, error: { ...ERROR, ambiguous: false } }, false, 1)).toBe(1000);
  });
});

describe('explainGitHubError', () => {
  test.each([
    ['forbidden', 'denied access'],
    ['not-found', '404'],
    ['unauthorized', 'github-token'],
    ['rate-limited', 'rate limit'],
    ['refused', '502'],
    ['invalid', 'GITHUB_API_URL'],
    ['too-large', 'larger than 64 MiB'],
    ['unreachable', 'could not be reached'],
    ['stopped', 'stopped'],
  ] as const)(
    'explainGitHubError names the operation and the fix for an error of the kind `%s`',
    (kind, fix) => {
      const text = explainGitHubError({ ...ERROR, kind, message: '' });
      expect(text).toMatch(/^Could not create the check run: /);
      expect(text).toContain(fix);
      expect(text).not.toContain('undefined');
    },
  );

  test('explainGitHubError leaves out the brackets around an empty message', () => {
    expect(explainGitHubError({ ...ERROR, message: '' })).not.toContain('(');
  });
});
