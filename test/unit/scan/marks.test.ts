import { expect, test } from 'vitest';
import { createSeal } from '../../../src/domain/seal.ts';
import type { ScanTarget, TargetPullRequest } from '../../../src/domain/target.ts';
import type { PullRequestState } from '../../../src/github/pull-request-state.ts';
import {
  type FoundMark,
  findEarlierMarks,
  findOpenCheckRuns,
  type MarkDeps,
  marksOfCheckRuns,
  openCheckRunOf,
} from '../../../src/scan/marks.ts';
import { NEVER_ABORTED } from '../../support/never-aborted.ts';
import { SHA } from '../github/client.ts';
import { UPDATED } from '../github/pull-request-answers.ts';
import type { Answer } from '../github/readers/row.ts';
import { sampleTarget } from '../report/sample-report.ts';
import { checkRun, found, markText, SEAL } from './marked.ts';
import { checkRuns, comments, marksOn, onGitHub, refusal, type Shown } from './on-github.ts';

test('marksOfCheckRuns returns the proven marks on a commit, the most recent launch first', async () => {
  const { github } = onGitHub({
    'checks of head': checkRuns(
      checkRun(7, markText({ scanId: 'a', launchedAt: 5 }), SHA.head, { status: 'completed' }),
      checkRun(9, markText({ scanId: 'b' }), SHA.head, { name: 'Nightly' }),
      checkRun(8, markText({ scanId: 'copied', headSha: SHA.other })),
      checkRun(6, 'run:42:1:x'),
    ),
  });
  const at = (id: number, name: string, completed: boolean) => {
    return { id, name, url: `https://github.com/acme/shop/runs/${id}`, completed };
  };
  expect(await marksOfCheckRuns({ github, seal: SEAL, signal: NEVER_ABORTED }, SHA.head)).toMatchObject({
    ok: true,
    value: [
      found({ scanId: 'b' }, at(9, 'Nightly', false)),
      found({ scanId: 'a', launchedAt: 5 }, at(7, 'Security scan', true)),
    ],
  });
});

/** A run. Default: the first run for a new head of pull request 5. */
interface Run {
  readonly pullRequest?: Partial<TargetPullRequest>;
  /** The target of an event without a pull request. */
  readonly target?: ScanTarget;
  readonly runAttempt?: number;
  readonly inputs?: Partial<MarkDeps['inputs']>;
  /** The state of the pull request that the run has already read. Default: the run has read none. */
  readonly state?: PullRequestState;
}

async function find(shown: Shown, { pullRequest, target, runAttempt = 1, inputs, state }: Run = {}) {
  const said: string[] = [];
  const { github, asked } = onGitHub(shown);
  const deps: MarkDeps = {
    github,
    seal: SEAL,
    inputs: { checkName: 'Security scan', comment: 'on-findings', reuseScan: true, ...inputs },
    runAttempt,
    signal: NEVER_ABORTED,
    log: { info: (text) => void said.push(text) },
    state,
  };
  const event = target ?? sampleTarget({ pullRequest: { number: 5, headIsNew: true, ...pullRequest } });
  const { marks, unlisted } = await findEarlierMarks(deps, { ...event, headSha: SHA.head });
  return {
    scans: marks.map(({ scanId }) => scanId),
    asked: asked.toSorted(),
    unlisted: unlisted?.kind,
    said,
  };
}

/** The head is not new, so an earlier run can have left marks on it. */
const SEEN = { pullRequest: { headIsNew: false } };
const PUSHED = { pullRequest: { previousHead: SHA.other } };
const RERUN = { runAttempt: 2 };
const WITHOUT_REUSE = { inputs: { reuseScan: false } };
const WITHOUT_COMMENT = { inputs: { comment: 'never' } } as const;
const PUSH: ScanTarget = {
  ...sampleTarget({ event: 'push' }),
  base: { kind: 'push', branch: 'main', before: SHA.base, defaultBranch: 'main' },
  pullRequest: undefined,
};
const STATE: PullRequestState = {
  viewer: 'github-actions[bot]',
  isOpen: true,
  updatedAt: new Date(UPDATED),
  headSha: SHA.head,
  headTree: undefined,
  baseName: 'main',
  baseTip: undefined,
  comments: [],
};

const on = (headSha: string, scanId: string) => markText({ scanId, headSha });
const launched = (launchedAt: number, headSha: string = SHA.head) =>
  markText({ scanId: `${launchedAt}`, launchedAt, headSha });
const [FIRST = '', SECOND = '', THIRD = ''] = ['1', '2', '3'].map((digit) => digit.repeat(40));
const MERGED = {
  status: 200,
  body: [SHA.head, FIRST, SECOND, THIRD].map((sha) => ({ head: { sha }, merge_commit_sha: null })),
};

/** The run may launch a scan. */
const ALLOWED = { unlisted: undefined };

interface Situation {
  readonly what: string;
  readonly run?: Run;
  readonly shown?: Shown;
  /**
   * The requests in alphabetical order. Their true order is open, because the run sends some of them at the same time.
   */
  readonly asks: readonly string[];
  /** The scans that the marks name, in the order of the marks. Default: none. */
  readonly scans?: readonly string[];
}

const SITUATIONS: readonly Situation[] = [
  {
    what: 'sorts marks from check runs and comments by the time of the launch',
    run: { ...PUSHED, ...RERUN },
    shown: {
      'checks of head': marksOn(SHA.head, launched(4), launched(1)),
      'checks of other': marksOn(SHA.other, launched(3, SHA.other)),
      'pull request 5': comments({ mark: launched(2) }, { mark: launched(5) }),
    },
    asks: ['checks of head', 'checks of other', 'pull request 5'],
    scans: ['5', '4', '3', '2', '1'],
  },
  { what: 'reads no comments for a new head', asks: ['checks of head'] },
  {
    what: 'reads the comments if the check runs on a new head cannot be read',
    shown: {
      'checks of head': refusal(403),
      'pull request 5': comments({ mark: on(SHA.head, 'a') }, { mark: on(SHA.head, 'b'), by: 'mona' }),
    },
    asks: ['checks of head', 'pull request 5'],
    scans: ['a'],
  },
  {
    what: 'reads no comments if the gate writes none',
    run: { ...RERUN, ...WITHOUT_COMMENT },
    shown: { 'pull request 5': comments({ mark: markText() }) },
    asks: ['checks of head'],
  },
  {
    what: 'reads the check runs on one older head if the comments name several',
    run: SEEN,
    shown: {
      'pull request 5': comments(
        { headSha: SHA.base },
        { headSha: SHA.other, mark: on(SHA.base, 'a') },
        { mark: on(SHA.head, 'b') },
      ),
      'checks of other': marksOn(SHA.other, on(SHA.other, 'c')),
    },
    asks: ['checks of head', 'checks of other', 'pull request 5'],
    scans: ['a', 'b', 'c'],
  },
  {
    what: 'reads the check runs on an older head that a mark in a comment names',
    run: SEEN,
    shown: { 'pull request 5': comments({ mark: on(SHA.other, 'a') }) },
    asks: ['checks of head', 'checks of other', 'pull request 5'],
    scans: ['a'],
  },
  {
    what: 'finds the marks on the head if the check runs on the previous head cannot be read',
    run: PUSHED,
    shown: { 'checks of head': marksOn(SHA.head, on(SHA.head, 'a')), 'checks of other': refusal(403) },
    asks: ['checks of head', 'checks of other'],
    scans: ['a'],
  },
  {
    what: 'takes the marks on the previous head from the state of the pull request',
    run: {
      ...PUSHED,
      state: {
        ...STATE,
        previousChecks: { headSha: SHA.other, externalIds: ['', on(SHA.other, 'a'), on(SHA.head, 'copied')] },
      },
    },
    asks: ['checks of head'],
    scans: ['a'],
  },
  {
    what: 'reads the check runs on the previous head if the state of the pull request shows those of another commit',
    run: {
      ...PUSHED,
      state: { ...STATE, previousChecks: { headSha: SHA.base, externalIds: [on(SHA.other, 'wrong')] } },
    },
    shown: { 'checks of other': marksOn(SHA.other, on(SHA.other, 'a')) },
    asks: ['checks of head', 'checks of other'],
    scans: ['a'],
  },
  {
    what: 'reads the marks on the previous head if `reuse-scan` is false',
    run: { ...PUSHED, ...WITHOUT_REUSE },
    shown: { 'checks of other': marksOn(SHA.other, on(SHA.other, 'a')) },
    asks: ['checks of other'],
    scans: ['a'],
  },
  {
    what: 'reads only check runs for a re-run if `reuse-scan` is false',
    run: { ...RERUN, ...WITHOUT_REUSE },
    shown: { 'checks of head': marksOn(SHA.head, on(SHA.head, 'a')) },
    asks: ['checks of head'],
    scans: ['a'],
  },
  {
    what: 'reads the marks of the pull requests that a push merged',
    run: { target: PUSH },
    shown: {
      'checks of head': marksOn(SHA.head, on(SHA.head, 'b')),
      'pulls of head': MERGED,
      'checks of 1111': refusal(403),
      'checks of 2222': marksOn(SECOND, on(SECOND, 'a')),
    },
    asks: ['checks of 1111', 'checks of 2222', 'checks of head', 'pulls of head'],
    scans: ['a', 'b'],
  },
  {
    what: 'reads nothing for a push if `reuse-scan` is false',
    run: { target: PUSH, ...WITHOUT_REUSE },
    asks: [],
  },
];

// `test.each` would shorten the names of the tests.
for (const { what, run, shown = {}, asks, scans = [] } of SITUATIONS)
  test(`findEarlierMarks ${what}`, async () => {
    expect(await find(shown, run)).toEqual({ asked: asks, scans, ...ALLOWED, said: [] });
  });

const WARNING = expect.stringMatching(
  /^Could not look up earlier scans in check runs\. .* may be paid for again\.$/,
);
/** Makes GitHub give this answer to each request for the check runs on the head. */
const failing = (answer = refusal(503)): Shown => ({
  'checks of head': answer,
  'checks of head by name': answer,
});

test('findEarlierMarks requests the check runs by name if GitHub cannot list all check runs', async () => {
  const shown = { ...failing(), 'checks of head by name': marksOn(SHA.head, on(SHA.head, 'a')) };
  expect(await find(shown, RERUN)).toMatchObject({ scans: ['a'], ...ALLOWED, said: [] });
});

const RATE_LIMITED = { ...refusal(429), headers: { 'retry-after': '600' } };

test.each<[what: string, answer: Answer, unlisted: string | undefined]>([
  ['forbids a launch on a re-run if the list of check runs is malformed', checkRuns({}), 'invalid'],
  ['forbids a launch on a re-run if GitHub rate-limits the list of check runs', RATE_LIMITED, 'rate-limited'],
  ['allows a launch on a re-run if GitHub rejects the token', refusal(401), undefined],
  ['allows a launch on a re-run if the list of check runs does not exist', refusal(404), undefined],
])('findEarlierMarks %s', async (_what, answer, unlisted) => {
  expect(await find(failing(answer), RERUN)).toMatchObject({ unlisted, said: [WARNING] });
});

test.each<[what: string, run: Run, shown: Shown, said: readonly unknown[]]>([
  ['a new head', {}, {}, []],
  ['a new head without readable comments', {}, { 'pull request 5': refusal(502) }, [WARNING]],
  ['a new base', SEEN, {}, [WARNING]],
  ['the first run of a push', { target: PUSH }, {}, []],
  ['a re-run without reuse-scan', { ...RERUN, ...WITHOUT_REUSE }, {}, []],
])(
  'for %s, findEarlierMarks allows a launch if the check runs cannot be listed',
  async (_what, run, shown, said) => {
    expect(await find({ ...failing(), ...shown }, run)).toMatchObject({ scans: [], ...ALLOWED, said });
  },
);

const NAME = 'Security scan';
const open = { id: 7, name: NAME, url: 'https://github.com/acme/shop/runs/7', completed: false };
const other = { ...open, id: 6 };
const LEFT = found({}, open);
const take = (marks: readonly FoundMark[]) =>
  openCheckRunOf({ runId: 42, runAttempt: 2 }, marks, NAME, ({ key }) => key === LEFT.key);

const OWNERS: readonly (readonly [when: string, marks: readonly FoundMark[], ownsScan: boolean])[] = [
  ['no other mark names the scan', [LEFT], true],
  ['another check run names another scan', [found({ scanId: 't', runId: 41 }, other), LEFT], true],
  ['a check run of another run names the same scan', [found({ runId: 41 }, other), LEFT], false],
  [
    'a check run with another name names the same scan',
    [found({}, { ...other, name: 'Another scan' }), LEFT],
    false,
  ],
  ['a comment names the same scan', [found({}), LEFT], false],
];
for (const [when, marks, ownsScan] of OWNERS)
  test(`openCheckRunOf returns a check run that ${ownsScan ? 'owns' : 'does not own'} its scan if ${when}`, () => {
    const { id, url } = open;
    expect(take(marks)).toMatchObject({ id, url, scanId: 's', ownsScan });
  });

test.each<[what: string, mark: FoundMark]>([
  ['that is completed', found({}, { ...open, completed: true })],
  ['of another step', found({ key: 'L'.repeat(22) }, open)],
  ['with another name', found({}, { ...open, name: 'Another scan' })],
  ['from this attempt', found({ runAttempt: 2 }, open)],
  ['from a later attempt', found({ runAttempt: 3 }, open)],
  ['that only a comment names', found({})],
])('openCheckRunOf does not return a check run %s', (_what, mark) => {
  expect(take([mark])).toBeUndefined();
});

const LISTED = marksOn(
  SHA.head,
  markText({ scanId: 'older', launchedAt: 1_790_000_000 }),
  markText({ scanId: 'newer', launchedAt: 1_790_000_005 }),
);

test.each([
  [
    'finds the unfinished check runs of all steps, the most recent launch first',
    2,
    SEAL,
    LISTED,
    ['newer', 'older'],
    1,
  ],
  ['finds no check run if the list cannot be read', 2, SEAL, refusal(403), [], 1],
  ['sends no request on the first attempt', 1, SEAL, LISTED, [], 0],
  ['sends no request without the token that proves marks', 2, createSeal('', '1296269'), LISTED, [], 0],
])('findOpenCheckRuns %s', async (_what, runAttempt, seal, list, scans, requests) => {
  const { github, asked } = onGitHub({ 'checks of head': list });
  const deps = { github, signal: NEVER_ABORTED, seal };
  const left = await findOpenCheckRuns(deps, { runId: 42, runAttempt }, SHA.head, NAME);
  expect(left.map(({ scanId }) => scanId)).toEqual(scans);
  expect(asked).toHaveLength(requests);
});
