import { describe, expect } from 'vitest';
import {
  cancelJob,
  close,
  failing,
  forbidden,
  hanging,
  lost,
  marks,
  onlyIf,
  push,
  refusing,
  unsent,
} from './effects.ts';
import {
  blocked,
  checkRuns,
  endedAs,
  exits,
  omits,
  outputs,
  passed,
  requests,
  says,
  summarizes,
} from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import { type End, testRuns } from './run-rows.ts';
import type { Act } from './timeline.ts';

const IN_TIME = { driver: 'in process' } as const;
const CLEAN = { ...IN_TIME, head: 'clean' } as const;

/** The log has lines that match these patterns, in this order. */
const logs =
  (...patterns: readonly RegExp[]): End =>
  ({ run }) => {
    const lines = run.log.split('\n');
    const places = patterns.map((pattern) => lines.findIndex((line) => pattern.test(line)));
    expect(places, run.log).not.toContain(-1);
    expect(places, run.log).toEqual(places.toSorted((a, b) => a - b));
  };
/** The lines of the log that match. */
const lines =
  (pattern: RegExp, ...wanted: readonly unknown[]): End =>
  ({ run }) =>
    expect(run.log.split('\n').filter((line) => pattern.test(line))).toEqual(wanted);
/** The check run that the run leaves for `post`. Undefined if it leaves none. */
const leaves =
  (checkRun: ((jobs: OtherJobs) => object) | undefined): End =>
  ({ run }, jobs) => {
    const saved = run.state['open-check-run'] ?? '';
    expect(saved === '' ? undefined : JSON.parse(saved), run.log).toEqual(checkRun?.(jobs));
  };
const idOf = (index: number) => (jobs: OtherJobs) =>
  expect.objectContaining({ id: jobs.scenario.environment.github.checkRuns[index]?.id });
const WITHOUT_ID = () => expect.not.objectContaining({ id: expect.anything() });
const isCreated = (jobs: OtherJobs) => jobs.sent('check.create').length > 0;

const completeFirst: Act = ({ scenario }) => {
  const [first] = scenario.environment.github.checkRuns;
  if (first !== undefined) Object.assign(first, { status: 'completed', conclusion: 'cancelled' });
  return undefined;
};

describe('the order of the log', () => {
  testRuns([
    {
      name: 'the log shows the findings, the verdict, where the report is, and the error at its end',
      ...IN_TIME,
      inputs: { 'report-file': 'report.json', 'sarif-file': 'scan.sarif', comment: 'always' },
      ends: [
        blocked,
        logs(
          /^##\[group\]Findings \(3, worst first\)$/,
          /^Critical: /,
          /^High: /,
          /^Medium: /,
          /^Not listed here: 1 finding below medium\. See the list in the job summary\.$/,
          /^Blocked: 2 findings at or above high/,
          /^##\[group\]Where the report is$/,
          /^Check run: http/,
          /^Comment: http/,
          /^SARIF file: .*scan\.sarif$/,
          /^JSON report: .*report\.json$/,
          /^##\[error\]Blocked: 2 findings at or above high/,
        ),
      ],
    },
    {
      name: 'the log shows the verdict before it warns of an output that failed',
      ...IN_TIME,
      at: { 'check.update': refusing(401, 'Bad credentials') },
      ends: [
        blocked,
        logs(
          /^Blocked: 2 findings/,
          /^##\[warning\]Could not update the check run/,
          /^##\[error\]Blocked: 2 findings/,
        ),
        summarizes('Could not update the check run'),
        outputs(({ environment }) => ({ 'check-run-url': environment.github.checkRuns[0]?.htmlUrl })),
        leaves(idOf(0)),
      ],
    },
    {
      name: 'a run writes its result into a second check run if GitHub refuses to change the first',
      ...CLEAN,
      at: { 'check.update': refusing(422, 'Invalid') },
      ends: [
        passed,
        checkRuns({ status: 'in_progress' }, { status: 'completed', conclusion: 'success' }),
        lines(/^##\[warning\]/, expect.stringContaining('The result is in a second check run.')),
        summarizes('The result is in a second check run.'),
        leaves(idOf(0)),
      ],
    },
    {
      name: 'the log says that the next step of an allowed reason is optional',
      ...IN_TIME,
      head: 'documents',
      inputs: { 'paths-unscanned': 'docs/**\n**/*.md' },
      ends: [endedAs('paths'), exits(0), says('To get a scan: ')],
    },
    {
      name: 'the log of a pull request with another head says why there is no comment',
      ...IN_TIME,
      at: { 'findings.list 1': push },
      ends: [
        blocked,
        lines(/^Did not write/, 'Did not write the comment: the pull request has another head now.'),
      ],
    },
    {
      name: 'a run writes no annotations anywhere with `annotations: off`',
      ...IN_TIME,
      inputs: { annotations: 'off' },
      ends: [blocked, checkRuns({ annotations: [] }), omits('file=', 'not annotated')],
    },
  ]);
});

describe('a check run whose creation GitHub did not answer', () => {
  testRuns([
    {
      name: 'a run completes the check run that it finds by its mark',
      ...CLEAN,
      at: { 'check.create 1': lost },
      ends: [passed, checkRuns({ status: 'completed', conclusion: 'success' }), leaves(undefined)],
    },
    {
      name: 'a run finds its check run later, beside one of another job',
      ...CLEAN,
      at: {
        'check.create 1': lost,
        'check.list 2': [marks('other', { key: { creditBudget: 500 } }), lost],
        'check.list 3-4': lost,
      },
      ends: [
        passed,
        checkRuns({ status: 'completed', conclusion: 'success' }, { status: 'in_progress' }),
        leaves(undefined),
      ],
    },
    {
      name: 'a run does not complete its check run again if another step has completed it',
      ...CLEAN,
      at: { 'check.create 1': lost, 'check.list 2-4': [completeFirst, lost] },
      ends: [
        passed,
        checkRuns({ conclusion: 'cancelled' }, { status: 'completed', conclusion: 'success' }),
        leaves(undefined),
      ],
    },
    {
      name: 'a run that knows its check run does not look for it',
      ...CLEAN,
      ends: [
        passed,
        requests('check.list', 2),
        omits('Findings ('),
        lines(/completed without findings/, expect.anything()),
      ],
    },
    {
      name: 'a run creates the check run again if the request did not arrive',
      ...CLEAN,
      at: { 'check.create 1': unsent },
      ends: [passed, checkRuns({ status: 'completed', conclusion: 'success' }), leaves(undefined)],
    },
    {
      name: 'a run that may not list check runs creates another, and leaves the first for `post`',
      ...CLEAN,
      at: { 'check.create 1': lost, 'check.list': onlyIf(isCreated, forbidden) },
      ends: [
        passed,
        checkRuns({ status: 'in_progress' }, { status: 'completed', conclusion: 'success' }),
        leaves(WITHOUT_ID),
      ],
    },
    {
      name: 'a run creates the check run later if GitHub fails at first',
      ...CLEAN,
      at: { 'check.create 1-2': failing },
      ends: [passed, checkRuns({ status: 'completed', conclusion: 'success' }), leaves(undefined)],
    },
    {
      name: 'a run that is cancelled during the creation leaves the check run for `post`',
      ...CLEAN,
      at: { 'check.create 1': [cancelJob, hanging], 'check.list': onlyIf(isCreated, hanging) },
      ends: [endedAs('scan-cancelled'), leaves(WITHOUT_ID)],
    },
  ]);
});

describe('a check run on a closed pull request', () => {
  /** Ends red, because the pull request has another head too. */
  const gone = { 'scans.read 1': [push, close] };
  testRuns([
    {
      name: 'a run creates no second check run if GitHub refuses to change the first',
      ...CLEAN,
      at: { ...gone, 'check.update': forbidden },
      ends: [exits(1), checkRuns({ status: 'in_progress' }), leaves(idOf(0))],
    },
    {
      name: 'a run creates no second check run if it may not look for the first',
      ...CLEAN,
      at: { ...gone, 'check.create 1': lost, 'check.list': onlyIf(isCreated, forbidden) },
      ends: [
        exits(1),
        checkRuns({ status: 'in_progress' }),
        outputs({ 'check-run-url': '' }),
        leaves(WITHOUT_ID),
      ],
    },
  ]);
});
