import { matchesPath, readPathPatterns } from '../domain/path-patterns.ts';
import { type Check, eventsOf, type GateCheck, type Place } from './check.ts';
import { holds, mayBeTrue, type Truth } from './condition.ts';
import { type Job, membersOf, type Step, textsOf } from './workflow.ts';

/**
 * A reason why a check can pass without a scan. GitHub counts a skipped job as passed. A job also passes if its step is
 * skipped.
 *
 * `surely` is true if there is an event for which the job never runs.
 */
export type Gap =
  | { readonly kind: 'continue-on-error'; readonly of: 'job' | 'step'; readonly job: Job }
  | { readonly kind: 'step-condition'; readonly condition: string }
  | { readonly kind: 'condition'; readonly job: Job; readonly condition: string; readonly surely: boolean }
  | { readonly kind: 'needs'; readonly job: Job; readonly needs: readonly string[] };

export interface Circumstances {
  /** The events for which the check is needed, for example `pull_request`. */
  readonly events: readonly string[];
  readonly repository: string;
  /** True if a failure of this job is enough to prevent the merge. */
  readonly blocks: (place: Place) => boolean;
}

/** Finds all reasons why a check of the gate can pass without a scan. */
export function gapsOf(check: GateCheck, circumstances: Circumstances): readonly Gap[] {
  const { chain, steps } = check;
  const { job } = chain.at(-1) ?? chain[0];
  return [
    ...gapsOfSteps(steps, job, circumstances),
    ...chain.flatMap((place) => gapsOfJob(place, circumstances)),
  ];
}

/** Judges all steps of the gate together: each event needs a step that always runs on it. */
function gapsOfSteps(
  steps: readonly Step[],
  job: Job,
  { events, repository }: Circumstances,
): readonly Gap[] {
  const truths = steps.map(({ condition }) =>
    events.map((event) => holds(condition, { event, repository, succeeded: true })),
  );
  const isUnclear = truths.map((ofStep) => ofStep.includes(undefined));
  // If an event has no step, the first condition that leaves it out stands for all.
  const left = events.findIndex((_, at) => truths.every((ofStep) => ofStep[at] === false));
  const first = isUnclear.includes(true) ? -1 : truths.findIndex((ofStep) => ofStep[left] === false);
  return steps.flatMap(({ condition = '', continueOnError }, index): readonly Gap[] => {
    const isGap = isUnclear[index] === true || index === first;
    if (!isGap && truths[index]?.includes(true) !== true) return [];
    return [
      ...(mayBeTrue(continueOnError) ? [{ kind: 'continue-on-error', of: 'step', job } as const] : []),
      ...(isGap ? [{ kind: 'step-condition', condition } as const] : []),
    ];
  });
}

function gapsOfJob(place: Place, circumstances: Circumstances): readonly Gap[] {
  const { job } = place;
  const { condition } = job;
  const gaps: Gap[] = mayBeTrue(job.continueOnError) ? [{ kind: 'continue-on-error', of: 'job', job }] : [];
  const runs = runsAfter(place, circumstances, true);
  if (runs !== true && condition !== undefined) {
    gaps.push({ kind: 'condition', job, condition, surely: runs === false });
    if (runs === false) return gaps;
  }
  const needs = job.needs.filter((id) => !holdsBack(place, id, circumstances, new Map()));
  if (needs.length === 0) return gaps;
  const afterFailure = runsAfter(place, circumstances, false);
  if (afterFailure === false) return [...gaps, { kind: 'needs', job, needs }];
  if (afterFailure === true || runs !== true || condition === undefined) return gaps;
  return [...gaps, { kind: 'condition', job, condition, surely: false }];
}

/** True if the job with this id always runs, and if its failure is enough to prevent the merge. */
function holdsBack(
  { workflow }: Place,
  id: string,
  circumstances: Circumstances,
  known: Map<string, boolean>,
): boolean {
  const before = known.get(id);
  if (before !== undefined) return before;
  // The recursion meets this value only if the job needs itself. Such a job never runs, so it does not prevent the
  // merge.
  known.set(id, false);
  const job = workflow.jobs.find((one) => one.id === id);
  if (job === undefined) return false;
  const place = { workflow, job };
  if (mayBeTrue(job.continueOnError) || !circumstances.blocks(place)) return false;
  if (runsAfter(place, circumstances, true) !== true) return false;
  const rest = job.needs.filter((one) => !holdsBack(place, one, circumstances, known));
  const isHeld = rest.length === 0 || runsAfter(place, circumstances, false) === true;
  known.set(id, isHeld);
  return isHeld;
}

function runsAfter({ job }: Place, { events, repository }: Circumstances, succeeded: boolean): Truth {
  return worst(events.map((event) => holds(job.condition, { event, repository, succeeded })));
}

function worst(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

/** False if the step never runs on a pull request or in a merge group. */
export function mayRun({ condition }: Step, repository: string, check: Check): boolean {
  return [...CHANGE_EVENTS, QUEUE_EVENT]
    .filter((event) => eventsOf(check).has(event))
    .some((event) => holds(condition, { event, repository, succeeded: true }) !== false);
}

/** The pull request events on which the gate runs. */
export const CHANGE_EVENTS = ['pull_request', 'pull_request_target'] as const;
export const QUEUE_EVENT = 'merge_group';

/** A workflow needs these types, so that a new pull request and a push to a pull request start a run. */
const TYPES = ['opened', 'synchronize'] as const;

/**
 * A filter under an event of a workflow. It keeps the workflow from running for some pull requests or merge groups.
 */
export interface Filter {
  readonly event: string;
  readonly name: 'paths' | 'paths-ignore' | 'branches' | 'branches-ignore' | 'types';
}

/**
 * Finds the events on which the check does not run again after a pull request onto the branch got another base branch.
 * @param canStack true if GitHub can have stacked pull requests, which start the workflow on every base branch
 */
export function eventsWithoutEdits(check: Check, branch: string, canStack: boolean): readonly string[] {
  return CHANGE_EVENTS.filter((event) => {
    const filters = eventsOf(check).get(event);
    if (filters === undefined) return false;
    const [types, branches] = ['types', 'branches'].map((name) => textsOf(membersOf(filters).get(name)));
    const isOneBranch = branches?.length === 1 && branches[0] === branch;
    return types?.includes('edited') === false && (canStack || !isOneBranch);
  });
}

/** Finds the filters that keep the check from running for some pull requests or merge groups of the branch. */
export function filtersThatLeaveOut(
  check: GateCheck,
  branch: string,
  events: readonly string[] = CHANGE_EVENTS,
): readonly Filter[] {
  return events.flatMap((event) => {
    const filters = membersOf(eventsOf(check).get(event) ?? '');
    const of = (name: Filter['name']) => textsOf(filters.get(name));
    const isLeftOut = (name: Filter['name']) => {
      const values = of(name);
      if (values.length === 0) return false;
      if (name === 'types') return event !== QUEUE_EVENT && TYPES.some((type) => !values.includes(type));
      if (name === 'branches') return isAmong(branch, values) === false;
      return name === 'branches-ignore' ? isAmong(branch, values) === true : true;
    };
    return (['paths', 'paths-ignore', 'branches', 'branches-ignore', 'types'] as const)
      .filter(isLeftOut)
      .map((name) => ({ event, name }));
  });
}

/**
 * True if a branch filter includes the branch. A branch filter has the syntax of a path filter. Undefined if a
 * pattern cannot be parsed.
 */
function isAmong(branch: string, patterns: readonly string[]): boolean | undefined {
  const { patterns: read, slips } = readPathPatterns(patterns.join('\n'));
  return slips.length > 0 ? undefined : matchesPath(read, branch);
}
