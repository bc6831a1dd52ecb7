import type { Sentences } from '../domain/result.ts';
import { causeOf, fixOf, type GitHubError, lacksPermission } from '../github/errors.ts';
import { listed } from '../text/visible-text.ts';

/** Why no job was re-run, or no finding was changed. */
export interface Refusal extends Sentences {
  readonly reason:
    | 'closed'
    | 'head-moved'
    | 'no-mark'
    | 'may-launch'
    | 'other-run'
    | 'under-way'
    | 'already-rerun'
    | 'too-many-attempts'
    | 'too-old'
    | 'not-failed'
    | 'no-job'
    | 'not-completed'
    | 'not-known'
    | 'asked-before'
    | 'other-base'
    | 'nothing-blocked'
    | 'still-blocked'
    | 'unreadable'
    | 'refused'
    | 'unclear'
    | 'no-triage-token'
    | 'own-work'
    | 'too-young'
    | 'edited'
    | 'deleted'
    | 'no-access'
    | 'overtaken'
    | 'notes-unreadable'
    | 'too-slow'
    | 'replayed';
  /** True if an error, and not only a rule, is the reason. */
  readonly isFailure: boolean;
  /** True if users can re-run the gate's job by hand. */
  readonly byHand: boolean;
}

export function decided(
  refusal: Sentences & { readonly reason: Refusal['reason'] } & Partial<Refusal>,
): Refusal {
  return { isFailure: false, byHand: false, ...refusal };
}

export const CLOSED = decided({
  reason: 'closed',
  cause: 'The pull request is closed.',
  nextStep: 'Reopen it to check it again.',
});

export const HEAD_MOVED = decided({
  reason: 'head-moved',
  cause: 'The pull request has another head commit by now.',
  nextStep: 'Wait for the run of that commit.',
});

export const UNDER_WAY = decided({
  reason: 'under-way',
  cause: 'A run for this commit is under way.',
  nextStep: 'Wait until it ends.',
});

export const ALREADY_RERUN = decided({
  reason: 'already-rerun',
  cause: 'The job was run again after this comment.',
  nextStep: 'If you triaged a finding since, write a new comment.',
});

export const MAY_LAUNCH = decided({
  reason: 'may-launch',
  cause:
    'A re-run can launch a new scan, because the mark does not show that it reuses this one (`reuse-scan` is `false`, `base-commit` is set, or GitHub did not show the files).',
  nextStep: 'A re-run by hand can cost credits.',
  byHand: true,
});

export const NOT_FAILED = decided({
  reason: 'not-failed',
  cause: 'The job of the gate did not fail.',
  nextStep: '',
});

export const NOT_KNOWN = decided({
  reason: 'not-known',
  cause:
    'No comment of the gate shows which findings were reported for this commit. The sweep needs that comment.',
  nextStep: 'Set `comment` to `on-findings` in the workflow of the gate, or comment `/scangate recheck`.',
});

export const ASKED_BEFORE = decided({
  reason: 'asked-before',
  cause: 'The triage action already asked for the newest attempt of this run, which left no new result.',
  nextStep: 'The log of that attempt says why. A re-run by hand can cost credits.',
  byHand: true,
});

export const OTHER_BASE = decided({
  reason: 'other-base',
  cause: 'The merge base of the pull request has changed since the scan, so a re-run can launch a new scan.',
  nextStep: 'A re-run by hand can cost credits.',
  byHand: true,
});

export const NOTHING_BLOCKED = decided({
  reason: 'nothing-blocked',
  cause: 'No finding blocked this commit, so triage does not change its result.',
  nextStep: '',
});

/** @param open how many of the blocking findings are still open @param blocked how many findings blocked */
export function stillBlocked(open: number, blocked: number): Refusal {
  return decided({
    reason: 'still-blocked',
    cause: `Of ${blocked} blocking ${blocked === 1 ? 'finding' : 'findings'}, ${open} ${open === 1 ? 'is' : 'are'} still open.`,
    nextStep: '',
  });
}

export const TOO_YOUNG = decided({
  reason: 'too-young',
  cause:
    'The result of this commit is newer than the comment, or less than a minute older, so its findings may be others than the comment means.',
  nextStep: 'Check the findings, wait a minute, then write the command in a new comment.',
});

export function noMark(checkName: string, headSha: string): Refusal {
  return decided({
    reason: 'no-mark',
    cause: `No check run \`${checkName}\` of commit \`${headSha.slice(0, 7)}\` has a mark that \`api-token\` proves.`,
    nextStep:
      'If the job of the gate has not ended, wait for it. Use the same `api-token` and `check-name` as the gate. If the token was replaced since, re-run the job by hand: this launches a new scan.',
    byHand: true,
  });
}

export function otherRun(runId: number): Refusal {
  return decided({
    reason: 'other-run',
    cause: `Run ${runId}, which the mark names, is not a run of this pull request and commit in this repository.`,
    nextStep: 'Re-run the job by hand.',
    byHand: true,
  });
}

export function tooManyAttempts(most: number): Refusal {
  return decided({
    reason: 'too-many-attempts',
    cause: `The job already ran ${most} times.`,
    nextStep: 'Re-run the job by hand, or push a commit.',
    byHand: true,
  });
}

export function tooOld(days: number): Refusal {
  return decided({
    reason: 'too-old',
    cause: `The run is older than ${days} days, and GitHub does not re-run it any more.`,
    nextStep: 'Push a commit. An empty commit costs no credits: its files are scanned already.',
  });
}

/** @param names the names of the run's jobs, foreign text */
export function noJob(jobName: string | undefined, names: readonly string[]): Refusal {
  const cause =
    jobName === undefined
      ? 'The run has several jobs, and `job-name` is empty.'
      : `The run has no single job \`${jobName}\`.`;
  const has = names.length === 0 ? '' : ` The run has: ${listed(names)}.`;
  return decided({
    reason: 'no-job',
    cause,
    nextStep: `Set \`job-name\` of the triage action to the job that runs the gate.${has}`,
    byHand: true,
  });
}

/** @param status the scan's status in the service, foreign text */
export function notCompleted(status: string): Refusal {
  return decided({
    reason: 'not-completed',
    cause: `The scan is ${listed([status])}, not COMPLETED, so a re-run can launch a new scan.`,
    nextStep: 'A re-run by hand can cost credits.',
    byHand: true,
  });
}

export function unreadable(error: GitHubError): Refusal {
  // The error names the permission of the gate, which writes check runs. The triage action only reads check runs.
  const known =
    error.permission === 'checks: write' ? { ...error, permission: 'checks: read' as const } : error;
  return stopped({ cause: causeOf(known), nextStep: fixOf(known) });
}

/** Explains that GitHub did not re-run the job, or did not answer. */
export function notRerun(error: GitHubError): Refusal {
  if (error.kind !== 'forbidden') return { ...unreadable(error), reason: 'refused' };
  return {
    reason: 'refused',
    cause: causeOf(error),
    nextStep: lacksPermission(error)
      ? 'Add `actions: write` to the permissions of the triage action.'
      : 'GitHub re-runs a run for 30 days and at most 50 times, and not while it is under way. After that, push a commit.',
    isFailure: true,
    byHand: false,
  };
}

/** Makes a refusal from a problem with GitHub, the service or the setup. */
export function stopped({ cause, nextStep }: Sentences): Refusal {
  return { reason: 'unreadable', cause, nextStep, isFailure: true, byHand: true };
}
