import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { type GitHubEnvironment, readEnvironment } from '../../../src/github/environment.ts';
import { hasPullRequest, readPayload, readTarget } from '../../../src/github/event.ts';

function environment(eventName: string, actor = 'octocat'): GitHubEnvironment {
  const read = readEnvironment({
    GITHUB_EVENT_NAME: eventName,
    GITHUB_EVENT_PATH: '/tmp/event.json',
    GITHUB_REPOSITORY: 'Codertocat/Hello-World',
    GITHUB_ACTOR: actor,
  });
  if (!read.ok) throw new Error(read.error.cause);
  return read.value;
}

const examplesFile = createRequire(import.meta.url).resolve('@octokit/webhooks-examples');
const examples = v.parse(
  v.array(v.object({ name: v.string(), examples: v.array(v.record(v.string(), v.unknown())) })),
  JSON.parse(await readFile(examplesFile, 'utf8')),
);

function official(name: string): Record<string, unknown>[] {
  const found = examples.find((example) => example.name === name)?.examples ?? [];
  if (found.length === 0) throw new Error(`there is no example of ${name}`);
  return structuredClone(found);
}

/** GitHub's first example of this event. Each key of `changes` is the dotted path of a member to replace. */
function payload(name: string, changes: Readonly<Record<string, unknown>> = {}): unknown {
  const [first] = official(name);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let place: unknown = first;
    for (const key of keys) place = Reflect.get(Object(place), key);
    Reflect.set(Object(place), last, value);
  }
  return first;
}

const HEAD = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';

describe('readTarget with official payloads', () => {
  test.each(['pull_request', 'pull_request_target'])(
    'readTarget reads an opened pull request from the event `%s`',
    (event) => {
      expect(readTarget(environment(event), payload('pull_request'))).toEqual({
        ok: true,
        value: {
          event,
          repository: { owner: 'Codertocat', name: 'Hello-World', isPublic: true },
          headSha: HEAD,
          base: { kind: 'branch', name: 'master', tip: undefined },
          secretsWithheld: false,
          pullRequest: {
            number: 2,
            state: 'open',
            updatedAt: new Date('2019-05-15T15:20:33Z'),
            author: 'Codertocat',
            sender: 'Codertocat',
            isFork: false,
            isNew: true,
            headIsNew: true,
            editedOnly: false,
            previousHead: undefined,
          },
        },
      });
    },
  );

  test('readTarget reads every official example of a pull request event', () => {
    const all = official('pull_request');
    expect(all.length).toBeGreaterThan(20);
    for (const example of all) {
      const state = example['action'] === 'closed' ? 'closed' : 'open';
      const target = readTarget(environment('pull_request'), example);
      expect(target).toMatchObject({
        ok: true,
        value: { pullRequest: { state, updatedAt: expect.any(Date) } },
      });
    }
  });

  test('readTarget reads the base of a merge group', () => {
    expect(readTarget(environment('merge_group'), payload('merge_group'))).toEqual({
      ok: true,
      value: {
        event: 'merge_group',
        repository: { owner: 'Codertocat', name: 'Hello-World', isPublic: false },
        headSha: '2ffea6db159f6b6c47a24e778fb9ef40cf6b1c7d',
        base: {
          kind: 'merge-group',
          sha: '380387fbc80638b734a49e1be1c4dfec1c01b33c',
          branch: 'main',
          pullRequest: 104,
        },
        secretsWithheld: false,
        pullRequest: undefined,
      },
    });
  });

  test.each([
    ['refs/heads/gh-readonly-queue/release/v1/pr-7-380387fb', 7],
    ['refs/heads/gh-readonly-queue/pr-1-2a/pr-7-380387fb', 7],
    ['refs/heads/gh-readonly-queue/main/pr-7', undefined],
    ['refs/heads/gh-readonly-queue/main/pr-0-380387fb', undefined],
    ['refs/heads/gh-readonly-queue/main/pr-12345678901-380387fb', undefined],
    ['refs/heads/main/pr-7-380387fb', undefined],
    ['gh-readonly-queue/main/pr-7-380387fb', undefined],
    ['refs/heads/gh-readonly-queue/main/pr-7-380387fb\n', undefined],
    [undefined, undefined],
    [7, undefined],
  ])(
    'readTarget reads the pull request from the ref of a merge group: %j gives %j',
    (headRef, pullRequest) => {
      const event = payload('merge_group', { 'merge_group.head_ref': headRef });
      expect(readTarget(environment('merge_group'), event)).toMatchObject({
        value: { base: { branch: 'main', pullRequest } },
      });
    },
  );
});

describe('readTarget: the head', () => {
  const BEFORE = 'a'.repeat(40);
  const headOf = (changes: Readonly<Record<string, unknown>>) => {
    const target = readTarget(environment('pull_request'), payload('pull_request', changes));
    if (!target.ok || target.value.pullRequest === undefined) throw new Error('there is no pull request');
    const { headIsNew, previousHead } = target.value.pullRequest;
    return { headIsNew, previousHead };
  };

  test('readTarget reads the previous head after a push', () => {
    const pushed = { headIsNew: true, previousHead: BEFORE };
    expect(headOf({ action: 'synchronize', before: BEFORE })).toEqual(pushed);
  });

  test.each(['labeled', 'reopened', 'edited', 'ready_for_review', undefined])(
    'readTarget finds no new head for an action other than a push: %s',
    (action) => {
      expect(headOf({ action, before: BEFORE })).toEqual({ headIsNew: false, previousHead: undefined });
    },
  );

  test.each(['', 'main', 7, null, `${BEFORE}\n`, '../../x', HEAD])(
    'readTarget ignores an invalid previous head: %j',
    (before) => {
      expect(headOf({ action: 'synchronize', before }).previousHead).toBeUndefined();
    },
  );
});

describe('readTarget: an edited pull request', () => {
  const editedOnly = (changes: Readonly<Record<string, unknown>>) => {
    const target = readTarget(environment('pull_request'), payload('pull_request', changes));
    if (!target.ok || target.value.pullRequest === undefined) throw new Error('there is no pull request');
    return target.value.pullRequest.editedOnly;
  };

  test.each([[{ title: { from: 'Old' } }], [{ body: { from: 'Old' } }], [{}], [undefined]])(
    'readTarget finds no new base in these changes: %j',
    (changes) => {
      expect(editedOnly({ action: 'edited', changes })).toBe(true);
    },
  );

  test.each([
    [{ base: { ref: { from: 'stacked' }, sha: { from: HEAD } } }],
    [{ title: { from: 'Old' }, base: { ref: { from: 'stacked' } } }],
  ])('readTarget finds a new base in these changes: %j', (changes) => {
    expect(editedOnly({ action: 'edited', changes })).toBe(false);
  });

  test.each(['opened', 'synchronize', 'reopened', 'labeled', undefined])(
    'readTarget ignores `changes` unless the action is `edited`: %s',
    (action) => {
      expect(editedOnly({ action, changes: { title: { from: 'Old' } } })).toBe(false);
    },
  );
});

describe('readTarget finds nothing to scan', () => {
  test.each(['release', 'issue_comment', '__proto__'])(
    'readTarget names an event that has nothing to scan: %s',
    (event) => {
      const target = readTarget(environment(event), {});
      expect(target).toMatchObject({ ok: false, error: { reason: 'unsupported-event' } });
      expect(JSON.stringify(target)).toContain(event);
      expect(JSON.stringify(target)).toContain('merge_group');
    },
  );

  test('readTarget reports a merge group that was destroyed', () => {
    const destroyed = payload('merge_group', { action: 'destroyed' });
    const target = readTarget(environment('merge_group'), destroyed);
    expect(target).toMatchObject({ ok: false, error: { reason: 'unsupported-event' } });
  });
});

describe('hasPullRequest', () => {
  test.each(['pull_request', 'pull_request_review', 'pull_request_review_comment'])(
    'hasPullRequest returns true for the event `%s`',
    (event) => {
      expect(hasPullRequest(payload(event))).toBe(true);
    },
  );

  test.each(['merge_group', 'push', 'workflow_dispatch', 'issue_comment'])(
    'hasPullRequest returns false for the event `%s`',
    (event) => {
      expect(hasPullRequest(payload(event))).toBe(false);
    },
  );

  test.each([[null], [[]], ['pull_request'], [{ pull_request: null }], [{ pull_request: 'closed' }]])(
    'hasPullRequest returns false for the payload %j',
    (other) => {
      expect(hasPullRequest(other)).toBe(false);
    },
  );
});

describe('readTarget: the state of a pull request', () => {
  const pullRequestOf = (changes: Readonly<Record<string, unknown>>) => {
    const target = readTarget(environment('pull_request'), payload('pull_request', changes));
    return target.ok ? target.value.pullRequest : undefined;
  };

  test.each([
    ['closed', 'a label on a closed pull request', { action: 'labeled', 'pull_request.state': 'closed' }],
    ['closed', 'the action `closed`', { action: 'closed' }],
    ['open', 'the action `reopened`', { action: 'reopened' }],
    ['open', 'a payload without a state', { 'pull_request.state': undefined }],
  ])('readTarget returns the state `%s` for %s', (state, _what, changes) => {
    expect(pullRequestOf(changes)).toMatchObject({ state });
  });

  test.each([
    [true, 'an edited title', { action: 'edited', changes: { title: { from: 'a' } } }],
    [true, 'an edit whose payload has no `changes`', { action: 'edited' }],
    [false, 'an edited base', { action: 'edited', changes: { base: { ref: { from: 'dev' } } } }],
    [
      false,
      'an edited title and base',
      { action: 'edited', changes: { title: { from: 'a' }, base: { ref: { from: 'dev' } } } },
    ],
    [false, 'a label', { action: 'labeled' }],
    [false, 'a push', { action: 'synchronize' }],
  ])('readTarget sets `editedOnly` to %s for %s', (editedOnly, _what, changes) => {
    expect(pullRequestOf(changes)).toMatchObject({ editedOnly });
  });

  test.each([
    [true, 'reopened'],
    [true, 'ready_for_review'],
    [true, 'labeled'],
    [undefined, 'edited'],
    [undefined, 'opened'],
    [undefined, 'synchronize'],
    [undefined, undefined],
  ])('readTarget sets `bringsNothing` to %s for the action %s', (bringsNothing, action) => {
    expect(pullRequestOf({ action })?.bringsNothing).toBe(bringsNothing);
  });

  test.each([undefined, '', 7, 'yesterday', '2026-13-45T99:99:99Z'])(
    'readTarget leaves out an invalid time: %j',
    (updated) => {
      expect(pullRequestOf({ 'pull_request.updated_at': updated })).toMatchObject({ updatedAt: undefined });
    },
  );
});

describe('readTarget: a fork', () => {
  const withheld = (event: string, changes: Readonly<Record<string, unknown>>, actor?: string) => {
    const target = readTarget(environment(event, actor), payload('pull_request', changes));
    if (!target.ok || target.value.pullRequest === undefined) throw new Error('there is no pull request');
    const { secretsWithheld, pullRequest } = target.value;
    return { isFork: pullRequest.isFork, secretsWithheld };
  };
  const FORK = { 'pull_request.head.repo.full_name': 'mallory/Hello-World' };

  test('a fork gets no secrets under `pull_request`', () => {
    expect(withheld('pull_request', FORK)).toEqual({ isFork: true, secretsWithheld: true });
  });

  test('a deleted fork is treated as a fork', () => {
    expect(withheld('pull_request', { 'pull_request.head.repo': null })).toEqual({
      isFork: true,
      secretsWithheld: true,
    });
  });

  test('the names of repositories are compared without regard to case', () => {
    const same = { 'pull_request.head.repo.full_name': 'CODERTOCAT/hello-world' };
    expect(withheld('pull_request', same)).toEqual({ isFork: false, secretsWithheld: false });
  });

  test('a fork gets secrets under `pull_request_target`', () => {
    expect(withheld('pull_request_target', FORK)).toEqual({ isFork: true, secretsWithheld: false });
  });

  test.each(['pull_request', 'pull_request_target'])('Dependabot gets no secrets under `%s`', (event) => {
    const none = { isFork: false, secretsWithheld: true };
    expect(withheld(event, {}, 'dependabot[bot]')).toEqual(none);
    expect(withheld(event, { 'pull_request.user.login': 'dependabot[bot]' })).toEqual(none);
    expect(withheld(event, {}, 'dependabot').secretsWithheld).toBe(false);
  });
});

describe('isPublicRepository', () => {
  test.each([
    ['public', false, true],
    ['internal', true, false],
    ['internal', false, false],
    ['private', true, false],
    [undefined, false, true],
    [undefined, undefined, true],
    [undefined, true, false],
  ])(
    'the payload says whether a repository is public: visibility %s, private %s, public %s',
    (visibility, isPrivate, isPublic) => {
      const changes = { 'repository.visibility': visibility, 'repository.private': isPrivate };
      const target = readTarget(environment('pull_request'), payload('pull_request', changes));
      expect(target).toMatchObject({ ok: true, value: { repository: { isPublic } } });
    },
  );
});

describe('a malformed payload', () => {
  test.each([
    ['pull_request.head.sha', HEAD.slice(0, 7)],
    ['pull_request.head.sha', HEAD.toUpperCase()],
    ['pull_request.head.sha', '--upload-pack=x'],
    ['pull_request.base.ref', ''],
    ['pull_request.number', '2'],
    ['pull_request.base.repo', null],
    ['repository', undefined],
    ['merge_group.base_ref', 'main'],
    ['merge_group.base_ref', 'refs/heads/'],
    ['merge_group.base_ref', undefined],
  ])('the error about a malformed payload names the malformed member: %s = %s', (path, value) => {
    const event = path.startsWith('merge_group') ? 'merge_group' : 'pull_request';
    const target = readTarget(environment(event), payload(event, { [path]: value }));
    expect(target).toMatchObject({ ok: false, error: { reason: 'configuration' } });
    expect(JSON.stringify(target)).toContain(path);
  });

  test.each([[null], ['text'], [[]]])('readTarget rejects a malformed payload: %j', (nothing) => {
    expect(readTarget(environment('pull_request'), nothing)).toMatchObject({ ok: false });
    expect(readTarget(environment('merge_group'), nothing)).toMatchObject({ ok: false });
  });

  test('an event file that is missing or not JSON causes an error', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'scangate-payload-'));
    try {
      await writeFile(join(dir, 'good.json'), '{"action":"opened"}');
      await writeFile(join(dir, 'bad.json'), '{');
      expect(readPayload(join(dir, 'good.json'))).toEqual({ ok: true, value: { action: 'opened' } });
      const bad = readPayload(join(dir, 'bad.json'));
      expect(bad).toMatchObject({ ok: false, error: { cause: expect.stringContaining('not JSON') } });
      expect(readPayload(join(dir, 'none.json'))).toMatchObject({ ok: false });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});

describe('the stack of a pull request', () => {
  test.each([
    [{ base: { ref: 'main', sha: HEAD } }, { trunk: 'main' }],
    [{ id: 1, base: null }, { trunk: undefined }],
    [{}, { trunk: undefined }],
    ['main', { trunk: undefined }],
    [{ base: { ref: '' } }, { trunk: undefined }],
    [null, undefined],
    [undefined, undefined],
  ])('readTarget reads the stack %j as %j', (stack, read) => {
    for (const event of ['pull_request', 'pull_request_target']) {
      const target = readTarget(environment(event), payload('pull_request', { 'pull_request.stack': stack }));
      expect(target.ok && target.value.pullRequest?.stack).toEqual(read);
    }
  });
});
