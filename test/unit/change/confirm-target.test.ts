import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { type ConfirmDeps, confirmTarget } from '../../../src/change/changed-target.ts';
import { Stop } from '../../../src/domain/result.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer, UPDATED } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';

const START = new Date(UPDATED);
const OLDER = '2026-01-15T11:59:00Z';
const NEWER = '2026-01-15T12:05:00Z';
const STATE: PullRequestState = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: START,
  headSha: SHA.head,
  headTree: undefined,
  baseName: 'main',
  baseTip: { kind: 'commit', sha: SHA.base },
  comments: [],
};

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

function scanned(pullRequest: Partial<TargetPullRequest> = {}): ScanTarget {
  return {
    ...sampleTarget({
      pullRequest: { number: 5, updatedAt: START, previousHead: SHA.other, ...pullRequest },
    }),
    headSha: SHA.head,
    base: { kind: 'branch', name: 'main', tip: SHA.base },
  };
}

interface Options {
  readonly target?: ScanTarget;
  /** How many minutes ago the event happened, and the run first read the pull request. */
  readonly minutes?: number;
  readonly wasRead?: boolean;
  readonly firstAttempt?: boolean;
  readonly deadlines?: ConfirmDeps['deadlines'];
  /** The last state that the run saw, as changes of `STATE`. Undefined if the run saw no state. */
  readonly seen?: Partial<PullRequestState>;
}

const NO_DEADLINES = { work: NEVER_ABORTED, wrapUp: NEVER_ABORTED, signalled: NEVER_ABORTED };

async function confirm({
  target = scanned(),
  minutes = 10,
  wasRead = true,
  firstAttempt = true,
  deadlines = NO_DEADLINES,
  seen,
}: Options = {}) {
  const clock = new FakeClock({ date: new Date(START.getTime() + minutes * 60_000) });
  const warnings: string[] = [];
  const warn = (...sentences: readonly string[]) => void warnings.push(...sentences);
  const confirmed = await confirmTarget(
    { github: client({ clock }), clock, deadlines, warn, seen: () => seen && { ...STATE, ...seen } },
    target,
    wasRead ? { state: STATE, at: START } : undefined,
    firstAttempt,
  );
  return { ...confirmed, warnings };
}

test('confirmTarget confirms a merge group without a request', async () => {
  const target: ScanTarget = { ...scanned(), event: 'merge_group', pullRequest: undefined };
  expect(await confirm({ target })).toEqual({ kind: 'confirmed', state: undefined, warnings: [] });
});

describe('the head and the base branch have not changed', () => {
  test.each([
    ['no change', {}],
    ['a newer state', { updatedAt: NEWER }],
    ['a merged pull request', { updatedAt: NEWER, state: 'MERGED' }],
    ['a closed pull request without a base branch', { updatedAt: NEWER, state: 'CLOSED', baseRef: null }],
  ])('confirmTarget confirms the same head and base name if GitHub shows %s', async (_, changes) => {
    github().post('/graphql').reply(200, pullRequestAnswer(changes));
    expect(await confirm()).toMatchObject({
      kind: 'confirmed',
      state: { headSha: SHA.head, comments: [] },
      warnings: [],
    });
  });
});

test.each(['CLOSED', 'MERGED'])(
  'confirmTarget refuses a pull request if the first read of the run shows the state %s',
  async (state) => {
    github()
      .post('/graphql')
      .reply(200, pullRequestAnswer({ updatedAt: NEWER, state }));
    expect(await confirm({ wasRead: false })).toMatchObject({
      kind: 'refused',
      failure: { reason: 'unsupported-event', cause: expect.stringContaining('is closed') },
    });
  },
);

describe('the pull request changed during the scan', () => {
  test.each([true, false])(
    'confirmTarget refuses the target as superseded if the pull request has another base branch (first attempt: %s)',
    async (firstAttempt) => {
      github()
        .post('/graphql')
        .reply(200, pullRequestAnswer({ baseRefName: 'dev', updatedAt: NEWER }));
      expect(await confirm({ firstAttempt })).toMatchObject({
        kind: 'refused',
        failure: { reason: 'superseded', cause: expect.stringContaining('"dev"') },
        state: { baseName: 'dev' },
      });
    },
  );

  test.each([true, false])(
    'confirmTarget refuses the target as superseded if the pull request has another head (first attempt: %s)',
    async (firstAttempt) => {
      const headRefOid = 'd'.repeat(40);
      github()
        .post('/graphql')
        .reply(200, pullRequestAnswer({ headRefOid, updatedAt: NEWER }));
      expect(await confirm({ firstAttempt })).toMatchObject({
        kind: 'refused',
        failure: { reason: 'superseded', cause: expect.stringContaining(headRefOid) },
      });
    },
  );

  test('confirmTarget refuses the target as superseded if the author has pushed the previous head again', async () => {
    github()
      .post('/graphql')
      .reply(200, pullRequestAnswer({ headRefOid: SHA.other, updatedAt: NEWER }));
    expect(await confirm()).toMatchObject({ kind: 'refused', failure: { reason: 'superseded' } });
  });
});

describe('GitHub answers with an older state', () => {
  test.each([
    ['another base branch', { baseRefName: 'dev', updatedAt: OLDER }, true],
    ['the previous head', { headRefOid: SHA.other, updatedAt: OLDER }, true],
    ['the previous head with the time of the event', { headRefOid: SHA.other }, false],
  ])('confirmTarget confirms the target if GitHub shows an older state: %s', async (_, changes, wasRead) => {
    github().post('/graphql').times(4).reply(200, pullRequestAnswer(changes));
    expect(await confirm({ wasRead })).toMatchObject({
      kind: 'confirmed',
      state: undefined,
      uncounted: { ok: true },
      warnings: [expect.stringContaining('older state')],
    });
  });
});

describe('an earlier answer in the run showed another head', () => {
  const seen = { headSha: 'd'.repeat(40), updatedAt: new Date(NEWER) };
  const missing = { baseRef: null };

  test('confirmTarget refuses the target if the next answer is older', async () => {
    github().post('/graphql').reply(200, pullRequestAnswer());
    expect(await confirm({ seen })).toMatchObject({
      kind: 'refused',
      failure: { reason: 'superseded' },
      state: { headSha: seen.headSha },
    });
  });

  test('confirmTarget refuses the target if the next answer does not show the base branch', async () => {
    github().post('/graphql').times(4).reply(200, pullRequestAnswer(missing));
    expect(await confirm({ seen })).toMatchObject({ kind: 'refused', failure: { reason: 'superseded' } });
  });

  test.each([NEWER, '2026-01-15T12:06:00Z'])(
    'confirmTarget confirms the target if the next answer is not older: %s',
    async (updatedAt) => {
      github().post('/graphql').reply(200, pullRequestAnswer({ updatedAt }));
      expect(await confirm({ seen })).toMatchObject({ kind: 'confirmed', state: { headSha: SHA.head } });
    },
  );
});

test('confirmTarget refuses an open pull request if the base branch is deleted', async () => {
  github()
    .post('/graphql')
    .times(4)
    .reply(200, pullRequestAnswer({ baseRef: null }));
  expect(await confirm()).toMatchObject({
    kind: 'refused',
    failure: { reason: 'service-error', cause: expect.stringContaining('not its base branch "main"') },
  });
});

describe('the pull request cannot be read', () => {
  const down = () =>
    github().post('/graphql').reply(422).get('/repos/acme/shop/pulls/5').reply(422, { message: 'no' });

  test.each<[string, Options]>([
    ['14 minutes after the first read', { minutes: 14, wasRead: true, firstAttempt: true }],
    ['14 minutes after the first read of a re-run', { minutes: 14, wasRead: true, firstAttempt: false }],
    ['14 minutes after the event', { minutes: 14, wasRead: false, firstAttempt: true }],
  ])('confirmTarget confirms an unreadable pull request %s', async (_, options) => {
    down();
    expect(await confirm(options)).toMatchObject({
      kind: 'confirmed',
      warnings: [expect.stringContaining('less than 15 minutes old')],
    });
  });

  test.each<
    [what: string, seen: Partial<PullRequestState>, wasRead: boolean, reason: string, minutes?: number]
  >([
    [
      'another head, and the first read was 15 minutes ago',
      { headSha: 'd'.repeat(40), updatedAt: new Date(NEWER) },
      true,
      'superseded',
      15,
    ],
    ['another head', { headSha: 'd'.repeat(40), updatedAt: new Date(NEWER) }, true, 'superseded'],
    ['another base branch', { baseName: 'dev', updatedAt: new Date(NEWER) }, true, 'superseded'],
    ['a closed pull request', { isOpen: false, updatedAt: new Date(NEWER) }, false, 'unsupported-event'],
  ])(
    'confirmTarget refuses an unreadable pull request if an earlier answer showed %s',
    async (_, seen, wasRead, reason, minutes) => {
      down();
      expect(await confirm({ seen, wasRead, ...(minutes && { minutes }) })).toMatchObject({
        kind: 'refused',
        failure: { reason },
        state: undefined,
        uncounted: { ok: false },
        isClosed: seen.isOpen === false,
      });
    },
  );

  test.each<[what: string, seen: Partial<PullRequestState>, isClosed: boolean]>([
    ['no change', {}, false],
    ['an older state', { headSha: SHA.other, isOpen: false, updatedAt: new Date(OLDER) }, false],
    ['that it was closed during the run', { isOpen: false, updatedAt: new Date(NEWER) }, true],
  ])(
    'confirmTarget confirms an unreadable pull request if an earlier answer showed %s',
    async (_, seen, isClosed) => {
      down();
      expect(await confirm({ seen })).toMatchObject({ kind: 'confirmed', state: undefined, isClosed });
    },
  );

  test.each<[string, Options]>([
    ['15 minutes after the first read', { minutes: 15, wasRead: true, firstAttempt: true }],
    ['15 minutes after the first read of a re-run', { minutes: 15, wasRead: true, firstAttempt: false }],
    ['15 minutes after the event', { minutes: 15, wasRead: false, firstAttempt: true }],
    ['on a re-run without a first read', { minutes: 1, wasRead: false, firstAttempt: false }],
  ])('confirmTarget refuses an unreadable pull request %s', async (_, options) => {
    down();
    expect(await confirm(options)).toMatchObject({ kind: 'refused', failure: { reason: 'service-error' } });
  });

  test.each([401, 403])(
    'confirmTarget reports a configuration error if GitHub answers with %i',
    async (status) => {
      github()
        .post('/graphql')
        .reply(status)
        .get('/repos/acme/shop/pulls/5')
        .reply(status, { message: 'no' });
      expect(await confirm({ minutes: 1 })).toMatchObject({
        kind: 'refused',
        failure: { reason: 'configuration' },
      });
    },
  );
});

const STOPPED = AbortSignal.abort(new Stop('timeout'));

test('confirmTarget reads the pull request after the timeout of the step', async () => {
  github().post('/graphql').reply(200, pullRequestAnswer());
  expect(await confirm({ deadlines: { ...NO_DEADLINES, work: STOPPED } })).toMatchObject({
    kind: 'confirmed',
    state: { headSha: SHA.head },
  });
  expect(await confirm({ deadlines: { ...NO_DEADLINES, work: STOPPED, wrapUp: STOPPED } })).toMatchObject({
    kind: 'confirmed',
    state: undefined,
    warnings: [expect.stringContaining('first read')],
  });
});

test('confirmTarget reads the pull request a second time if the step times out during the first read', async () => {
  const stop = new AbortController();
  github()
    .post('/graphql')
    .reply(() => {
      stop.abort(new Stop('timeout'));
      return [502, {}];
    })
    .post('/graphql')
    .reply(200, pullRequestAnswer({ headRefOid: 'd'.repeat(40), updatedAt: NEWER }));
  expect(await confirm({ deadlines: { ...NO_DEADLINES, work: stop.signal } })).toMatchObject({
    kind: 'refused',
    failure: { reason: 'superseded' },
  });
});

test('after a signal, confirmTarget reports that the job was cancelled', async () => {
  const signal = AbortSignal.abort(new Stop('signal'));
  expect(await confirm({ deadlines: { ...NO_DEADLINES, work: signal, signalled: signal } })).toMatchObject({
    kind: 'refused',
    failure: { reason: 'scan-cancelled', bySignal: true },
  });
});
