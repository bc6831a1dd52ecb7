import { describe, expect } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import { mergeGroup } from './branch-events.ts';
import {
  aLostRun,
  anEarlierRun,
  changes,
  failing,
  onlyIf,
  refusing,
  showing,
  showingInstead,
  unavailable,
} from './effects.ts';
import {
  base,
  blocked,
  endedAs,
  exits,
  omits,
  outputs,
  paid,
  reusesOldest,
  says,
  summarizes,
} from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type Head, openRepository } from './repository.ts';
import { pushed } from './reuse.ts';
import { type End, type RunRow, testRuns } from './run-rows.ts';
import type { Act, Timeline } from './timeline.ts';

const STABLE = { baseRef: 'stable' } as const;
const notFound = refusing(404, 'Not Found');
const isNew = outputs({ outcome: 'blocked', 'scan-reused': 'false' });

/** Pushes `next` to the pull request. @returns the run for this push */
const pushOf =
  (next: Head, before: Head = 'vulnerable') =>
  ({ scenario }: OtherJobs) =>
    pushed(scenario, scenario.repository.id(before), scenario.repository.id(next));
/** The run for an edited title. The head of the pull request is `amended`. */
const edited = ({ scenario: { environment, repository } }: OtherJobs) => ({
  event: {
    name: 'pull_request',
    payload: environment.pullRequestPayload({ action: 'edited', headSha: repository.id('amended') }),
  },
  runId: 9_000_000_070,
});
/** The run for a push of `next`, after a run for the head `vulnerable`. */
const afterPush = (next: Head) => ({ ...STABLE, earlier: [anEarlierRun()], event: pushOf(next) });

/** The run uses the scan of this head, which has the same files. */
const sameFiles =
  (head: Head = 'vulnerable'): End =>
  (result, jobs) => {
    const { run, environment, repository } = result;
    const sha = repository.id(head);
    const scan = environment.service.scans().find(({ commit }) => commit === sha);
    expect(run.outputs, run.log).toMatchObject({
      outcome: 'blocked',
      'scan-id': scan?.id,
      'scan-reused': 'true',
      'credits-reserved': '0',
      'findings-total': '4',
    });
    exits(1)(result, jobs);
    says(`is of commit \`${sha}\`, which has the same files.`)(result, jobs);
    summarizes('already scanned, no credits used', `same files as in <code>${sha.slice(0, 7)}`)(result, jobs);
  };

describe('after a push with the same files', () => {
  const PUSHED = [anEarlierRun(), anEarlierRun({}, {}, pushOf('amended'))];
  /** The run for an edited title, after a push of `amended`. */
  const AFTER_EDIT = { ...STABLE, earlier: PUSHED, event: edited } as const;
  const hidden = ['baseCommit'];
  const withoutParameters: End = ({ run }) => expect(run.summary).not.toContain('launch-parameters');
  const advisesRerun: End = ({ run }) =>
    expect(run.summary).toMatch(/\[Re-run this job\]\(\S+\) to launch a new scan\./);
  /** GitHub no longer has the commit that was scanned. */
  const goneCommit: Act = ({ scenario: { repository } }, { path }) =>
    path.endsWith(repository.id('vulnerable')) ? notFound : undefined;
  const withShortIds: Act = ({ scenario: { repository } }) => {
    const full = repository.id('vulnerable');
    return showing([new RegExp(full, 'g'), full.slice(0, 12)]);
  };
  const isUnknown = [endedAs('service-error'), exits(1)] as const;
  testRuns([
    ...(
      [
        ['an amended message', 'amended', 'stable'],
        ['an empty commit', 'and empty', 'stable'],
        ['a rebase onto a base with the same files', 'rebased on empty', 'quiet'],
      ] as const
    ).map(([what, next, baseRef]) => ({
      name: `a run uses no credits after ${what}`,
      ...afterPush(next),
      baseRef,
      ends: [
        sameFiles(),
        paid(1),
        outputs(({ repository }) => ({ 'head-commit': repository.id(next) })),
      ] as const,
    })),
    {
      name: 'a re-run uses no credits',
      ...STABLE,
      earlier: PUSHED,
      event: pushOf('amended'),
      runId: 9_000_000_002,
      attempt: 2,
      ends: [blocked, reusesOldest, paid(1)],
    },
    {
      name: 'a run for an edited title uses no credits',
      ...AFTER_EDIT,
      ends: [blocked, reusesOldest, paid(1)],
    },
    {
      // The log still names the head of the first run, because the service scanned that commit.
      name: 'the next push uses no credits',
      ...STABLE,
      earlier: [...PUSHED, anEarlierRun({}, {}, edited)],
      event: pushOf('and empty', 'amended'),
      runId: 9_000_000_080,
      ends: [sameFiles(), paid(1)],
    },
    {
      name: 'a run for an edited title uses no credits if the service hides the base',
      ...AFTER_EDIT,
      service: { hideFields: { scanItem: hidden, scanDetail: hidden } },
      ends: [blocked, reusesOldest, paid(1)],
    },
    {
      name: 'a run for an edited title fails if GitHub cannot be reached',
      ...AFTER_EDIT,
      at: { commit: failing },
      inputs: { 'allow-unscanned': 'service-error' },
      ends: [...isUnknown, summarizes('Could not read a commit: GitHub could not be reached'), paid(1)],
    },
    {
      name: 'a run for an edited title fails if GitHub no longer has the scanned commit',
      ...AFTER_EDIT,
      at: { commit: goneCommit },
      ends: [...isUnknown, advisesRerun, withoutParameters, paid(1)],
    },
    {
      name: 'a re-run for an edited title launches a scan if GitHub no longer has the scanned commit',
      ...AFTER_EDIT,
      earlier: [...PUSHED, anEarlierRun({}, { commit: goneCommit }, edited)],
      at: { commit: goneCommit },
      attempt: 2,
      ends: [isNew, paid(2)],
    },
    {
      name: 'a run for an edited title fails if the service abbreviates commit ids',
      ...AFTER_EDIT,
      at: { 'scans.read': withShortIds },
      ends: [...isUnknown, withoutParameters, paid(1)],
    },
  ]);
});

describe('a merge group', () => {
  const group =
    (pullRequest = 7) =>
    ({ scenario }: OtherJobs) => ({
      ...mergeGroup(scenario, { base: 'start', branch: 'stable', head: 'merged', pullRequest }),
      runId: 9_000_000_040,
    });
  const MERGED = { ...STABLE, earlier: [anEarlierRun()], event: group() } as const;
  testRuns([
    {
      name: 'a merge group uses no credits if its only pull request is up to date',
      ...MERGED,
      ends: [sameFiles(), paid(1)],
    },
    {
      name: 'a merge group finds the scan through the comment if check runs cannot be read',
      ...MERGED,
      github: { permissions: { contents: 'read', 'pull-requests': 'write' } },
      ends: [sameFiles(), paid(1)],
    },
    {
      name: 'a merge group uses no credits if the service answers 503 to one read of the scan',
      ...MERGED,
      at: { 'scans.read 1': unavailable },
      ends: [sameFiles(), paid(1)],
    },
    {
      name: 'a merge group is scanned if its branch names a pull request that GitHub does not show',
      ...MERGED,
      event: group(8),
      ends: [isNew, paid(2)],
    },
  ]);
});

/** Two pull requests with the same head. The machine of the first one's run is lost while its scan runs. */
const { id } = await openRepository();
const SAME_HEAD = [7, 8].map((number) => ({ number, headSha: id('vulnerable'), baseRef: 'stable' }));
const ofSecond = ({ scenario: { environment, headSha } }: OtherJobs) => ({
  event: {
    name: 'pull_request',
    payload: environment.pullRequestPayload({ action: 'opened', number: 8, headSha }),
  },
  runId: 9_000_000_080,
});
/** The scan of the request completes. */
const release: Act = ({ scenario }, { scanId }) => void scenario.environment.service.control.release(scanId);
const saysNotUsed: End = (result, jobs) => {
  const first = result.environment.service.scans().at(-1)?.id;
  says(`Scan \`${first}\` of the same files is not used. Its status is QUEUED.`)(result, jobs);
};

testRuns([
  {
    name: 'a run does not follow the running scan of another pull request with the same files',
    ...STABLE,
    service: { pace: { hold: true } },
    github: { pullRequests: SAME_HEAD },
    earlier: [aLostRun()],
    event: ofSecond,
    at: { 'scans.read': onlyIf(({ scenario }) => scenario.environment.service.scans().length > 1, release) },
    ends: [isNew, saysNotUsed, omits('No mark proves')],
  },
]);

const OWN = { 'reuse-scan': 'false' };
/** The oldest scan finds nothing. All later scans of the same files block. */
const PASSES_FIRST: Timeline = {
  'findings.list': ({ scenario: { environment } }, { path }) =>
    path.includes(environment.service.scans().at(-1)?.id ?? '')
      ? { status: 200, body: { items: [], page: 1, limit: 100, total: 0 } }
      : undefined,
};
const FIRST_PASSES = anEarlierRun({}, PASSES_FIRST);

describe('after a blocked scan with `reuse-scan: false`', () => {
  testRuns([
    ...[false, true].map((isDown) => ({
      name: `a push with the same files is blocked, although an older scan passed (comparison down: ${isDown})`,
      ...STABLE,
      earlier: [
        FIRST_PASSES,
        anEarlierRun(OWN, { ...PASSES_FIRST, ...(isDown && { compare: failing }) }, { runAttempt: 2 }),
      ],
      event: pushOf('amended'),
      at: PASSES_FIRST,
      ends: [sameFiles('vulnerable'), paid(2)],
    })),
    {
      name: 'a push back to the head that passed before is blocked',
      // Uses virtual time, because in real time both scans can be launched in the same second.
      driver: 'in process',
      ...STABLE,
      earlier: [FIRST_PASSES, anEarlierRun(OWN, PASSES_FIRST, pushOf('amended'))],
      event: pushOf('vulnerable', 'amended'),
      at: PASSES_FIRST,
      ends: [sameFiles('amended'), paid(2)],
    },
  ]);
});

/** GitHub shows the files of the base neither beside the comparison nor by themselves. */
const WITHOUT_BASE_FILES: Timeline = {
  commit: notFound,
  compare: showingInstead((body) =>
    isObject(body) && isObject(body['merge_base_commit'])
      ? { ...body, merge_base_commit: { sha: body['merge_base_commit']['sha'] } }
      : body,
  ),
};
/** GitHub shows the files of the head neither by GraphQL nor by REST. */
const WITHOUT_HEAD_FILES: Timeline = { 'graphql|commit': notFound };
/** The mark of the first run, with this change. */
const changeMark =
  (change: (mark: string, repository: OtherJobs['scenario']['repository']) => object): Act =>
  ({ scenario: { environment, repository } }) => {
    const own = environment.github.checkRuns[0] ?? expect.unreachable();
    const mark = own.externalId ?? '';
    const changed = change(mark, repository);
    expect(changed).not.toMatchObject({ externalId: mark });
    Object.assign(own, changed);
    return undefined;
  };
const forgeKey = changeMark((mark) => ({
  externalId: mark.replace(/:[\w-]{22}:(?=\d{10}:)/, `:${'A'.repeat(22)}:`),
}));
const moveMark = changeMark((_mark, repository) => ({ headSha: repository.id('low') }));
const NO_COMMENT = { comment: 'never' };

/** A push of the head `amended`, whose scan is a new one. The changes apply to both runs. */
const newScan = (
  why: string,
  { at, inputs = {}, ...more }: Partial<RunRow> & { readonly inputs?: Readonly<Record<string, string>> },
): RunRow => ({
  name: `a push is scanned again ${why}`,
  ...afterPush('amended'),
  earlier: [anEarlierRun(inputs, at)],
  ...(at && { at }),
  inputs,
  ends: [isNew, paid(2)],
  ...more,
});

describe('a change for which no earlier scan is used', () => {
  testRuns([
    {
      name: 'a head that GitHub does not show is scanned without a long wait',
      // Uses virtual time, because real time depends on the machine.
      driver: 'in process',
      ...STABLE,
      at: { commit: { fault: 'hang-before' }, graphql: notFound },
      ends: [blocked, (_result, jobs) => expect(jobs.now()).toBeLessThan(30_000)],
    },
    newScan('after a rebase of the same patch onto other files', {
      baseRef: 'main',
      event: pushOf('rebased on moved on'),
    }),
    newScan('if GitHub does not show the files of the base', { at: WITHOUT_BASE_FILES }),
    newScan('if GitHub does not show the files of the head', { at: WITHOUT_HEAD_FILES }),
    newScan('with `reuse-scan: false`', { inputs: OWN }),
    newScan('with another budget', { earlier: [anEarlierRun()], inputs: { 'credit-budget': '50' } }),
    newScan('if the same files have another base', {
      earlier: [anEarlierRun(), changes({ baseRef: 'older' })],
      ends: [outputs({ 'scan-reused': 'false' }), base('behind'), paid(2)],
    }),
    newScan('if the workflow gives the base', { inputs: { 'base-commit': id('start') } }),
    newScan('if the only mark has a forged content key', {
      earlier: [anEarlierRun(NO_COMMENT), forgeKey],
      inputs: NO_COMMENT,
    }),
    newScan('if the only mark is on the check run of another head', {
      earlier: [anEarlierRun(NO_COMMENT), moveMark],
      event: pushOf('amended', 'low'),
      inputs: NO_COMMENT,
    }),
  ]);
});
