import { expect } from 'vitest';
import { isObject } from '../../sandbox/json.ts';
import { mergeGroup } from './branch-events.ts';
import {
  aLostRun,
  anEarlierRun,
  changes,
  failing,
  missing,
  onlyIf,
  showing,
  showingInstead,
  unavailable,
} from './effects.ts';
import { summarizes } from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import { openRepository } from './repository.ts';
import { pushOf } from './reuse.ts';
import type { RunRow } from './run-rows.ts';
import { rowsFor, testScans } from './scan-rows.ts';
import type { Act, Timeline } from './timeline.ts';

const FIRST = anEarlierRun();
const PUSHED = [FIRST, anEarlierRun({}, {}, pushOf('amended'))];
/** A run for the head `amended`, which has the files of the scanned head `vulnerable`. */
const AMENDED = { baseRef: 'stable', earlier: [FIRST], event: pushOf('amended') };
/** The run for an edited title. The head of the pull request is `amended`. */
const edited = ({ scenario: { environment, repository } }: OtherJobs) => ({
  event: {
    name: 'pull_request',
    payload: environment.pullRequestPayload({ action: 'edited', headSha: repository.id('amended') }),
  },
  runId: 9_000_000_070,
});
const SAME_FILES = summarizes('already scanned, no credits used', 'same files as in <code>');

testScans('same-files', AMENDED, {
  'a run uses no credits after an amended message': { ends: SAME_FILES },
  'a run uses no credits after an empty commit': { event: pushOf('and empty') },
  'a run uses no credits after a rebase onto a base with the same files': {
    baseRef: 'quiet',
    event: pushOf('rebased on empty'),
  },
  'after a push with the same files, a re-run uses no credits': {
    earlier: PUSHED,
    runId: 9_000_000_002,
    attempt: 2,
  },
  // The log still names the head of the first run, because the service scanned that commit.
  'after a push with the same files, the next push uses no credits': {
    earlier: [...PUSHED, anEarlierRun({}, {}, edited)],
    event: pushOf('and empty', 'amended'),
    runId: 9_000_000_080,
  },
});

const hidden = ['baseCommit'];
/** GitHub no longer has the commit that was scanned. */
const goneCommit: Act = ({ scenario: { repository } }, { path }) =>
  path.endsWith(repository.id('vulnerable')) ? missing : undefined;
const withShortIds: Act = ({ scenario: { repository } }) => {
  const full = repository.id('vulnerable');
  return showing([new RegExp(full, 'g'), full.slice(0, 12)]);
};
const AFTER_EDIT = { ...AMENDED, earlier: PUSHED, event: edited };
testScans('same-files', AFTER_EDIT, {
  'a run for an edited title uses no credits': {},
  'a run for an edited title uses no credits if the service hides the base': {
    service: { hideFields: { scanItem: hidden, scanDetail: hidden } },
  },
  'a run for an edited title fails if GitHub cannot be reached': {
    at: { commit: failing },
    inputs: { 'allow-unscanned': 'service-error' },
  },
  'a run for an edited title fails if GitHub no longer has the scanned commit': {
    at: { commit: goneCommit },
  },
  'a re-run for an edited title launches a scan if GitHub no longer has the scanned commit': {
    earlier: [...PUSHED, anEarlierRun({}, { commit: goneCommit }, edited)],
    at: { commit: goneCommit },
    attempt: 2,
  },
  'a run for an edited title fails if the service abbreviates commit ids': {
    at: { 'scans.read': withShortIds },
  },
});

const group =
  (pullRequest = 7) =>
  ({ scenario }: OtherJobs) => ({
    ...mergeGroup(scenario, { base: 'start', branch: 'stable', head: 'merged', pullRequest }),
    runId: 9_000_000_040,
  });
const MERGED = { ...AMENDED, event: group() };
testScans('same-files', MERGED, {
  'a merge group uses no credits if its only pull request is up to date': {},
  'a merge group finds the scan through the comment if check runs cannot be read': {
    github: { permissions: { contents: 'read', 'pull-requests': 'write' } },
  },
  'a merge group uses no credits if the service answers 503 to one read of the scan': {
    at: { 'scans.read 1': unavailable },
  },
  'a merge group is scanned if its branch names a pull request that GitHub does not show': {
    event: group(8),
  },
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

const OWN = { 'reuse-scan': 'false' };
/** The oldest scan finds nothing. All later scans of the same files block. */
const PASSES_FIRST: Timeline = {
  'findings.list': ({ scenario: { environment } }, { path }) =>
    path.includes(environment.service.scans().at(-1)?.id ?? '')
      ? { status: 200, body: { items: [], page: 1, limit: 100, total: 0 } }
      : undefined,
};
const FIRST_PASSES = anEarlierRun({}, PASSES_FIRST);
const ON_STABLE = { baseRef: 'stable', at: PASSES_FIRST };
testScans('same-files', ON_STABLE, {
  'a run does not follow the running scan of another pull request with the same files': {
    service: { pace: { hold: true } },
    github: { pullRequests: SAME_HEAD },
    earlier: [aLostRun()],
    event: ofSecond,
    at: { 'scans.read': onlyIf(({ scenario }) => scenario.environment.service.scans().length > 1, release) },
  },
  ...rowsFor([{}, { compare: failing }], (down) => [
    `a push with the same files is blocked, although an older scan passed (${'compare' in down ? 'comparison down' : 'comparison up'})`,
    {
      earlier: [FIRST_PASSES, anEarlierRun(OWN, { ...PASSES_FIRST, ...down }, { runAttempt: 2 })],
      event: pushOf('amended'),
    },
  ]),
  'a push back to the head that passed before is blocked': {
    // Uses virtual time, because in real time both scans can be launched in the same second.
    driver: 'in process',
    earlier: [FIRST_PASSES, anEarlierRun(OWN, PASSES_FIRST, pushOf('amended'))],
    event: pushOf('vulnerable', 'amended'),
  },
});

/** GitHub shows the files of the base neither beside the comparison nor by themselves. */
const WITHOUT_BASE_FILES: Timeline = {
  commit: missing,
  compare: showingInstead((body) =>
    isObject(body) && isObject(body['merge_base_commit'])
      ? { ...body, merge_base_commit: { sha: body['merge_base_commit']['sha'] } }
      : body,
  ),
};
/** GitHub shows the files of the head neither by GraphQL nor by REST. */
const WITHOUT_HEAD_FILES: Timeline = { 'graphql|commit': missing };
/** The mark of the first run, with this change. */
const changeMark =
  (change: (mark: string, repository: OtherJobs['scenario']['repository']) => object): Act =>
  ({ scenario: { environment, repository } }) => {
    const own = environment.github.checkRuns[0] ?? expect.unreachable();
    const changed = change(own.externalId ?? '', repository);
    expect(changed).not.toMatchObject({ externalId: own.externalId });
    Object.assign(own, changed);
    return undefined;
  };
const forgeKey = changeMark((mark) => ({
  externalId: mark.replace(/:[\w-]{22}:(?=\d{10}:)/, `:${'A'.repeat(22)}:`),
}));
const moveMark = changeMark((_mark, repository) => ({ headSha: repository.id('low') }));
const NO_COMMENT = { comment: 'never' };

/** Why the push is scanned again. */
const AGAIN: Readonly<Record<string, Omit<RunRow, 'name'>>> = {
  'after a rebase of the same patch onto other files': {
    baseRef: 'main',
    event: pushOf('rebased on moved on'),
  },
  'if GitHub does not show the files of the base': {
    earlier: [anEarlierRun({}, WITHOUT_BASE_FILES)],
    at: WITHOUT_BASE_FILES,
  },
  'if GitHub does not show the files of the head': {
    earlier: [anEarlierRun({}, WITHOUT_HEAD_FILES)],
    at: WITHOUT_HEAD_FILES,
  },
  'with `reuse-scan: false`': { inputs: OWN },
  'with another budget': { inputs: { 'credit-budget': '50' } },
  'if the same files have another base': { earlier: [FIRST, changes({ baseRef: 'older' })] },
  'if the workflow gives the base': {
    earlier: [anEarlierRun({ 'base-commit': id('start') })],
    inputs: { 'base-commit': id('start') },
  },
  'if the only mark has a forged content key': {
    earlier: [anEarlierRun(NO_COMMENT), forgeKey],
    inputs: NO_COMMENT,
  },
  'if the only mark is on the check run of another head': {
    earlier: [anEarlierRun(NO_COMMENT), moveMark],
    event: pushOf('amended', 'low'),
    inputs: NO_COMMENT,
  },
};
testScans('same-files', AMENDED, {
  ...rowsFor(Object.entries(AGAIN), ([why, row]) => [`a push is scanned again ${why}`, row]),
  'a head that GitHub does not show is scanned without a long wait': {
    // Uses virtual time, because real time depends on the machine.
    driver: 'in process',
    earlier: [],
    event: {},
    at: { commit: { fault: 'hang-before' }, graphql: missing },
    ends: (_result, jobs) => expect(jobs.now()).toBeLessThan(30_000),
  },
});
