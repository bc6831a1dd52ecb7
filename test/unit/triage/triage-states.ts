import {
  DELETED,
  EDITED,
  NO_ACCESS,
  NO_TRIAGE_TOKEN,
  NOTES_UNREADABLE,
  OVERTAKEN,
  REPLAYED,
  TOO_SLOW,
  unclear,
} from '../../../src/triage/change-refusal.ts';
import { IS_AUTHOR } from '../../../src/triage/own-work.ts';
import {
  ALREADY_RERUN,
  ASKED_BEFORE,
  CLOSED,
  HEAD_MOVED,
  MAY_LAUNCH,
  NOT_FAILED,
  NOT_KNOWN,
  NOTHING_BLOCKED,
  noJob,
  noMark,
  notCompleted,
  notRerun,
  OTHER_BASE,
  otherRun,
  type Refusal,
  stillBlocked,
  TOO_YOUNG,
  tooManyAttempts,
  tooOld,
  UNDER_WAY,
  unreadable,
} from '../../../src/triage/refusal.ts';
import type { Place, Rechecked, Swept } from '../../../src/triage/rerun-gate.ts';
import { renderReply, renderSummary } from '../../../src/triage/texts.ts';
import { gitHubError } from '../github/samples.ts';

export const PLACE: Place = { serverUrl: 'https://github.com', owner: 'acme', repo: 'shop' };
const RUN = 9876543210;
const FORBIDDEN = gitHubError('forbidden', { operation: 're-run the job', permission: 'actions: write' });

/** Every reason why nothing is re-run. */
export const REFUSALS: Readonly<Record<Refusal['reason'], Refusal>> = {
  closed: CLOSED,
  'head-moved': HEAD_MOVED,
  'no-mark': noMark('Security scan', '7d3f0c1b9a8e7f6d5c4b3a291807f6e5d4c3b2a1'),
  'may-launch': MAY_LAUNCH,
  'other-run': otherRun(RUN),
  'under-way': UNDER_WAY,
  'already-rerun': ALREADY_RERUN,
  'too-many-attempts': tooManyAttempts(10),
  'too-old': tooOld(30),
  'not-failed': NOT_FAILED,
  'no-job': noJob(undefined, ['test', 'scangate']),
  'not-completed': notCompleted('FAILED'),
  'not-known': NOT_KNOWN,
  'asked-before': ASKED_BEFORE,
  'other-base': OTHER_BASE,
  'nothing-blocked': NOTHING_BLOCKED,
  'still-blocked': stillBlocked(5, 12),
  unclear: unclear('There is no command `dismiss`.'),
  'no-triage-token': NO_TRIAGE_TOKEN,
  'own-work': IS_AUTHOR,
  'too-young': TOO_YOUNG,
  edited: EDITED,
  deleted: DELETED,
  replayed: REPLAYED,
  'no-access': NO_ACCESS,
  overtaken: OVERTAKEN,
  'notes-unreadable': NOTES_UNREADABLE,
  'too-slow': TOO_SLOW,
  unreadable: unreadable({ ...FORBIDDEN, operation: 'list the check runs', permission: 'checks: write' }),
  refused: notRerun(FORBIDDEN),
};

export function refusedBy(refusal: Refusal, pullRequest = 7): Extract<Rechecked, { kind: 'refused' }> {
  const runId = ['no-mark', 'other-run', 'closed'].includes(refusal.reason) ? undefined : RUN;
  return { kind: 'refused', pullRequest, runId, refusal };
}

export function rerunOf(pullRequest: number, job = 'scangate'): Rechecked {
  return { kind: 'rerun', pullRequest, runId: RUN, job };
}

export function sweptOf(rechecked: readonly Rechecked[], rest: Partial<Swept> = {}): Swept {
  return { rechecked, left: 0, more: false, fault: undefined, ...rest };
}

/** A sweep with every kind of result. */
export const MIXED_SWEEP: Swept = sweptOf(
  [
    rerunOf(7),
    rerunOf(12, 'call / scangate'),
    ...Object.values(REFUSALS).map((refusal, index) => refusedBy(refusal, 20 + index)),
  ],
  { left: 3, more: true, fault: REFUSALS.refused },
);

/** Only a refused change of findings can have these reasons. All reasons that are not listed can refuse a re-run. */
const OF_CHANGES: ReadonlySet<string> = new Set<Refusal['reason']>([
  'unclear',
  'no-triage-token',
  'own-work',
  'too-young',
  'replayed',
]);

export const REFUSED_RERUNS = Object.values(REFUSALS).filter(({ reason }) => !OF_CHANGES.has(reason));

/** For the gallery: a re-run, a reply for each refused re-run, and a sweep. */
export const TRIAGE_STATES = {
  'triage-done': {
    name: 'A job is re-run',
    reply: undefined,
    summary: renderSummary(sweptOf([rerunOf(7)]), PLACE),
  },
  ...Object.fromEntries(
    REFUSED_RERUNS.map((refusal) => {
      const refused = refusedBy(refusal);
      const texts = { reply: renderReply(refused, PLACE), summary: renderSummary(sweptOf([refused]), PLACE) };
      return [`triage-${refusal.reason}`, { name: refusal.cause.slice(0, 60), ...texts }];
    }),
  ),
  'triage-sweep': { name: 'A sweep', reply: undefined, summary: renderSummary(MIXED_SWEEP, PLACE) },
};
