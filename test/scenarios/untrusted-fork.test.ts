import { describe } from 'vitest';
import { objectAt } from '../../sandbox/json.ts';
import { mergeGroup } from './branch-events.ts';
import { anEarlierRun, cancelJob, failing, forbidden, hanging, refusing } from './effects.ts';
import {
  asksNoService,
  blocked,
  endedAs,
  exits,
  notScanned,
  paid,
  passed,
  requests,
  reusesOldest,
  says,
  showsBlocked,
} from './ends.ts';
import { allowing, BOTH_WAYS } from './expect-result.ts';
import type { OtherJobs } from './other-jobs.ts';
import { testRuns } from './run-rows.ts';

/** A run for the pull request of mallory from a fork, which this account started. */
const fromFork =
  (headRepository: string | null = 'mallory/octo-repo', by = 'mallory') =>
  ({ scenario: { environment } }: OtherJobs) => ({
    event: {
      name: 'pull_request_target',
      payload: environment.pullRequestPayload({ headRepository, author: 'mallory' }),
    },
    triggeringActor: by,
  });
/** The author of the pull request is a member of the organization. */
const fromMember = (jobs: OtherJobs) => {
  const { event, ...run } = fromFork()(jobs);
  const pullRequest = { ...objectAt(event.payload, 'pull_request'), author_association: 'MEMBER' };
  return { ...run, event: { ...event, payload: { ...event.payload, pull_request: pullRequest } } };
};

testRuns([
  ...(
    [
      ['a fork', 'mallory/octo-repo'],
      ['a deleted fork', null],
    ] as const
  ).flatMap(([what, fork]) =>
    BOTH_WAYS.map(({ way, allowed }) => ({
      name: `a run under pull_request_target does not scan ${what} of a stranger: ${way}`,
      event: fromFork(fork),
      inputs: allowing('untrusted-fork', allowed),
      ends: [
        notScanned('untrusted-fork', {
          allowed,
          launches: 0,
          texts: ['from a fork', 'mallory has no write access', 'Ask a maintainer to review the change'],
        }),
        asksNoService,
      ],
    })),
  ),
  ...(['write', 'admin'] as const).map((permission) => ({
    name: `a pull request from a fork is scanned if its author has ${permission} permission`,
    event: fromFork(),
    github: { collaborators: { mallory: permission } },
    ends: showsBlocked,
  })),
  {
    name: 'a run does not trust a fork if GitHub refuses to show the permission of the author',
    event: fromMember,
    at: { permission: forbidden },
    ends: [
      notScanned('untrusted-fork', {
        launches: 0,
        texts: ['Resource not accessible by integration', 'metadata: read', 'github-token'],
      }),
      asksNoService,
    ],
  },
  {
    name: 'a run launches no scan for a fork if GitHub fails to show the permission of the author',
    event: fromFork(),
    at: { permission: { status: 500, body: '' } },
    ends: notScanned('service-error', {
      launches: 0,
      texts: ['Could not check whether the author of the fork has write access.', 'Re-run this job.'],
    }),
  },
  {
    name: 'with `scan-forks: all`, a run scans a fork of a stranger without reading the permission of the author',
    event: fromFork(),
    inputs: { 'scan-forks': 'all' },
    ends: [showsBlocked, requests('permission', 0)],
  },
  {
    name: 'with `scan-forks: none`, a run does not scan a fork, even if the author has write permission',
    event: fromFork(),
    github: { collaborators: { mallory: 'admin' } },
    inputs: { 'scan-forks': 'none' },
    ends: [
      notScanned('untrusted-fork', {
        launches: 0,
        texts: ['from a fork', '`scan-forks` is none', 'Ask a maintainer to review the change'],
      }),
      asksNoService,
    ],
  },
  {
    name: 'a run with a misspelt `scan-forks` uses no credits',
    event: fromFork(),
    inputs: { 'scan-forks': 'everybody' },
    ends: notScanned('configuration', {
      launches: 0,
      texts: ['scan-forks is everybody', 'trusted, all, none'],
    }),
  },
]);

describe('a fork whose author may write', () => {
  const TRUSTED_FORK = { github: { collaborators: { mallory: 'write' } } } as const;
  const byStranger = fromFork(undefined, 'eve');
  /** A re-run after a run for the fork. The account starts only the re-run. */
  const rerun = (by = 'eve', inputs: Readonly<Record<string, string>> = {}) => ({
    ...TRUSTED_FORK,
    earlier: [anEarlierRun(inputs, {}, fromFork())],
    event: fromFork(undefined, by),
    attempt: 2,
    inputs,
  });
  const FAILING = { service: { pace: { ending: 'FAILED' } } } as const;
  testRuns([
    {
      name: 'a run that a stranger started launches nothing',
      ...TRUSTED_FORK,
      event: byStranger,
      ends: [notScanned('untrusted-fork', { launches: 0, texts: ['eve', 're-run this job'] }), asksNoService],
    },
    {
      name: 'a re-run that a stranger started reads the scan that is paid for',
      ...rerun(),
      ends: [blocked, reusesOldest, paid(1), requests('check.list', 1)],
    },
    {
      name: 'a re-run that a stranger started does not replace a scan that failed',
      ...rerun(),
      ...FAILING,
      ends: [endedAs('untrusted-fork'), paid(1)],
    },
    ...BOTH_WAYS.map(({ way, allowed }) => ({
      name: `a re-run that a stranger started does not hide a paid scan: ${way}`,
      ...rerun('eve', { comment: 'never', ...allowing('untrusted-fork', allowed) }),
      at: { 'check.list': failing },
      ends: [endedAs('service-error'), exits(1), paid(1)],
    })),
    {
      name: 'a re-run by the triage action is one of the sender of the event',
      ...rerun('github-actions[bot]'),
      ...FAILING,
      ends: paid(2),
    },
  ]);
});

describe('who may have a fork scanned', () => {
  const CLEAN = { head: 'clean', driver: 'in process' } as const;
  interface Started {
    readonly by?: string;
    /** The sender of the event. Default: the author. Null if the payload has none. */
    readonly sender?: string | null;
    readonly author?: string;
  }
  const fork =
    ({ by = 'dana', sender = 'dana', author = 'dana' }: Started = {}) =>
    ({ scenario: { environment } }: OtherJobs) => {
      const { sender: _, ...payload } = environment.pullRequestPayload({
        headRepository: 'dana/octo-repo',
        author,
      });
      const all = sender === null ? payload : { ...payload, sender: { login: sender, type: 'User' } };
      return { event: { name: 'pull_request_target', payload: all }, triggeringActor: by };
    };
  const access = (collaborators: Readonly<Record<string, 'admin' | 'write' | 'read' | 'none'>>) => ({
    github: { collaborators },
  });
  const untrusted = (...texts: readonly string[]) => notScanned('untrusted-fork', { launches: 0, texts });
  const BOT = 'github-actions[bot]';
  testRuns([
    ...(
      [
        ['a branch of the repository itself', 'pull_request_target', {}],
        ['a fork under `pull_request`', 'pull_request', { headRepository: 'dana/octo-repo', author: 'dana' }],
      ] as const
    ).map(([what, eventName, event]) => ({
      name: `a run reads no permission for ${what}`,
      ...CLEAN,
      eventName,
      event,
      ends: [passed, requests('permission', 0)],
    })),
    {
      name: 'a run reads no permission for a merge group',
      ...CLEAN,
      event: ({ scenario }) => ({ ...mergeGroup(scenario), triggeringActor: 'eve' }),
      ends: [passed, requests('permission', 0)],
    },
    ...(
      [
        ['olga', 'eve', 'write', true],
        ['olga', 'eve', 'read', false],
        // The triage action re-runs the job by the token of the workflow.
        [BOT, 'olga', 'admin', true],
        [BOT, 'olga', 'read', false],
      ] as const
    ).map(([by, sender, permission, isScanned]) => ({
      name: `a fork is ${isScanned ? '' : 'not '}scanned if ${by} started the run, the sender is ${sender}, and olga has the permission ${permission}`,
      ...CLEAN,
      ...access({ dana: 'admin', olga: permission }),
      event: fork({ by, sender }),
      ends: isScanned
        ? [passed, requests('permission', 2)]
        : untrusted(
            'olga, which has no write access to this repository, started this run',
            'Ask a maintainer',
          ),
    })),
    {
      name: 'a fork is not scanned if an unknown account started the run',
      ...CLEAN,
      ...access({ dana: 'admin' }),
      event: fork({ by: BOT, sender: null }),
      ends: untrusted('an unknown account'),
    },
    {
      name: 'a fork whose author was deleted is not scanned',
      ...CLEAN,
      ...access({ olga: 'admin' }),
      event: fork({ author: '', by: 'olga' }),
      ends: untrusted('has no write access'),
    },
    {
      name: 'a run reads one permission if the author started it',
      ...CLEAN,
      ...access({ dana: 'write' }),
      event: fork(),
      ends: [passed, requests('permission', 1)],
    },
    ...(['read', 'none'] as const).map((permission) => ({
      name: `a fork is not scanned if its author has the permission ${permission}`,
      ...CLEAN,
      ...access({ dana: permission }),
      event: fork(),
      ends: untrusted('its author dana has no write access', 'Ask a maintainer to review the change'),
    })),
    ...(
      [
        [
          'Must have push access',
          ['its author dana', 'Must have push access', 'a token whose owner has this access'],
        ],
        ['', ['the permission of its author dana: GitHub denied access.']],
      ] as const
    ).map(([message, texts]) => ({
      name: `a fork is not scanned if GitHub refuses to show the permission of its author: "${message}"`,
      ...CLEAN,
      event: fork(),
      at: { permission: refusing(403, message) },
      ends: untrusted(...texts),
    })),
    {
      name: 'a fork is not scanned if GitHub refuses to show the permission of the account that started the run',
      ...CLEAN,
      ...access({ dana: 'write' }),
      event: fork({ by: 'olga' }),
      at: { 'permission 2': refusing(403, 'Must have push access') },
      ends: untrusted('could not read the permission of olga'),
    },
    ...(
      [
        ['a rate limit', refusing(403, 'API rate limit exceeded', { 'x-ratelimit-remaining': '0' })],
        ['a failure', failing],
      ] as const
    ).map(([what, answer]) => ({
      name: `a run for a fork ends as \`service-error\` after ${what} of GitHub`,
      ...CLEAN,
      event: fork(),
      at: { permission: answer },
      ends: notScanned('service-error', {
        launches: 0,
        texts: ['Could not check whether the author of the fork has write access.'],
      }),
    })),
    {
      name: 'a run for a fork names the account whose permission could not be read',
      ...CLEAN,
      ...access({ dana: 'write' }),
      event: fork({ by: 'olga' }),
      at: { 'permission 2-': failing },
      ends: [endedAs('service-error'), says('Could not check whether the account that started this run')],
    },
    {
      name: 'a run that is cancelled while it reads the permission launches nothing',
      ...CLEAN,
      event: fork(),
      at: { 'permission 1': [cancelJob, hanging] },
      ends: [endedAs('scan-cancelled'), exits(1), says('before it launched a scan')],
    },
  ]);
});
