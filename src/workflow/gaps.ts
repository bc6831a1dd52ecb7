import type { GateCheck, Place } from './check.ts';
import { holds, type Truth } from './condition.ts';
import type { Job } from './workflow.ts';

/**
 * Why a check can be green without a scan: GitHub counts a skipped job as passed, and a job passes if its step is
 * skipped. `surely`: it is so on each run of this event.
 */
export type Gap =
  | { readonly kind: 'continue-on-error'; readonly of: 'job' | 'step'; readonly job: Job }
  | { readonly kind: 'step-condition'; readonly condition: string }
  | { readonly kind: 'condition'; readonly job: Job; readonly condition: string; readonly surely: boolean }
  | { readonly kind: 'needs'; readonly job: Job; readonly needs: readonly string[] };

export interface Circumstances {
  /** Events that the check has to answer for, such as `pull_request`. */
  readonly events: readonly string[];
  readonly repository: string;
  /** A failure of this job, in this workflow, holds back the merge by itself. */
  readonly blocks: (place: Place) => boolean;
}

/** All the gaps of a check of the gate. */
export function gapsOf(check: GateCheck, circumstances: Circumstances): readonly Gap[] {
  const { events, repository } = circumstances;
  const { step, chain } = check;
  const stepRuns = worst(
    events.map((event) => holds(step.condition, { event, repository, succeeded: true })),
  );
  const last = chain.at(-1) ?? chain[0];
  return [
    ...(isOn(step.continueOnError)
      ? [{ kind: 'continue-on-error', of: 'step', job: last.job } as const]
      : []),
    ...(stepRuns === true ? [] : [{ kind: 'step-condition', condition: step.condition ?? '' } as const]),
    ...chain.flatMap((place) => gapsOfJob(place, circumstances)),
  ];
}

function gapsOfJob(place: Place, circumstances: Circumstances): readonly Gap[] {
  const { job } = place;
  const { condition } = job;
  const gaps: Gap[] = isOn(job.continueOnError) ? [{ kind: 'continue-on-error', of: 'job', job }] : [];
  const runs = runsAfter(place, circumstances, true);
  if (runs !== true && condition !== undefined) {
    return [...gaps, { kind: 'condition', job, condition, surely: runs === false }];
  }
  const needs = job.needs.filter((id) => !holdsBack(place, id, circumstances, new Set()));
  if (needs.length === 0) return gaps;
  const afterFailure = runsAfter(place, circumstances, false);
  if (afterFailure === true) return gaps;
  if (afterFailure === undefined && condition !== undefined) {
    return [...gaps, { kind: 'condition', job, condition, surely: false }];
  }
  return [...gaps, { kind: 'needs', job, needs }];
}

/** If the needed job does not succeed, the merge is held back by that job itself: it is required, and always runs. */
function holdsBack(
  { workflow }: Place,
  id: string,
  circumstances: Circumstances,
  seen: ReadonlySet<string>,
): boolean {
  const job = workflow.jobs.find((one) => one.id === id);
  if (job === undefined || seen.has(id)) return false;
  const place = { workflow, job };
  if (isOn(job.continueOnError) || !circumstances.blocks(place)) return false;
  if (runsAfter(place, circumstances, true) !== true) return false;
  const rest = job.needs.filter((one) => !holdsBack(place, one, circumstances, new Set([...seen, id])));
  return rest.length === 0 || runsAfter(place, circumstances, false) === true;
}

function runsAfter({ job }: Place, { events, repository }: Circumstances, succeeded: boolean): Truth {
  return worst(events.map((event) => holds(job.condition, { event, repository, succeeded })));
}

function worst(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

/** An expression can be true too. */
function isOn(continueOnError: string | undefined): boolean {
  return continueOnError !== undefined && continueOnError !== 'false';
}
