import { describe, expect, test } from 'vitest';
import {
  mergeGroupEvent,
  pullRequestEvent,
  pushEvent,
  scheduleEvent,
  workflowDispatchEvent,
} from '../../sandbox/events.ts';

const sha = 'a'.repeat(40);
const base = { repository: 'Octo-Org/demo', number: 7, headSha: sha, baseRef: 'release/1' };

describe('a pull request payload', () => {
  test('a pull request payload has the requested values, and otherwise the values of GitHub’s example', () => {
    const payload = pullRequestEvent({
      ...base,
      author: 'alice',
      draft: true,
      serverUrl: 'http://127.0.0.1:1',
    });
    expect(payload).toMatchObject({
      action: 'opened',
      number: 7,
      pull_request: {
        number: 7,
        state: 'open',
        draft: true,
        user: { login: 'alice', type: 'User' },
        head: { sha, repo: { full_name: 'Octo-Org/demo', fork: false } },
        base: {
          ref: 'release/1',
          repo: { full_name: 'Octo-Org/demo', name: 'demo', owner: { login: 'Octo-Org' } },
        },
        html_url: 'http://127.0.0.1:1/Octo-Org/demo/pull/7',
      },
      repository: {
        full_name: 'Octo-Org/demo',
        visibility: 'public',
        private: false,
        default_branch: expect.any(String),
      },
      sender: { login: 'alice' },
    });
    expect(JSON.stringify(payload)).not.toContain('Hello-World"');
  });

  test('a pull request payload shows a fork, or null if the fork was deleted', () => {
    const fork = pullRequestEvent({ ...base, headRepository: 'mallory/demo' });
    expect(fork).toMatchObject({
      pull_request: { head: { repo: { full_name: 'mallory/demo', fork: true } } },
    });
    const gone = pullRequestEvent({ ...base, headRepository: null });
    expect(gone).toMatchObject({ pull_request: { head: { sha, repo: null } } });
  });

  test('a pull request payload can show a push, a closed pull request, or a bot as the author', () => {
    expect(pullRequestEvent({ ...base, action: 'synchronize' })).toMatchObject({
      action: 'synchronize',
      after: sha,
    });
    expect(pullRequestEvent({ ...base, action: 'closed' })).toMatchObject({
      pull_request: { state: 'closed' },
    });
    expect(pullRequestEvent({ ...base, author: 'dependabot[bot]' })).toMatchObject({
      pull_request: { user: { login: 'dependabot[bot]', type: 'Bot' } },
    });
  });

  test('a pull request payload shows when the pull request was updated, and what an edit changed', () => {
    const updatedAt = '2026-01-15T12:00:00Z';
    const changes = { base: { ref: { from: 'main' } } };
    expect(pullRequestEvent({ ...base, action: 'edited', updatedAt, changes })).toMatchObject({
      action: 'edited',
      changes,
      pull_request: { updated_at: updatedAt },
    });
    expect(pullRequestEvent(base)).not.toHaveProperty('changes');
  });

  test('a pull request payload can show a private repository, or leave out the visibility', () => {
    expect(pullRequestEvent({ ...base, visibility: 'private' })).toMatchObject({
      repository: { visibility: 'private', private: true },
    });
    expect(pullRequestEvent({ ...base, visibility: null })['repository']).not.toHaveProperty('visibility');
  });

  test('each pull request payload is a new object', () => {
    expect(pullRequestEvent(base)).toEqual(pullRequestEvent(base));
    expect(pullRequestEvent({ ...base, number: 8 })).toMatchObject({ number: 8 });
  });
});

test('a merge group payload names the base commit, the head commit and the base branch', () => {
  const baseSha = 'b'.repeat(40);
  expect(
    mergeGroupEvent({ repository: 'Octo-Org/demo', headSha: sha, baseSha, baseRef: 'main' }),
  ).toMatchObject({
    action: 'checks_requested',
    merge_group: { head_sha: sha, base_sha: baseSha, base_ref: 'refs/heads/main' },
    repository: { full_name: 'Octo-Org/demo' },
  });
});

describe('a push payload', () => {
  const none = '0'.repeat(40);
  const push = { repository: 'Octo-Org/demo', ref: 'refs/heads/main', before: 'b'.repeat(40), after: sha };

  test('a push payload names the ref and the commits before and after the push', () => {
    expect(pushEvent({ ...push, forced: true, defaultBranch: 'trunk', fork: true })).toMatchObject({
      ...push,
      repository: { full_name: 'Octo-Org/demo', default_branch: 'trunk', fork: true },
      created: false,
      deleted: false,
      forced: true,
      pusher: { name: expect.any(String) },
    });
  });

  test('a push payload shows that the ref is new, or deleted', () => {
    expect(pushEvent({ ...push, before: none })).toMatchObject({ created: true, deleted: false });
    expect(pushEvent({ ...push, after: none })).toMatchObject({ created: false, deleted: true });
  });
});

test('the payloads of a schedule and of a dispatch name the repository', () => {
  const repository = { full_name: 'Octo-Org/demo', visibility: 'private', fork: false };
  const event = { repository: 'Octo-Org/demo', visibility: 'private' } as const;
  expect(scheduleEvent(event)).toMatchObject({ schedule: expect.any(String), repository });
  expect(workflowDispatchEvent({ ...event, ref: 'refs/heads/main' })).toMatchObject({
    ref: 'refs/heads/main',
    repository,
  });
});
