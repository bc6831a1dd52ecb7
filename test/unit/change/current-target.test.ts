import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { findCurrentTarget } from '../../../src/change/current-target.ts';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer, pullRequestByRest, UPDATED } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';

const REF = (branch: string) => `/repos/acme/shop/git/ref/heads%2F${branch}`;
const tip = (branch: string, sha: string = SHA.base) => ({
  ref: `refs/heads/${branch}`,
  object: { type: 'commit', sha },
});

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

function event(pullRequest: Partial<TargetPullRequest> = {}): ScanTarget {
  return {
    ...sampleTarget({ pullRequest: { number: 5, updatedAt: new Date(UPDATED), ...pullRequest } }),
    headSha: SHA.head,
    base: { kind: 'branch', name: 'main', tip: undefined },
  };
}

function find(target = event(), { minutes = 1, firstAttempt = true, signal = NEVER_ABORTED } = {}) {
  const clock = new FakeClock({ date: new Date(Date.parse(UPDATED) + minutes * 60_000) });
  return findCurrentTarget({ github: client({ clock }), clock, signal }, target, firstAttempt);
}

function down() {
  github().post('/graphql').reply(422).get('/repos/acme/shop/pulls/5').reply(422);
}

test('findCurrentTarget sends no request for a merge group', async () => {
  const base = { kind: 'merge-group', sha: SHA.base, branch: 'main' } as const;
  const target: ScanTarget = { ...event(), event: 'merge_group', base, pullRequest: undefined };
  expect(await find(target)).toEqual({ ok: true, value: { target, read: undefined, warnings: [] } });
});

describe('findCurrentTarget', () => {
  test('findCurrentTarget takes the base branch, its tip and the time of the last update from GitHub', async () => {
    const updatedAt = '2026-01-15T12:00:30Z';
    const baseRef = { target: { oid: SHA.other } };
    github()
      .post('/graphql')
      .reply(200, pullRequestAnswer({ baseRefName: 'dev', baseRef, updatedAt }));
    const found = await find(event(), { firstAttempt: false });
    expect(found).toMatchObject({
      value: {
        target: {
          headSha: SHA.head,
          base: { kind: 'branch', name: 'dev', tip: SHA.other },
          pullRequest: { number: 5, state: 'open', updatedAt: new Date(updatedAt) },
        },
        read: { state: { comments: [] } },
        warnings: [],
      },
    });
  });

  test('findCurrentTarget requests the ref of the base branch if the pull request does not show the tip', async () => {
    github().post('/graphql').reply(404).get('/repos/acme/shop/pulls/5').reply(200, pullRequestByRest());
    github().get(REF('main')).reply(200, tip('main'));
    expect(await find()).toMatchObject({ value: { target: { base: { name: 'main', tip: SHA.base } } } });
  });

  test.each([
    [422, undefined],
    [401, { reason: 'configuration', nextStep: expect.stringContaining('`github-token`') }],
    [403, { reason: 'configuration', nextStep: expect.stringContaining('`contents: read`') }],
  ])(
    'findCurrentTarget returns no tip if the request for the base branch gets %i',
    async (status, tipRefused) => {
      github().post('/graphql').reply(404).get('/repos/acme/shop/pulls/5').reply(200, pullRequestByRest());
      github().get(REF('main')).reply(status, { message: 'Resource not accessible by integration' });
      const found = await find();
      expect(found).toMatchObject({
        value: { target: { base: { name: 'main', tip: undefined }, pullRequest: { state: 'open' } } },
      });
      expect(found).toHaveProperty(
        'value.target.base.tipRefused',
        tipRefused && expect.objectContaining(tipRefused),
      );
    },
  );

  test.each([{ state: 'CLOSED' }, { state: 'MERGED' }, { state: 'CLOSED', baseRef: null }])(
    'findCurrentTarget returns a closed pull request for this answer of GitHub: %j',
    async (changes) => {
      github().post('/graphql').reply(200, pullRequestAnswer(changes));
      expect(await find()).toMatchObject({ value: { target: { pullRequest: { state: 'closed' } } } });
    },
  );

  test('findCurrentTarget returns a reopened pull request if only the event shows it as closed', async () => {
    const updatedAt = '2026-01-15T12:00:30Z';
    github().post('/graphql').reply(200, pullRequestAnswer({ updatedAt }));
    expect(await find(event({ state: 'closed' }))).toMatchObject({
      value: { target: { pullRequest: { state: 'reopened' } } },
    });
  });
});

describe('GitHub shows another head', () => {
  test('findCurrentTarget returns `superseded` if GitHub shows a new head', async () => {
    github()
      .post('/graphql')
      .reply(200, pullRequestAnswer({ headRefOid: SHA.other }));
    expect(await find()).toMatchObject({
      error: { reason: 'superseded', cause: expect.stringContaining(SHA.other) },
    });
  });

  test('findCurrentTarget warns and uses the event if GitHub shows the head before the push', async () => {
    github()
      .post('/graphql')
      .times(4)
      .reply(200, pullRequestAnswer({ headRefOid: SHA.other }));
    github().get(REF('main')).reply(200, tip('main'));
    expect(await find(event({ previousHead: SHA.other }), { minutes: 120 })).toMatchObject({
      value: {
        target: { headSha: SHA.head, base: { name: 'main', tip: SHA.base }, pullRequest: { state: 'open' } },
        read: undefined,
        warnings: [expect.stringContaining('older state')],
      },
    });
  });
});

describe('the pull request cannot be read', () => {
  test('on the first attempt, findCurrentTarget warns and uses a recent event', async () => {
    down();
    github().get(REF('main')).reply(200, tip('main'));
    expect(await find()).toMatchObject({
      value: {
        target: { base: { name: 'main', tip: SHA.base } },
        read: undefined,
        warnings: [expect.stringContaining('less than 15 minutes old')],
      },
    });
  });

  test('findCurrentTarget reads no base branch if the event shows the pull request as closed', async () => {
    down();
    expect(await find(event({ state: 'closed' }))).toMatchObject({
      value: { target: { base: { tip: undefined }, pullRequest: { state: 'closed' } } },
    });
  });

  test.each([
    [429, 'service-error', 'Re-run this job later'],
    [502, 'service-error', 'Re-run this job later'],
    [422, 'service-error', 'Re-run this job later'],
  ])(
    'findCurrentTarget fails on a re-run or with an old event if GitHub answers %i',
    async (status, reason, says) => {
      const attempts = status >= 500 ? 3 : status === 429 ? 2 : 1;
      for (const how of [{ firstAttempt: false }, { minutes: 15 }]) {
        github()
          .post('/graphql')
          .times(attempts)
          .reply(status, { message: 'Resource not accessible by integration' });
        // The client waits at most 75 s for rate limits. GraphQL uses up this time, so REST gets only one request.
        const byRest = status === 429 ? 1 : attempts;
        github()
          .get('/repos/acme/shop/pulls/5')
          .times(byRest)
          .reply(status, { message: 'Resource not accessible by integration' });
        const found = await find(event(), how);
        expect(found).toMatchObject({ error: { reason } });
        expect(JSON.stringify(found)).toContain(says);
      }
    },
  );
});

describe('GitHub refuses to show the pull request', () => {
  const refused = (status: number, times = 1) => {
    github().post('/graphql').times(times).reply(status);
    github()
      .get('/repos/acme/shop/pulls/5')
      .times(times)
      .reply(status, { message: 'Resource not accessible by integration' });
  };

  test.each([
    [401, 'Check `github-token`'],
    [403, 'Add `pull-requests: read`'],
  ])('findCurrentTarget reports a wrong setup if GitHub answers %i', async (status, says) => {
    for (const firstAttempt of [true, false]) {
      refused(status);
      expect(await find(event(), { firstAttempt })).toMatchObject({
        error: { reason: 'configuration', nextStep: expect.stringContaining(says) },
      });
    }
  });

  test('findCurrentTarget quotes a refusal for another reason, and advises no permission', async () => {
    const saml = 'Resource protected by organization SAML enforcement.';
    const errors = [{ type: 'FORBIDDEN', message: saml }];
    for (const status of [403, 404]) {
      github()
        .post('/graphql')
        .reply(200, { data: { repository: null }, errors });
      const said = status === 403 ? saml : 'Not Found';
      github().get('/repos/acme/shop/pulls/5').reply(status, { message: said });
      const found = await find();
      expect(found).toMatchObject({
        error: {
          reason: 'configuration',
          cause: expect.stringContaining(saml),
          nextStep: expect.stringContaining('single sign-on'),
        },
      });
      expect(JSON.stringify(found)).not.toContain('pull-requests');
    }
  });

  test('findCurrentTarget repeats the read after a 404 only on the first attempt of a run', async () => {
    const says = 'A re-run keeps the old permissions. If the workflow sets `github-token`, that token needs';
    const failure = { error: { reason: 'configuration', nextStep: expect.stringContaining(says) } };
    refused(404, 4);
    expect(await find()).toMatchObject(failure);
    refused(404);
    expect(await find(event(), { firstAttempt: false })).toMatchObject(failure);
  });

  test('findCurrentTarget repeats the read after a 404 until GitHub shows the pull request', async () => {
    refused(404, 2);
    github().post('/graphql').reply(200, pullRequestAnswer());
    expect(await find()).toMatchObject({ value: { target: { base: { tip: SHA.base } }, warnings: [] } });
  });
});

describe('GitHub shows an open pull request without its base branch', () => {
  const gone = pullRequestAnswer({ baseRef: null });

  test('findCurrentTarget reads an open pull request again until GitHub shows its base branch', async () => {
    github().post('/graphql').twice().reply(200, gone).post('/graphql').reply(200, pullRequestAnswer());
    expect(await find()).toMatchObject({ value: { target: { base: { tip: SHA.base } } } });
  });

  test('findCurrentTarget reads again until the pull request is closed, or has another base branch', async () => {
    github().post('/graphql').reply(200, gone);
    github()
      .post('/graphql')
      .reply(200, pullRequestAnswer({ baseRef: null, state: 'CLOSED' }));
    expect(await find()).toMatchObject({ value: { target: { pullRequest: { state: 'closed' } } } });
    github().post('/graphql').reply(200, gone);
    github()
      .post('/graphql')
      .reply(200, pullRequestAnswer({ baseRefName: 'dev' }));
    expect(await find()).toMatchObject({ value: { target: { base: { name: 'dev', tip: SHA.base } } } });
  });

  const contradiction = {
    error: {
      reason: 'service-error',
      cause: 'GitHub shows the pull request as open, but not its base branch "main".',
    },
  };

  test.each([true, false])(
    'findCurrentTarget fails if GitHub never shows the base branch of an open pull request (first attempt: %s)',
    async (firstAttempt) => {
      github().post('/graphql').times(4).reply(200, gone);
      expect(await find(event(), { firstAttempt })).toMatchObject(contradiction);
    },
  );

  test.each([200, 422])(
    'without GraphQL, findCurrentTarget reads again if GitHub does not find the base branch (pull request: status %i)',
    async (status) => {
      const asked = () => github().get('/repos/acme/shop/pulls/5').reply(status, pullRequestByRest());
      for (let read = 1; read <= 4; read += 1) {
        github().post('/graphql').reply(422);
        asked();
        github().get(REF('main')).reply(404);
      }
      expect(await find()).toMatchObject(contradiction);
      github().post('/graphql').reply(422);
      asked();
      github().get(REF('main')).reply(404);
      github().post('/graphql').reply(422);
      asked();
      github().get(REF('main')).reply(200, tip('main'));
      expect(await find()).toMatchObject({ value: { target: { base: { name: 'main', tip: SHA.base } } } });
    },
  );
});

test.each([
  ['timeout', 'timeout'],
  ['signal', 'scan-cancelled'],
] as const)('findCurrentTarget reports why the run was stopped: %s', async (cause, reason) => {
  expect(await find(event(), { signal: AbortSignal.abort(new Stop(cause)) })).toMatchObject({
    error: { reason },
  });
});
