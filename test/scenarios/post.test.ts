import { describe, expect, test } from 'vitest';
import { cancelJob, hanging, initializing, launches, loseMachine, marks } from './effects.ts';
import { EVERYTHING_ALLOWED } from './everything-allowed.ts';
import { type RunRow, testRuns } from './run-rows.ts';
import { prepare } from './scenario.ts';
import type { Act } from './timeline.ts';

const HOLDING = { service: { pace: { hold: true } } } as const;
const lose = [loseMachine, hanging] as const;
const failScan: Act = ({ scenario: { environment } }) =>
  void environment.service.control.fail(environment.service.scans()[0]?.id ?? '');
const forbidCheckRuns: Act = ({ scenario: { environment } }) =>
  void Object.assign(environment.github.permissions, { checks: 'none' });
/** The request gets no answer, and the machine is lost when all check runs are completed. */
const loseWhenDelivered: Act = (jobs) => {
  const { environment } = jobs.scenario;
  const isDelivered = () => environment.github.checkRuns.every(({ status }) => status === 'completed');
  void environment.when(isDelivered).then(jobs.loseMachine);
  return hanging;
};

test('`post` sends no request if it cannot read the saved state', async () => {
  const { environment } = await prepare({ driver: 'bundle' });
  const post = await environment.run({ step: 'post', state: { 'running-scan': '{"scanId":7}' } });
  expect(post.exitCode, post.log).toBe(0);
  expect(post.log).toContain('##[warning]Could not read what the job saved, so a scan may still be running');
  expect([...environment.service.requests, ...environment.github.requests]).toEqual([]);
});

describe('the post step after a run whose machine was lost', () => {
  const lost = (name: string, more: Omit<RunRow, 'name'> = {}): RunRow => ({
    name,
    ...HOLDING,
    at: { 'scans.read 4': lose },
    post: {},
    ...more,
  });
  testRuns(
    [
      lost('`post` cancels the scan and completes the check run'),
      lost('`post` passes if the scan has already ended', { beforePost: [failScan] }),
      lost('`post` names the scan that may still be running if it gets no API token', {
        post: { 'api-token': '' },
      }),
      lost('`post` names the scan that may still be running if no header can hold the API token', {
        post: { 'api-token': 'svc_proj_k1_abc…' },
      }),
      lost('`post` fails if it cannot reach the service to cancel the scan', {
        post: { 'base-url': 'http://127.0.0.1:9/api/v1' },
      }),
      lost('`post` cancels the scan even if the GitHub token may not write check runs', {
        beforePost: [forbidCheckRuns],
      }),
      {
        name: '`post` does not change a verdict that was delivered before the machine was lost',
        head: 'clean',
        inputs: { comment: 'always' },
        at: { 'comments.create 1': loseWhenDelivered },
        post: {},
      },
      {
        name: '`post` writes the verdict that the lost machine could not deliver',
        head: 'clean',
        at: { 'check.update 1': lose },
        post: {},
      },
      {
        name: '`post` sends no request with wrong inputs if the run left nothing',
        head: 'behind',
        post: { 'base-url': '', 'api-token': '', 'fail-on': 'hihg' },
      },
    ],
    'post',
  );
});

describe('what a lost run has saved', () => {
  /** An earlier attempt of the run has left its check run in progress. */
  const left = {
    earlier: [launches('earlier', { runsForMs: 0, endsAs: 'CANCELLED' }), marks('earlier')],
    runId: 6,
    attempt: 2,
  };
  const row = (name: string, at: NonNullable<RunRow['at']>, more: Omit<RunRow, 'name'> = {}): RunRow => ({
    name: `the machine is lost while the run ${name}`,
    scans: {},
    at,
    post: {},
    ...more,
  });
  testRuns(
    [
      row('sends the launch', { 'scans.launch 1': lose }),
      row('sends the launch, and an earlier attempt has left a check run', { 'scans.launch 1': lose }, left),
      row('waits after a refused launch', { 'scans.launch 1': initializing, 'repositories 2': lose }),
      row('creates the check run', { 'check.create 1': lose }),
      row('marks the new scan in the check run of an earlier attempt', { 'check.update 1': lose }, left),
      row('reads the findings', { 'findings.list 1': lose }),
      row('reads the findings of a scan that replaced its own', {
        'scans.launch 1': [launches('twin', { runsForMs: 90_000 }), marks('twin')],
        'findings.list 1': lose,
      }),
    ],
    'saved-state',
  );
});

describe('a run that gets a signal', () => {
  /**
   * The clock of the bundle runs three times faster than real time. With a larger factor, the action would have too
   * little real time after a signal.
   */
  const row = (name: string, at: NonNullable<RunRow['at']>, more: Omit<RunRow, 'name'> = {}): RunRow => ({
    name,
    timeScale: 3,
    at,
    inputs: EVERYTHING_ALLOWED,
    post: {},
    ...more,
  });
  const cancelled = (point: string) => ({ [`${point} 1`]: cancelJob, [point]: hanging });
  testRuns(
    [
      // With the bundle, it depends on the machine whether GitHub has answered before the signal.
      row('a run ends in time although a request of the preflight hangs', cancelled('repositories'), {
        driver: 'in process',
      }),
      row('a run ends in time although a request for the findings hangs', cancelled('findings.list')),
      row('a run ends in time although the launch gets no answer', cancelled('scans.launch')),
      row('a run cancels the scan although a poll hangs', cancelled('scans.read')),
      row('a run cancels the scan although GitHub does not answer', {
        'scans.read 1': cancelJob,
        'check.update': hanging,
      }),
      row(
        '`post` cancels the scan if the run could not cancel it',
        { 'scans.read 1': cancelJob, 'scans.cancel': hanging },
        HOLDING,
      ),
    ],
    'signals',
  );
});
