import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { joinState } from '../../../src/domain/comment-state.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import { hiddenLines } from '../../../src/github/comment-marker.ts';
import {
  findEarlierMarks,
  followingOrder,
  type MarkDeps,
  marksOfCheckRuns,
} from '../../../src/scan/find-marks.ts';
import { encodeMark } from '../../../src/scan/scan-mark.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { client, github, SHA } from '../github/client.ts';
import { pullRequestAnswer } from '../github/pull-request-answers.ts';
import { sampleTarget } from '../report/sample-report.ts';
import { API_TOKEN, aMark, checkRun, found, markText } from './marked.ts';

const CHECK = 'Security scan';

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

/** Where a mark was found. */
const at = (id: number, more: object = {}) => ({
  id,
  name: CHECK,
  url: `https://github.com/acme/shop/runs/${id}`,
  completed: false,
  ...more,
});

describe('the marks of the check runs on a commit', () => {
  const read = () =>
    marksOfCheckRuns({ github: client(), inputs: { apiToken: API_TOKEN }, signal: NEVER_ABORTED }, SHA.head);

  test('are found under every name, the newest first, with what they say', async () => {
    checkRuns(
      checkRun(7, markText({ scanId: 'a', runAttempt: 2 }), SHA.head, { status: 'completed' }),
      checkRun(9, markText({ scanId: 'b', pullRequest: undefined }), SHA.head, { name: 'Nightly / scan' }),
      checkRun(8, markText({ scanId: 's' }), SHA.head, { name: 'Old scan', html_url: 'javascript:x' }),
    );
    expect(await read()).toEqual({
      ok: true,
      value: [
        found({ scanId: 'b', pullRequest: undefined }, at(9, { name: 'Nightly / scan' })),
        found({ scanId: 's' }, at(8, { name: 'Old scan', url: undefined })),
        found({ scanId: 'a', runAttempt: 2 }, at(7, { completed: true })),
      ],
    });
  });

  test.each<[string, string | null]>([
    ['was copied from the check run of another commit', markText({ headSha: SHA.other })],
    ['was copied from the check run of its base', markText({ headSha: SHA.base, baseSha: SHA.base })],
    ['was made with another token', encodeMark(aMark(), 'another token')],
    ['was changed', markText().replace('v2:s:', 'v2:t:')],
    ['has text around it', ` ${markText()}`],
    ['is the name of a scan alone', 's'],
    ['is that of a step without a scan', 'run:42:1:7d3f0c1b-9a8e-4f6d-9c4b-3a291807f6e5'],
    ['is empty', ''],
    ['is not there', null],
  ])('do not include one that %s', async (_what, externalId) => {
    checkRuns(checkRun(7, externalId), checkRun(5, markText({ scanId: 'ours' })));
    expect(await read()).toEqual({ ok: true, value: [found({ scanId: 'ours' }, at(5))] });
  });

  test('do not include one on a check run that is listed with another commit', async () => {
    checkRuns(checkRun(7, markText({ headSha: SHA.other }), SHA.other), checkRun(6, markText(), SHA.other));
    expect(await read()).toEqual({ ok: true, value: [] });
  });

  test('are read from all pages', async () => {
    listing().reply(200, { check_runs: [checkRun(7, markText({ scanId: 'a' }))] }, { link });
    listing(SHA.head, 2).reply(200, { check_runs: [checkRun(9, markText({ scanId: 'b' }))] });
    expect(await read()).toEqual({
      ok: true,
      value: [found({ scanId: 'b' }, at(9)), found({ scanId: 'a' }, at(7))],
    });
  });

  test('are an error where the second page cannot be read, never those of the first', async () => {
    listing().reply(200, { check_runs: [checkRun(7, markText())] }, { link });
    listing(SHA.head, 2).reply(403, { message: 'no' });
    expect(await read()).toMatchObject({ ok: false, error: { kind: 'forbidden' } });
  });
});

describe('the marks of earlier runs', () => {
  const OURS = { __typename: 'Bot', login: 'github-actions' };

  interface Posted {
    readonly id: number;
    readonly headSha?: string;
    readonly state: string | undefined;
    readonly author?: object;
  }

  /** The comments on the pull request, of which the first line says that they are ours. */
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
      inputs: {
        apiToken: API_TOKEN,
        checkName: CHECK,
        comment: 'on-findings',
        reuseScan: true,
        ...changes.inputs,
      },
      runAttempt: changes.runAttempt ?? 1,
      signal: NEVER_ABORTED,
      log: { info: (text) => void said.push(text) },
    };
    const marks = await findEarlierMarks(deps, targetOf(pullRequest));
    return { scans: marks.map(({ scanId }) => scanId), marks, said };
  }

  const NEW = { headIsNew: true };
  const SEEN = { headIsNew: false };

  test('are those of this head and of the one before it', async () => {
    checkRuns(checkRun(7, markText({ scanId: 'a' })), checkRun(9, markText({ scanId: 'b' })));
    listing(SHA.other).reply(200, {
      check_runs: [checkRun(5, markText({ scanId: 'older', headSha: SHA.other }), SHA.other)],
    });
    expect(await find({ ...NEW, previousHead: SHA.other })).toMatchObject({
      scans: ['b', 'a', 'older'],
      said: [],
    });
  });

  test('are not looked for in the comment where the check runs show one, also on a re-run', async () => {
    checkRuns(checkRun(7, markText({ scanId: 'a' })));
    expect(await find(SEEN, { runAttempt: 2 })).toMatchObject({ scans: ['a'] });
  });

  test('are not looked for in the comment where no earlier run can have seen the head', async () => {
    checkRuns();
    expect(await find(NEW)).toMatchObject({ scans: [], said: [] });
  });

  test.each([
    ['of a re-run', NEW, 2],
    ['of an event that brings no head', SEEN, 1],
  ] as const)(
    '%s are looked for in the comment, the newest first',
    async (_what, pullRequest, runAttempt) => {
      checkRuns();
      comments(
        { id: 1, state: markText({ scanId: 'a' }) },
        { id: 3, headSha: SHA.other, state: markText({ scanId: 's', headSha: SHA.other }) },
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
      expect(marks).toEqual([
        found({ scanId: 's', headSha: SHA.other }),
        found({ scanId: 'b', headSha: SHA.other }),
        found({ scanId: 'a' }),
      ]);
    },
  );

  test('are none in comments of others, without a state, or with a forged one', async () => {
    checkRuns();
    comments(
      { id: 1, state: markText(), author: { __typename: 'User', login: 'github-actions' } },
      { id: 2, state: undefined },
      { id: 3, state: encodeMark(aMark(), 'another token') },
      { id: 4, state: 'h1:x' },
    );
    expect(await find(SEEN)).toMatchObject({ scans: [], said: [] });
  });

  test('of the head before this one do not stand for those of this head', async () => {
    checkRuns();
    listing(SHA.other).reply(200, {
      check_runs: [checkRun(5, markText({ scanId: 'older', headSha: SHA.other }), SHA.other)],
    });
    comments({ id: 1, state: markText({ scanId: 'a' }) });
    expect(await find({ ...NEW, previousHead: SHA.other }, { runAttempt: 2 })).toMatchObject({
      scans: ['older', 'a'],
    });
  });

  test('are looked for in the comment where the check runs cannot be read, even for a new head', async () => {
    forbidden();
    comments({ id: 1, state: markText({ scanId: 'a' }) });
    expect(await find(NEW)).toMatchObject({ scans: ['a'], said: [] });
  });

  test('that cannot be read anywhere are one line in the log', async () => {
    forbidden();
    github().post('/graphql').reply(403, { message: 'no' });
    github().get('/repos/acme/shop/pulls/5').reply(403, { message: 'no' });
    expect(await find(SEEN)).toMatchObject({
      scans: [],
      said: [expect.stringMatching(/^Could not look up earlier scans\. .*checks: write/)],
    });
  });

  test('of the head before this one that cannot be read are left out', async () => {
    checkRuns(checkRun(7, markText({ scanId: 'a' })));
    forbidden(SHA.other);
    expect(await find({ ...NEW, previousHead: SHA.other })).toMatchObject({ scans: ['a'], said: [] });
  });

  test('are not looked for in comments where none are written; the log says what is missing', async () => {
    forbidden();
    expect(await find(SEEN, { inputs: { comment: 'never' } })).toMatchObject({
      scans: [],
      said: [expect.stringContaining('Could not look up earlier scans')],
    });
  });

  test('are not looked for in the comment without `reuse-scan`; those of check runs tell what to cancel', async () => {
    checkRuns();
    listing(SHA.other).reply(200, {
      check_runs: [checkRun(5, markText({ scanId: 'older', headSha: SHA.other }), SHA.other)],
    });
    const options = { runAttempt: 2, inputs: { reuseScan: false } };
    expect(await find({ ...SEEN, previousHead: SHA.other }, options)).toMatchObject({
      scans: ['older'],
      said: [],
    });
    forbidden();
    expect(await find(SEEN, options)).toMatchObject({ scans: [], said: [] });
  });

  test('of a merge group are those of its check runs', async () => {
    checkRuns(checkRun(7, markText({ scanId: 'a', pullRequest: undefined })));
    expect(await find(undefined)).toMatchObject({ scans: ['a'] });
    checkRuns();
    expect(await find(undefined, { runAttempt: 2 })).toMatchObject({ scans: [], said: [] });
  });
});

describe('the marks for a push', () => {
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
    const inputs = { apiToken: API_TOKEN, checkName: CHECK, comment: 'on-findings', reuseScan } as const;
    const log = { info: () => {} };
    const deps: MarkDeps = { github: client(), inputs, runAttempt: 1, signal: NEVER_ABORTED, log };
    return (await findEarlierMarks(deps, target)).map(({ scanId }) => scanId);
  };

  test('are those of its head, and of two pull requests that it merged', async () => {
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
    expect(await find()).toEqual(['own', 'merged', 'other']);
  });

  test.each([
    ['are refused', 403, { message: 'no' }],
    ['are not as documented', 200, [pull(undefined)]],
    ['are none', 200, []],
  ])('are those of its head where the pull requests of it %s', async (_what, status, body) => {
    checkRuns(checkRun(7, markText({ scanId: 'own' })));
    merged().reply(status, body);
    expect(await find()).toEqual(['own']);
  });

  test('leave out a pull request whose check runs cannot be read', async () => {
    const [first = '', second = ''] = HEADS;
    checkRuns();
    merged().reply(200, [pull(first), pull(second)]);
    forbidden(first);
    listingOf(second, 'merged');
    expect(await find()).toEqual(['merged']);
  });

  test('are not looked for where no scan is to be used again', async () => {
    expect(await find(false)).toEqual([]);
  });
});

describe('the order in which scans are followed', () => {
  test('is results first, the newest first, then jobs that run, the eldest first', () => {
    const running = (scanId: string, id: number) => found({ scanId }, at(id));
    const ended = (scanId: string, id: number) => found({ scanId }, at(id, { completed: true }));
    const marks = [
      running('d', 9),
      ended('a', 8),
      running('c', 7),
      ended('b', 6),
      found({ scanId: 'comment' }),
    ];
    expect(followingOrder(marks).map(({ scanId }) => scanId)).toEqual(['a', 'b', 'comment', 'c', 'd']);
  });
});
