import { createSeal } from '../../../src/domain/seal.ts';
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
import { lineOfChanged, renderChanged } from '../../../src/triage/change-texts.ts';
import { notAllowed } from '../../../src/triage/own-work.ts';
import { type Refusal, stillBlocked, TOO_YOUNG, UNDER_WAY, unreadable } from '../../../src/triage/refusal.ts';
import { composeReply, refusalAnswer } from '../../../src/triage/reply.ts';
import { renderNotChanged } from '../../../src/triage/texts.ts';
import { PLACE, REFUSALS, refusedBy, rerunOf } from './triage-states.ts';

const PULL_REQUEST = 7;
const COMMENT = 5_000_000_007;
const COMMENT_URL = `${PLACE.serverUrl}/${PLACE.owner}/${PLACE.repo}/pull/${PULL_REQUEST}#issuecomment-${COMMENT}`;
const LOST = {
  kind: 'refused',
  operation: 'change the resolution of a finding',
  status: 500,
  code: 'internal',
  message: 'Try again.',
  retryAfterSeconds: undefined,
} as const;

const NAMED = { label: 'ZK-1a2b3c4d', title: 'SQL injection in `findUser`' };
const ALSO_NAMED = { label: 'ZK-5e6f7a8b', title: 'Open redirect after login' };
const DONE: FindingResult = { ...NAMED, kind: 'changed', notes: 1 };
const ALSO_DONE: FindingResult = { ...ALSO_NAMED, kind: 'changed', notes: 1 };

function changed(results: readonly FindingResult[], rest: Partial<Changed> = {}): Changed {
  return {
    login: 'wanda',
    status: 'FALSE_POSITIVE',
    reason: 'not_reachable',
    commentUrl: COMMENT_URL,
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
  reopened: [
    'A finding reopened',
    changed([DONE], { status: 'NOT_STARTED', reason: undefined, rechecked: rerunOf(PULL_REQUEST) }),
  ],
  'reopened-under-way': [
    'A finding reopened while a run is under way',
    changed([DONE], {
      status: 'NOT_STARTED',
      reason: undefined,
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
    changed([{ ...NAMED, kind: 'failed', error: { ...LOST, status: 403, code: 'forbidden' } }]),
  ],
  'rate-limited': [
    'Too many requests',
    changed([{ ...NAMED, kind: 'failed', error: { ...LOST, status: 429, code: 'rate_limited' } }]),
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

/** Refusals of commands, which change nothing. */
const REFUSED: Readonly<Record<string, readonly [name: string, refusal: Refusal]>> = {
  author: ['The author of the pull request', notAllowed({ why: 'author' })],
  commit: ['The author of a commit', notAllowed({ why: 'commit', sha: '7d3f0c1b9a8e7f6d' })],
  'no-account': ['A commit without an account', notAllowed({ why: 'no-account', sha: '7d3f0c1b9a8e7f6d' })],
  'many-commits': ['More commits than GitHub lists', notAllowed({ why: 'many-commits', count: 251 })],
  word: ['An unknown command', unclear({ why: 'word', word: 'dismiss' })],
  reason: [
    'A reason code of another command',
    unclear({ why: 'reason', word: 'wont-fix', reason: 'not_reachable' }),
  ],
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
      unreadable({
        kind: 'unreachable',
        operation: 'read whose work the pull request is',
        status: 503,
        message: 'status 503',
        permission: 'pull-requests: read',
        ambiguous: false,
      }),
    ),
  ],
};

const PEOPLE = { login: 'wanda', id: 7, type: 'User' } as const;

function refusedReply(refusal: Refusal): string {
  const command = {
    pullRequest: PULL_REQUEST,
    commentId: COMMENT,
    author: PEOPLE,
    createdAt: new Date(0),
    body: '/scangate recheck',
    wanted: { kind: 'recheck' },
  } as const;
  const said = { said: 'No finding was changed', why: refusal.cause, markdown: renderNotChanged(refusal) };
  return refusalAnswer(command, said, PLACE).body;
}

/** The reply after several commands. */
function laterReply(): string {
  const [, last] = CHANGES['closed'] ?? [];
  const [, before] = CHANGES['partly'] ?? [];
  if (last === undefined || before === undefined) throw new Error('there is no such state');
  const seal = createSeal('svc_proj_key_of_the_gallery', '1296269');
  const given = {
    owner: {
      repository: `${PLACE.owner}/${PLACE.repo}`,
      pullRequest: PULL_REQUEST,
      checkName: 'Security scan',
    },
    seal,
    place: PLACE,
  };
  const first = composeReply({
    ...given,
    own: { commentId: COMMENT - 1, text: lineOfChanged(before) },
    body: renderChanged(before, PLACE),
    states: [],
  });
  return composeReply({
    ...given,
    own: { commentId: COMMENT, text: lineOfChanged(last) },
    body: renderChanged(last, PLACE),
    states: [first.state],
  }).body;
}

const REPLIES: readonly (readonly [id: string, name: string, reply: string])[] = [
  ...Object.entries(CHANGES).map(([id, [name, one]]) => [id, name, renderChanged(one, PLACE)] as const),
  ['later', 'The reply after a second command', laterReply()],
  ...Object.entries(REFUSED).map(
    ([id, [name, refusal]]) => [`refused-${id}`, name, refusedReply(refusal)] as const,
  ),
];

/** For the gallery: the replies to commands that change the status of findings. */
export const CHANGE_STATES = Object.fromEntries(
  REPLIES.map(([id, name, reply]) => [`changed-${id}`, { name, reply, summary: `## Triage\n\n${reply}\n` }]),
);
