import { docsPage } from '../report/links.ts';
import { CHANGE_COMMANDS, type ChangeWord, type Chosen, PREFIX, shown } from './command.ts';
import { decided, type Refusal, UNDER_WAY } from './refusal.ts';

const COMMANDS = `The commands are \`${PREFIX} recheck\`, and ${Object.keys(CHANGE_COMMANDS)
  .map((word) => `\`${PREFIX} ${word}\``)
  .join(', ')}, each with the labels of the findings, such as \`ZK-1A2B3C4D\`.`;
/** The next step if a command could not change a finding. */
export const BY_SERVICE =
  'To do it by hand, change the finding in the service, or ask a user with access to it. Then comment `/scangate recheck`.';

export const NO_TRIAGE_TOKEN = decided({
  reason: 'no-triage-token',
  cause: 'This repository is not set up to change findings by comment: `triage-token` is empty.',
  nextStep: `A maintainer can set it up, as ${docsPage('triage')} shows.`,
});

export const EDITED = decided({
  reason: 'edited',
  cause: 'The comment was edited after it was written.',
  nextStep: 'Write the command in a new comment.',
});

export const DELETED = decided({
  reason: 'deleted',
  cause: 'The comment was deleted.',
  nextStep: 'If you want the change, write the command in a new comment.',
});

export const NO_ACCESS = decided({
  reason: 'no-access',
  cause: 'You have no write access any more.',
  nextStep: 'Ask a user with write access to write the command.',
});

/** Refuses to change a finding that a later comment has changed, so that the last command counts. */
export const OVERTAKEN = decided({
  reason: 'overtaken',
  cause: 'A later command has changed this finding.',
  nextStep: 'If you still want the change, write the command in a new comment.',
});

export const NOTES_UNREADABLE = decided({
  reason: 'notes-unreadable',
  cause:
    'The notes of the finding cannot be read, so it is not known whether a later command has changed it.',
  nextStep: 'Write the command again later. If this happens again, change the finding in the service.',
  isFailure: true,
});

export const TOO_SLOW = decided({
  reason: 'too-slow',
  cause: 'GitHub or the service took too long to show that the command still holds.',
  nextStep: 'Write the command again later.',
  isFailure: true,
});

/** Refuses a command whose line names no single finding. @param chosen at least one of them, foreign text */
export function noLabels(word: ChangeWord, chosen: readonly Exclude<Chosen, { kind: 'finding' }>[]): Refusal {
  const about = (kind: Chosen['kind'], what: string) => {
    const names = chosen.filter((one) => one.kind === kind).map(({ label }) => shown(label));
    return names.length === 0 ? [] : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} ${what}.`;
  };
  const causes = [
    about('unknown', `neither the label of a finding of this scan nor a reason code of \`${word}\``),
    about('ambiguous', 'the label of several findings of this scan'),
  ].flat();
  return decided({
    reason: 'unclear',
    cause: causes.join(' '),
    nextStep:
      'Write the command in a new comment, with labels from the comment of the gate or full ids. Text goes below the line.',
  });
}

/** Refuses a command while the gate's job runs, because the result of the job can change. */
export const RESULT_PENDING: Refusal = {
  ...UNDER_WAY,
  nextStep: 'Wait until it ends, check its findings, then write the command in a new comment.',
};

/**
 * Refuses a command in a re-run of the triage workflow, because the first attempt may have changed the findings. The
 * job fails, so that the re-run cannot hide a failure of the first attempt.
 */
export const REPLAYED: Refusal = decided({
  reason: 'replayed',
  cause: 'A re-run of this workflow changes no finding.',
  nextStep: 'Write the command in a new comment.',
  isFailure: true,
});

/** @param open the number of open findings of the scan, at least one */
export function blocksNotKnown(open: number): Refusal {
  return decided({
    reason: 'not-known',
    cause: `No comment of the gate shows which findings blocked this commit, and ${open} ${open === 1 ? 'finding of this scan is' : 'findings of this scan are'} still open.`,
    nextStep: 'If none of them blocks, comment `/scangate recheck`.',
  });
}

const RERUN_THIS = /\bre-run this job\b/gi;

/**
 * Changes `nextStep`: replaces "re-run this job" by the advice to write a new comment, because a re-run of this
 * workflow changes no finding.
 */
export function inNewComment(refusal: Refusal): Refusal {
  return withoutRerun(refusal, 'write the command in a new comment');
}

/**
 * Changes `nextStep` for a command that changed findings, if the gate's job was not re-run. After `reopen`, users have
 * to write the command again. The gate's job may have passed, and `recheck` re-runs only a failed job.
 */
export function afterChange(refusal: Refusal, isReopened: boolean): Refusal {
  const step = isReopened ? 'write the command in a new comment' : 'comment `/scangate recheck`';
  if (refusal.reason !== 'under-way') return withoutRerun(refusal, step);
  const nextStep = isReopened
    ? `Wait until it ends, then ${step}.`
    : `Wait until it ends. If the check still fails, ${step}.`;
  return { ...refusal, nextStep };
}

/**
 * Changes `nextStep`: replaces "re-run this job" by a pointer to the job summary. The summary has the answer if the
 * answer could not be written to the pull request.
 */
export function inSummary(refusal: Refusal): Refusal {
  return withoutRerun(refusal, 'see the summary of this job, which has the answer');
}

function withoutRerun(refusal: Refusal, step: string): Refusal {
  const atStart = `${step.slice(0, 1).toUpperCase()}${step.slice(1)}`;
  const nextStep = refusal.nextStep.replace(RERUN_THIS, (said) => (said.startsWith('R') ? atStart : step));
  return { ...refusal, nextStep };
}

/** Refuses a comment with our prefix that is not a command. @param cause a sentence that may contain foreign text */
export function unclear(cause: string): Refusal {
  return decided({ reason: 'unclear', cause, nextStep: COMMANDS });
}
