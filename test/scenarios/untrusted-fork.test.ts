import { describe } from 'vitest';
import { objectAt } from '../../sandbox/json.ts';
import { mergeGroup } from './branch-events.ts';
import { anEarlierRun, cancelJob, failing, forbidden, hanging, refusing } from './effects.ts';
import { requests } from './ends.ts';
import type { OtherJobs } from './other-jobs.ts';
import { inBothWays, type RunRow, testRuns } from './run-rows.ts';

const BOT = 'github-actions[bot]';
const IN_TIME = { driver: 'in process' } as const;

interface Started {
  readonly by?: string;
  /** The sender of the event. Default: the author. Null if the payload has none. */
  readonly sender?: string | null;
  readonly author?: string;
  readonly from?: string | null;
}
/** A run for a pull request of mallory from a fork. */
const fork =
  ({ by = 'mallory', sender, author = 'mallory', from = 'mallory/octo-repo' }: Started = {}) =>
  ({ scenario: { environment } }: OtherJobs) => {
    const { sender: _, ...payload } = environment.pullRequestPayload({ headRepository: from, author });
    const login = sender === undefined ? author : sender;
    const sent = login === null ? payload : { ...payload, sender: { login, type: 'User' } };
    return { event: { name: 'pull_request_target', payload: sent }, triggeringActor: by };
  };
/** The author of the pull request is a member of the organization. */
const fromMember = (jobs: OtherJobs) => {
  const { event, ...run } = fork()(jobs);
  const pullRequest = { ...objectAt(event.payload, 'pull_request'), author_association: 'MEMBER' };
  return { ...run, event: { ...event, payload: { ...event.payload, pull_request: pullRequest } } };
};
const access = (collaborators: Readonly<Record<string, 'admin' | 'write' | 'read' | 'none'>>) => ({
  github: { collaborators },
});

describe('a fork whose author is a stranger', () => {
  testRuns(
    [
      ...inBothWays('untrusted-fork', {
        name: 'a run under pull_request_target does not scan a fork',
        event: fork(),
      }),
      { name: 'a run does not scan a deleted fork', event: fork({ from: null }) },
      {
        name: 'a run does not trust a fork if GitHub refuses to show the permission of its author, even of a member',
        event: fromMember,
        at: { permission: forbidden },
      },
      {
        name: 'with `scan-forks: all`, a run scans a fork without reading the permission of its author',
        event: fork(),
        inputs: { 'scan-forks': 'all' },
        ends: requests('permission', 0),
      },
      {
        name: 'with `scan-forks: none`, a run does not scan a fork, even if its author has write permission',
        event: fork(),
        ...access({ mallory: 'admin' }),
        inputs: { 'scan-forks': 'none' },
      },
      {
        name: 'a run with a misspelt `scan-forks` uses no credits',
        event: fork(),
        inputs: { 'scan-forks': 'everybody' },
      },
    ],
    'untrusted-fork',
  );
});

describe('a fork whose author may write', () => {
  const TRUSTED = { ...IN_TIME, ...access({ mallory: 'write' }) };
  /** A re-run after a run for the fork. The account starts only the re-run. */
  const rerun = (by = 'eve', inputs: Readonly<Record<string, string>> = {}) => ({
    ...TRUSTED,
    earlier: [anEarlierRun(inputs, {}, fork())],
    event: fork({ by }),
    attempt: 2,
    inputs,
  });
  const FAILING = { service: { pace: { ending: 'FAILED' } } } as const;
  testRuns(
    [
      { name: 'a fork is scanned', ...TRUSTED, event: fork(), ends: requests('permission', 1) },
      {
        name: 'a run that a stranger started launches nothing',
        ...TRUSTED,
        event: fork({ by: 'eve' }),
      },
      {
        name: 'a re-run that a stranger started reads the scan that is paid for',
        ...rerun(),
        ends: requests('check.list', 1),
      },
      {
        name: 'a re-run that a stranger started does not replace a scan that failed',
        ...rerun(),
        ...FAILING,
      },
      {
        name: 'a re-run that a stranger started does not hide a paid scan, even if `untrusted-fork` is allowed',
        ...rerun('eve', { comment: 'never', 'allow-unscanned': 'untrusted-fork' }),
        at: { 'check.list': failing },
      },
      { name: 'a re-run by the triage action is one of the sender of the event', ...rerun(BOT), ...FAILING },
    ],
    'untrusted-fork',
  );
});

describe('who may have a fork scanned', () => {
  const CLEAN = { ...IN_TIME, head: 'clean' } as const;
  const row = (name: string, started: Started, more: Omit<RunRow, 'name'> = {}): RunRow => ({
    name,
    ...CLEAN,
    event: fork(started),
    ...more,
  });
  const UNNEEDED: Readonly<Record<string, Pick<RunRow, 'event' | 'eventName'>>> = {
    'a branch of the repository itself': { eventName: 'pull_request_target' },
    'a fork under `pull_request`': { event: { headRepository: 'mallory/octo-repo', author: 'mallory' } },
    'a merge group': { event: ({ scenario }) => ({ ...mergeGroup(scenario), triggeringActor: 'eve' }) },
  };
  testRuns(
    [
      ...Object.entries(UNNEEDED).map(([what, event]) => ({
        name: `a run reads no permission for ${what}`,
        ...CLEAN,
        ...event,
        ends: requests('permission', 0),
      })),
      ...(
        [
          ['olga', 'eve', 'write'],
          ['olga', 'eve', 'read'],
          // The triage action re-runs the job by the token of the workflow.
          [BOT, 'olga', 'admin'],
          [BOT, 'olga', 'read'],
        ] as const
      ).map(([by, sender, permission]) =>
        row(
          `${by} starts the run, the sender is ${sender}, and olga has the permission ${permission}`,
          { by, sender },
          { ...access({ mallory: 'admin', olga: permission }), ends: requests('permission', 2) },
        ),
      ),
      row(
        'a fork is not scanned if an unknown account started the run',
        { by: BOT, sender: null },
        access({ mallory: 'admin' }),
      ),
      row(
        'a fork whose author was deleted is not scanned',
        { author: '', by: 'olga' },
        access({ olga: 'admin' }),
      ),
      row('a fork is not scanned if its author may only read', {}, access({ mallory: 'read' })),
      row(
        'a fork is not scanned if GitHub refuses to show the permission of the account that started the run',
        { by: 'olga' },
        { ...access({ mallory: 'write' }), at: { 'permission 2': refusing(403, 'Must have push access') } },
      ),
      row(
        'a run for a fork ends as `service-error` after a rate limit of GitHub',
        {},
        { at: { permission: refusing(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0' }) } },
      ),
      row('a run for a fork ends as `service-error` if GitHub fails', {}, { at: { permission: failing } }),
      row(
        'a run for a fork names the account whose permission could not be read',
        { by: 'olga' },
        { ...access({ mallory: 'write' }), at: { 'permission 2-': failing } },
      ),
      row(
        'a run that is cancelled while it reads the permission launches nothing',
        {},
        { at: { 'permission 1': [cancelJob, hanging] } },
      ),
    ],
    'untrusted-fork',
  );
});
