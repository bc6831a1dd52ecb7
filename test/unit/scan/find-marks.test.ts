import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { joinState } from '../../../src/domain/comment-state.ts';
import { encodeFreeRerun } from '../../../src/domain/free-rerun.ts';
import { createSeal } from '../../../src/domain/seal.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import { hiddenLines } from '../../../src/github/comment-marker.ts';
import {
  findEarlierMarks,
  type MarkDeps,
  marksOfCheckRuns,
  marksUnlisted,
} from '../../../src/scan/find-marks.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';
import { aMark, checkRun, found, markText, SEAL } from './marked.ts';

const CHECK = 'Security scan';
const THIRD = 'd'.repeat(40);

afterEach(() => {
  const pending = nock.pendingMocks();
  nock.cleanAll();
  expect(pending).toEqual([]);
});

const pathOf = (commit: string) => `/repos/acme/shop/commits/${commit}/check-runs`;
const listing = (commit: string = SHA.head, page = 1) =>
  github().get(pathOf(commit)).query({ filter: 'all', per_page: 100, page });
const checkRuns = (...runs: readonly object[]) => listing().reply(200, { check_runs: runs });
const forbidden = (commit: string = SHA.head) => listing(commit).reply(403, { message: 'no' });
const link = `<https://api.github.com${pathOf(SHA.head)}?page=2>; rel="next"`;

/** The check run of a mark, as GitHub shows it. */
const at = (id: number, more: object = {}) => ({
  id,
  name: CHECK,
  url: `https://github.com/acme/shop/runs/${id}`,
  completed: false,
  ...more,
});

describe('the marks of the check runs on a commit', () => {
  const read = async () => {
    const deps = { github: client(), seal: SEAL, signal: NEVER_ABORTED };
    const { externalIds: _, ...found } = await marksOfCheckRuns(deps, SHA.head);
    return found;
  };

  test('finds marks in check runs of every name, the most recent launch first, with all members', async () => {
    checkRuns(
      checkRun(7, markText({ scanId: 'a', runAttempt: 2, launchedAt: 5 }), SHA.head, { status: 'completed' }),
      checkRun(9, markText({ scanId: 'b', pullRequest: undefined }), SHA.head, { name: 'Nightly / scan' }),
      checkRun(8, markText({ scanId: 's' }), SHA.head, { name: 'Old scan', html_url: 'javascript:x' }),
    );
    expect(await read()).toEqual({
      ok: true,
      value: [
        found({ scanId: 'b', pullRequest: undefined }, at(9, { name: 'Nightly / scan' })),
        found({ scanId: 's' }, at(8, { name: 'Old scan', url: undefined })),
        found({ scanId: 'a', runAttempt: 2, launchedAt: 5 }, at(7, { completed: true })),
      ],
    });
  });

  test.each<[string, string | null]>([
    ['was copied from the check run of another commit', markText({ headSha: SHA.other })],
    ['was copied from the check run of its base', markText({ headSha: SHA.base, baseSha: SHA.base })],
    ['was made with another token', encodeMark(aMark(), createSeal('another token', '1296269'))],
    ['was changed', markText().replace('v2:s:', 'v2:t:')],
    ['has text around it', ` ${markText()}`],
    ['is only the id of a scan', 's'],
    ['belongs to a step without a scan', 'run:42:1:7d3f0c1b-9a8e-4f6d-9c4b-3a291807f6e5'],
    ['is empty', ''],
    ['is missing', null],
  ])('leaves out a mark that %s', async (_what, externalId) => {
    checkRuns(checkRun(7, externalId), checkRun(5, markText({ scanId: 'ours' })));
    expect(await read()).toEqual({ ok: true, value: [found({ scanId: 'ours' }, at(5))] });
  });

  test('leaves out a mark on a check run that is listed with another commit', async () => {
    checkRuns(checkRun(7, markText({ headSha: SHA.other }), SHA.other), checkRun(6, markText(), SHA.other));
    expect(await read()).toEqual({ ok: true, value: [] });
  });

  test('reads all pages', async () => {
    listing().reply(200, { check_runs: [checkRun(9, markText({ scanId: 'a', launchedAt: 5 }))] }, { link });
    listing(SHA.head, 2).reply(200, { check_runs: [checkRun(7, markText({ scanId: 'b' }))] });
    expect(await read()).toEqual({
      ok: true,
      value: [found({ scanId: 'b' }, at(7)), found({ scanId: 'a', launchedAt: 5 }, at(9))],
    });
  });

  test('returns an error, and not the first page, if the second page cannot be read', async () => {
    listing().reply(200, { check_runs: [checkRun(7, markText())] }, { link });
    listing(SHA.head, 2).reply(403, { message: 'no' });
    expect(await read()).toMatchObject({ ok: false, error: { kind: 'forbidden' } });
  });
});

describe('findEarlierMarks', () => {
  const OURS = { __typename: 'Bot', login: 'github-actions' };

  interface Posted {
    readonly id: number;
    readonly headSha?: string;
    readonly state: string | undefined;
    readonly author?: object;
  }

  /** Makes GitHub show these comments. A comment of ours begins with the marker. */
  function comments(...posted: readonly Posted[]): void {
    const nodes = posted.map(({ id, headSha = SHA.head, state, author = OURS }) => {
      const marker = { checkName: CHECK, headSha, runId: id, runAttempt: 1 };
      return { fullDatabaseId: String(id), author, body: `${hiddenLines(marker, state)}\n## Passed` };
    });
    const answer = pullRequestAnswer({ comments: { pageInfo: { hasNextPage: false }, nodes } });
    github().post('/graphql').reply(200, answer);
  }

  function targetOf(pullRequest: Partial<TargetPullRequest> | undefined): ScanTarget {
    const target = { ...sampleTarget({ pullRequest: { number: 5, ...pullRequest } }), headSha: SHA.head };
    return pullRequest === undefined ? { ...target, event: 'merge_group', pullRequest: undefined } : target;
  }

  async function find(
    pullRequest: Partial<TargetPullRequest> | undefined,
    changes: { runAttempt?: number; inputs?: Partial<MarkDeps['inputs']> } = {},
  ) {
    const said: string[] = [];
    const deps: MarkDeps = {
      github: client(),
      seal: SEAL,
      inputs: {
        checkName: CHECK,
        comment: 'on-findings',
        reuseScan: true,
        ...changes.inputs,
      },
      runId: 42,
      runAttempt: changes.runAttempt ?? 1,
      signal: NEVER_ABORTED,
      log: { info: (text) => void said.push(text) },
    };
    const { marks, unlisted, noLaunch } = await findEarlierMarks(deps, targetOf(pullRequest));
    return { scans: marks.map(({ scanId }) => scanId), marks, unlisted, noLaunch: noLaunch?.reason, said };
  }

  const NEW = { headIsNew: true };
  const SEEN = { headIsNew: false };

  test('finds the marks of this head and of the previous one', async () => {
    checkRuns(checkRun(7, markText({ scanId: 'a' })), checkRun(9, markText({ scanId: 'b' })));
    listing(SHA.other).reply(200, {
      check_runs: [checkRun(5, markText({ scanId: 'older', headSha: SHA.other }), SHA.other)],
    });
    expect(await find({ ...NEW, previousHead: SHA.other })).toMatchObject({
      scans: ['a', 'b', 'older'],
      said: [],
    });
  });

  test('sorts the marks of check runs and comments, of this head and older ones, by launch', async () => {
    const at = (launchedAt: number, headSha: string = SHA.head) =>
      markText({ scanId: `at ${launchedAt}`, launchedAt, headSha });
    checkRuns(checkRun(7, at(4)), checkRun(9, at(1)));
    listing(SHA.other).reply(200, { check_runs: [checkRun(12, at(3, SHA.other), SHA.other)] });
    comments({ id: 1, state: at(2) }, { id: 2, state: at(5) });
    expect(await find({ ...NEW, previousHead: SHA.other }, { runAttempt: 2 })).toMatchObject({
      scans: ['at 5', 'at 4', 'at 3', 'at 2', 'at 1'],
    });
  });

  test('keeps this order if a mark is copied to a check run, in progress or not, or to the comment', async () => {
    const [newest, older] = [
      markText({ scanId: 'b', launchedAt: 8 }),
      markText({ scanId: 'a', launchedAt: 7 }),
    ];
    const completed = { status: 'completed' };
    checkRuns(
      checkRun(3, older, SHA.head, completed),
      checkRun(5, newest, SHA.head, completed),
      checkRun(8, older, SHA.head, completed),
      checkRun(9, older),
      checkRun(1, older),
    );
    comments({ id: 1, state: older });
    const { scans } = await find(SEEN, { runAttempt: 2 });
    expect([...new Set(scans)]).toEqual(['b', 'a']);
  });

  test('does not read the comment if no earlier run can have seen the head', async () => {
    checkRuns();
    expect(await find(NEW)).toMatchObject({ scans: [], said: [] });
  });

  test.each([
    ['of a re-run', NEW, 2],
    ['of an event that brings no head', SEEN, 1],
  ] as const)('reads the comment too, for the marks %s', async (_what, pullRequest, runAttempt) => {
    checkRuns();
    listing(SHA.other).reply(200, { check_runs: [] });
    comments(
      { id: 1, state: markText({ scanId: 'a' }) },
      {
        id: 2,
        state: joinState({
          mark: markText({ scanId: 'b', headSha: SHA.other }),
          publication: undefined,
          history: 'h1:x',
        }),
      },
    );
    const { marks } = await find(pullRequest, { runAttempt });
    expect(marks).toEqual([found({ scanId: 'a' }), found({ scanId: 'b', headSha: SHA.other })]);
  });

  test('finds no marks in comments of others, without a state, or with a forged one', async () => {
    checkRuns();
    comments(
      { id: 1, state: markText(), author: { __typename: 'User', login: 'github-actions' } },
      { id: 2, state: undefined },
      { id: 3, state: encodeMark(aMark(), createSeal('another token', '1296269')) },
      { id: 4, state: 'h1:x' },
    );
    expect(await find(SEEN)).toMatchObject({ scans: [], said: [] });
  });

  test('does not treat marks of the previous head as marks of this head', async () => {
    checkRuns();
    listing(SHA.other).reply(200, {
      check_runs: [checkRun(5, markText({ scanId: 'older', headSha: SHA.other }), SHA.other)],
    });
    comments({ id: 1, state: markText({ scanId: 'a' }) });
    expect(await find({ ...NEW, previousHead: SHA.other }, { runAttempt: 2 })).toMatchObject({
      scans: ['a', 'older'],
    });
  });

  test('reads the comment if the check runs cannot be read, even for a new head', async () => {
    forbidden();
    comments({ id: 1, state: markText({ scanId: 'a' }) });
    expect(await find(NEW)).toMatchObject({ scans: ['a'], said: [] });
  });

  test.each([
    ['an edited title', { ...SEEN, editedOnly: true }],
    ['a reopened pull request', { ...SEEN, bringsNothing: true }],
  ])('reads the marks of the older head that the comment names, for %s', async (_what, pullRequest) => {
    checkRuns();
    comments({ id: 1, headSha: SHA.other, state: markText({ scanId: 'a', headSha: THIRD }) });
    listing(SHA.other).reply(200, {
      check_runs: [checkRun(5, markText({ scanId: 'lost', headSha: SHA.other }), SHA.other)],
    });
    expect(await find(pullRequest)).toMatchObject({ scans: ['a', 'lost'] });
  });

  test('reads the marks of only the newest older head that the comments name', async () => {
    const heads = ['1', '2', '3'].map((digit) => digit.repeat(40));
    checkRuns();
    comments(...heads.map((headSha, index) => ({ id: index + 1, headSha, state: undefined })));
    for (const head of heads.slice(2)) listing(head).reply(200, { check_runs: [] });
    expect(await find(SEEN)).toMatchObject({ scans: [] });
  });

  test('logs one line for marks that cannot be read anywhere', async () => {
    forbidden();
    github().post('/graphql').reply(403, { message: 'no' });
    github().get('/repos/acme/shop/pulls/5').reply(403, { message: 'no' });
    expect(await find(SEEN)).toMatchObject({
      scans: [],
      said: [
        expect.stringMatching(
          /^Could not look up earlier scans in check runs\. .*checks: write.* may be paid for again\.$/,
        ),
      ],
    });
  });

  test('ignores that the marks of the previous head cannot be read', async () => {
    checkRuns(checkRun(7, markText({ scanId: 'a' })));
    forbidden(SHA.other);
    expect(await find({ ...NEW, previousHead: SHA.other })).toMatchObject({ scans: ['a'], said: [] });
  });

  test('does not read comments if none are written, and logs that a scan may be paid for again', async () => {
    forbidden();
    expect(await find(SEEN, { inputs: { comment: 'never' } })).toMatchObject({
      scans: [],
      said: [expect.stringContaining('Could not look up earlier scans')],
    });
  });

  test('finds what to cancel without `reuse-scan`', async () => {
    checkRuns();
    comments();
    listing(SHA.other).reply(200, {
      check_runs: [checkRun(5, markText({ scanId: 'older', headSha: SHA.other }), SHA.other)],
    });
    const options = { runAttempt: 2, inputs: { reuseScan: false } };
    expect(await find({ ...SEEN, previousHead: SHA.other }, options)).toMatchObject({
      scans: ['older'],
      said: [],
    });
    forbidden();
    comments();
    expect(await find(SEEN, options)).toMatchObject({ scans: [], said: [] });
  });

  describe('on a re-run', () => {
    const owner = { repository: 'acme/shop', pullRequest: 5, checkName: CHECK };
    const free = (runId: number, runAttempt: number) =>
      joinState({
        mark: markText({ scanId: 'a' }),
        history: undefined,
        publication: undefined,
        freeRerun: encodeFreeRerun({ runId, runAttempt, mayRepeat: false }, owner, SEAL),
      });

    test('forbids a launch on the attempt that the sweep requested, by any author of the comment', async () => {
      checkRuns();
      comments({ id: 1, state: free(42, 2) });
      expect(await find(NEW, { runAttempt: 2 })).toMatchObject({ scans: ['a'], noLaunch: 'configuration' });
      checkRuns();
      comments(
        { id: 1, state: undefined },
        { id: 2, state: free(42, 2), author: { __typename: 'User', login: 'x' } },
      );
      expect(await find(NEW, { runAttempt: 2 })).toMatchObject({ scans: [], noLaunch: 'configuration' });
    });

    test.each([
      ['another attempt', NEW, 3],
      ['a first attempt', SEEN, 1],
    ] as const)('allows a launch on %s', async (_what, pullRequest, runAttempt) => {
      checkRuns();
      comments({ id: 1, state: free(42, runAttempt === 1 ? 1 : 2) }, { id: 2, state: free(41, runAttempt) });
      expect(await find(pullRequest, { runAttempt })).toMatchObject({ noLaunch: undefined });
    });

    test.each<[string, number, number, string | undefined]>([
      ['GitHub fails', 3, 502, 'service-error'],
      ['a permission is missing', 1, 403, undefined],
    ])(
      'decides about a launch by why the comments of a re-run cannot be read: %s',
      async (_what, times, status, noLaunch) => {
        checkRuns(checkRun(7, markText({ scanId: 'a' })));
        github().post('/graphql').times(times).reply(status, { message: 'no' });
        github().get('/repos/acme/shop/pulls/5').times(times).reply(status, { message: 'no' });
        expect(await find(NEW, { runAttempt: 2 })).toMatchObject({ scans: ['a'], noLaunch });
      },
    );
  });

  test('finds the marks of a merge group in its check runs', async () => {
    checkRuns(checkRun(7, markText({ scanId: 'a', pullRequest: undefined })));
    expect(await find(undefined)).toMatchObject({ scans: ['a'] });
    checkRuns();
    expect(await find(undefined, { runAttempt: 2 })).toMatchObject({ scans: [], said: [] });
  });
});

describe('findEarlierMarks, if the check runs of the head cannot be listed', () => {
  const SEEN = { headIsNew: false };
  const AGAIN = {
    'a re-run': [{ headIsNew: true }, 2],
    'an edited title': [{ ...SEEN, editedOnly: true }, 1],
    'a reopened pull request': [{ ...SEEN, bringsNothing: true }, 1],
  } as const;
  const byName = () =>
    github().get(pathOf(SHA.head)).query({ check_name: CHECK, filter: 'all', per_page: 100, page: 1 });

  async function find(
    pullRequest: Partial<TargetPullRequest> | undefined,
    runAttempt: number,
    inputs: Partial<MarkDeps['inputs']> = {},
  ) {
    const said: string[] = [];
    const target = { ...sampleTarget({ pullRequest: { number: 5, ...pullRequest } }), headSha: SHA.head };
    const deps: MarkDeps = {
      github: client(),
      inputs: { checkName: CHECK, comment: 'never', reuseScan: true, ...inputs },
      seal: SEAL,
      runId: 42,
      runAttempt,
      signal: NEVER_ABORTED,
      log: { info: (text) => void said.push(text) },
    };
    const event = pullRequest === undefined ? { ...target, pullRequest: undefined } : target;
    const { marks, unlisted } = await findEarlierMarks(deps, event);
    return { scans: marks.map(({ scanId }) => scanId), unlisted: unlisted?.kind, said };
  }
  const broken = (times = 3) => {
    listing().times(times).reply(503, { message: 'down' });
  };

  test.each(Object.entries(AGAIN))(
    'lists only check runs of this name, for %s',
    async (_what, [event, attempt]) => {
      broken();
      byName().reply(200, { check_runs: [checkRun(7, markText({ scanId: 'a' }))] });
      expect(await find(event, attempt)).toEqual({ scans: ['a'], unlisted: undefined, said: [] });
    },
  );

  test.each(Object.entries(AGAIN))('forbids a launch, for %s', async (_what, [event, attempt]) => {
    broken();
    byName().times(3).reply(503, { message: 'down' });
    expect(await find(event, attempt)).toMatchObject({ scans: [], unlisted: 'unreachable' });
  });

  test.each<[string, number, object, string]>([
    ['a malformed answer', 200, { check_runs: [{}] }, 'invalid'],
    ['a rate limit', 403, { message: 'You have exceeded a secondary rate limit' }, 'rate-limited'],
  ])('forbids a launch after %s, too', async (_what, status, body, kind) => {
    listing().times(3).reply(status, body, { 'retry-after': '600' });
    byName().times(3).reply(status, body, { 'retry-after': '600' });
    expect(await find(SEEN, 2)).toMatchObject({ unlisted: kind });
    nock.cleanAll();
  });

  test.each([401, 403, 404])(
    'allows a launch after a missing permission (%i), and logs that a scan may be paid for again',
    async (status) => {
      // A 404 is read once more.
      listing()
        .times(status === 404 ? 2 : 1)
        .reply(status, { message: 'no' });
      expect(await find(SEEN, 2)).toEqual({
        scans: [],
        unlisted: undefined,
        said: [expect.stringMatching(/ may be paid for again\.$/)],
      });
    },
  );

  test.each<[string, Partial<TargetPullRequest> | undefined, number, Partial<MarkDeps['inputs']>]>([
    ['a new head', { headIsNew: true }, 1, {}],
    ['a new base', { headIsNew: false }, 1, {}],
    ['the first run of a push', undefined, 1, {}],
    ['a run that reuses no scan', { headIsNew: false }, 2, { reuseScan: false }],
  ])('allows a launch for %s', async (_what, event, attempt, inputs) => {
    broken();
    byName().times(3).reply(503, { message: 'down' });
    expect(await find(event, attempt, inputs)).toMatchObject({ unlisted: undefined });
  });

  test('explains the failure with a next step', () => {
    const error = {
      kind: 'unreachable',
      operation: 'list the check runs',
      permission: 'checks: write',
      status: 503,
      message: '',
      ambiguous: false,
    } as const;
    expect(marksUnlisted(error)).toEqual({
      reason: 'service-error',
      cause:
        'Could not list the check runs: GitHub could not be reached. An earlier run may have paid for a scan of this change, so no scan was launched.',
      nextStep: 'Re-run this job. If it fails again, push a commit to have it scanned.',
    });
  });
});

describe('findEarlierMarks for a push', () => {
  const target: ScanTarget = {
    ...sampleTarget({ event: 'push' }),
    headSha: SHA.head,
    base: { kind: 'push', branch: 'main', before: SHA.base, defaultBranch: 'main' },
    pullRequest: undefined,
  };
  const HEADS = ['1', '2', '3'].map((digit) => digit.repeat(40));
  const merged = () => github().get(`/repos/acme/shop/commits/${SHA.head}/pulls?per_page=10`);
  const pull = (sha: string | undefined, merge: string | null = null) => {
    return { number: 1, head: { sha }, merge_commit_sha: merge };
  };
  const listingOf = (sha: string, scanId: string) =>
    listing(sha).reply(200, { check_runs: [checkRun(5, markText({ scanId, headSha: sha }), sha)] });
  const find = async (reuseScan = true) => {
    const inputs = { checkName: CHECK, comment: 'on-findings', reuseScan } as const;
    const log = { info: () => {} };
    const deps: MarkDeps = {
      github: client(),
      inputs,
      seal: SEAL,
      runId: 42,
      runAttempt: 1,
      signal: NEVER_ABORTED,
      log,
    };
    return (await findEarlierMarks(deps, target)).marks.map(({ scanId }) => scanId);
  };

  test('finds the marks of its head, and of two pull requests that it merged', async () => {
    const [first = '', second = '', third = ''] = HEADS;
    checkRuns(checkRun(7, markText({ scanId: 'own' })));
    merged().reply(200, [
      pull(first, SHA.other),
      pull(second, SHA.head),
      pull(SHA.head),
      pull(second),
      pull(third),
    ]);
    listingOf(second, 'merged');
    listingOf(first, 'other');
    expect(await find()).toEqual(['merged', 'other', 'own']);
  });

  test.each([
    ['are refused', 403, { message: 'no' }],
    ['are malformed', 200, [pull(undefined)]],
    ['do not exist', 200, []],
  ])('finds only the marks of its head if its pull requests %s', async (_what, status, body) => {
    checkRuns(checkRun(7, markText({ scanId: 'own' })));
    merged().reply(status, body);
    expect(await find()).toEqual(['own']);
  });

  test('leaves out a pull request whose check runs cannot be read', async () => {
    const [first = '', second = ''] = HEADS;
    checkRuns();
    merged().reply(200, [pull(first), pull(second)]);
    forbidden(first);
    listingOf(second, 'merged');
    expect(await find()).toEqual(['merged']);
  });

  test('reads no pull requests if no scan is reused', async () => {
    expect(await find(false)).toEqual([]);
  });
});
