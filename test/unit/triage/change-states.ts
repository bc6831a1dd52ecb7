import { err, ok } from '../../../src/domain/result.ts';
import { answerOfChange } from '../../../src/triage/answer.ts';
import type { Changed, FindingResult } from '../../../src/triage/change-command.ts';
import {
  afterChange,
  DELETED,
  EDITED,
  inNewComment,
  NO_TRIAGE_TOKEN,
  noLabels,
  OVERTAKEN,
  RESULT_PENDING,
  unclear,
} from '../../../src/triage/change-refusal.ts';
import { type Change, type Command, parseCommand } from '../../../src/triage/command.ts';
import { IS_AUTHOR, madeCommit, manyCommits, noAccount } from '../../../src/triage/own-work.ts';
import { type Refusal, stillBlocked, TOO_YOUNG, UNDER_WAY, unreadable } from '../../../src/triage/refusal.ts';
import { gitHubError } from '../github/samples.ts';
import { refused } from '../scan/fake-api.ts';
import { PLACE, REFUSALS, refusedBy, rerunOf } from './triage-states.ts';

const PULL_REQUEST = 7;
const COMMENT = 5_000_000_007;
const OPERATION = { operation: 'change the resolution of a finding', message: 'Try again.' } as const;
export const LOST = refused(500, 'internal', OPERATION).error;

const NAMED = { label: 'ZK-1a2b3c4d', title: 'SQL injection in `findUser`' };
const ALSO_NAMED = { label: 'ZK-5e6f7a8b', title: 'Open redirect after login' };
export const DONE: FindingResult = { ...NAMED, kind: 'changed', notes: 1 };
const ALSO_DONE: FindingResult = { ...ALSO_NAMED, kind: 'changed', notes: 1 };

export const COMMAND: Command = {
  pullRequest: PULL_REQUEST,
  commentId: COMMENT,
  author: { login: 'wanda', id: 7, type: 'User' },
  createdAt: new Date(0),
  body: '/scangate recheck',
  wanted: { kind: 'recheck' },
};
const CHANGE: Change = {
  word: 'false-positive',
  status: 'FALSE_POSITIVE',
  labels: [],
  reason: 'not_reachable',
  note: '',
};
const REOPEN: Change = { ...CHANGE, word: 'reopen', status: 'NOT_STARTED', reason: undefined };

export function changed(results: readonly FindingResult[], rest: Partial<Changed> = {}): Changed {
  return {
    command: COMMAND,
    change: CHANGE,
    results,
    showsTitles: true,
    rechecked: undefined,
    ...rest,
  };
}

/** Results of commands whose author may change the status of findings. */
const CHANGES: Readonly<Record<string, readonly [name: string, changed: Changed]>> = {
  closed: ['Findings closed, job re-run', changed([DONE, ALSO_DONE], { rechecked: rerunOf(PULL_REQUEST) })],
  'still-blocked': [
    'A finding closed, another one blocks',
    changed([DONE], { rechecked: refusedBy(stillBlocked(1, 2)) }),
  ],
  'not-rerun': [
    'Findings closed, and the re-run failed',
    changed([DONE, ALSO_DONE], { rechecked: refusedBy(REFUSALS.refused) }),
  ],
  reopened: ['A finding reopened', changed([DONE], { change: REOPEN, rechecked: rerunOf(PULL_REQUEST) })],
  'reopened-under-way': [
    'A finding reopened while a run is under way',
    changed([DONE], {
      change: REOPEN,
      rechecked: refusedBy(afterChange(UNDER_WAY, true)),
    }),
  ],
  'closed-under-way': [
    'Findings closed while a run is under way',
    changed([DONE, ALSO_DONE], { rechecked: refusedBy(afterChange(UNDER_WAY, false)) }),
  ],
  partly: [
    'One closed, one that a later command has changed',
    changed([DONE, { ...ALSO_NAMED, kind: 'refused', refusal: OVERTAKEN }]),
  ],
  failed: [
    'A token without the scope',
    changed([{ ...NAMED, kind: 'failed', error: refused(403, 'forbidden', OPERATION).error }]),
  ],
  'rate-limited': [
    'Too many requests',
    changed([{ ...NAMED, kind: 'failed', error: refused(429, 'rate_limited', OPERATION).error }]),
  ],
  'not-known': ['An answer was lost', changed([DONE, { ...ALSO_NAMED, kind: 'not-known', error: LOST }])],
  twice: [
    'An answer was lost, and the note is there twice',
    changed(
      [
        { ...DONE, notes: 2 },
        { ...ALSO_DONE, notes: undefined },
      ],
      {
        rechecked: rerunOf(PULL_REQUEST),
      },
    ),
  ],
  'other-status': [
    'Changed by another user meanwhile',
    changed([{ ...NAMED, kind: 'other-status', shown: 'RESOLVED' }]),
  ],
};

/** The refusal of a comment with this text, which is not a valid command. */
function notACommand(body: string): Refusal {
  const wanted = parseCommand(body);
  if (wanted?.kind !== 'unclear') throw new Error(`${body} is a command`);
  return unclear(wanted.cause);
}

/** Refusals of commands, which change nothing. */
const REFUSED: Readonly<Record<string, readonly [name: string, refusal: Refusal]>> = {
  author: ['The author of the pull request', IS_AUTHOR],
  commit: ['The author of a commit', madeCommit('7d3f0c1b9a8e7f6d')],
  'no-account': ['A commit without an account', noAccount('7d3f0c1b9a8e7f6d')],
  'many-commits': ['More commits than GitHub lists', manyCommits(251)],
  word: ['An unknown command', notACommand('/scangate dismiss')],
  reason: ['A reason code of another command', notACommand('/scangate wont-fix not_reachable')],
  odd: [
    'Labels that name no single finding',
    noLabels('false-positive', [
      { kind: 'unknown', label: 'because' },
      { kind: 'ambiguous', label: 'ZK-0000AAAA' },
    ]),
  ],
  overtaken: ['A later command', OVERTAKEN],
  'no-token': ['Not set up', NO_TRIAGE_TOKEN],
  'too-young': ['Newer results', TOO_YOUNG],
  pending: ['A run under way', RESULT_PENDING],
  edited: ['An edited comment', EDITED],
  deleted: ['A deleted comment', DELETED],
  unreadable: [
    'GitHub cannot be reached',
    inNewComment(
      unreadable(
        gitHubError('unreachable', {
          operation: 'read whose work the pull request is',
          message: 'status 503',
        }),
      ),
    ),
  ],
};

/** For the gallery: the replies to commands that change the status of findings. */
export const CHANGE_STATES = Object.fromEntries(
  [
    ...Object.entries(CHANGES).map(([id, [name, one]]) => [id, name, ok(one)] as const),
    ...Object.entries(REFUSED).map(([id, [name, refusal]]) => [`refused-${id}`, name, err(refusal)] as const),
  ].map(([id, name, result]) => {
    return [`changed-${id}`, { name, ...answerOfChange(COMMAND, result, PLACE) }];
  }),
);
