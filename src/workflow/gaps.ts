import { matchesPath, readPathPatterns } from '../domain/path-patterns.ts';
import { eventsOf, type GateCheck, type Place } from './check.ts';
import { type Job, membersOf, type Step, textsOf } from './workflow.ts';

/** When and where an `if` is evaluated. */
export interface Situation {
  /** The event that started the workflow. */
  readonly event: string;
  /** `owner/name` of the repository. */
  readonly repository: string;
  /** For a job: true if all jobs in `needs` succeeded. For a step: true if all steps before it succeeded. */
  readonly succeeded: boolean;
}

/** The value of a condition. Undefined if the file alone does not determine the value. */
export type Truth = boolean | undefined;

/** Matches a status function. If a condition has no such function, GitHub puts `success() &&` before it. */
const STATE_FUNCTION = /\b(?:always|cancelled|failure|success)\s*\(\s*\)/i;

/** Evaluates an `if` as GitHub does. Undefined if the file alone does not determine the value. */
export function holds(condition: string | undefined, situation: Situation): Truth {
  const text = unwrapped(condition ?? '');
  if (text === '') return situation.succeeded;
  if (text.length > LONGEST) return undefined;
  // Text beside an expression makes the whole condition a string, which is not evaluated here.
  if (text.includes('${{')) return undefined;
  const truth = truthOf(text, situation, 0);
  const hasStateFunction = STATE_FUNCTION.test(text.replace(/'[^']*'/g, "''"));
  return situation.succeeded || hasStateFunction ? truth : false;
}

function unwrapped(condition: string): string {
  const text = condition.trim();
  const inner = /^\$\{\{([\s\S]*)\}\}$/.exec(text)?.[1];
  return inner === undefined || inner.includes('${{') ? text : inner.trim();
}

/**
 * False if a key such as `continue-on-error` is missing or `false`. An expression counts as true, because its value
 * is not known.
 */
export function mayBeTrue(value: string | undefined): boolean {
  return value !== undefined && unwrapped(value).toLowerCase() !== 'false';
}

/** Our choice: the most levels of a condition that is evaluated. */
const DEEPEST = 20;
/** GitHub's limit for an expression, in characters. */
const LONGEST = 21_000;

function truthOf(given: string, situation: Situation, depth: number): Truth {
  const text = given.trim();
  if (depth > DEEPEST) return undefined;
  const next = (one: string) => truthOf(one, situation, depth + 1);
  const either = splitAt(text, '||');
  if (either.length > 1) {
    const values = either.map(next);
    return values.includes(true) ? true : values.includes(undefined) ? undefined : false;
  }
  const all = splitAt(text, '&&');
  if (all.length > 1) {
    const values = all.map(next);
    return values.includes(false) ? false : values.includes(undefined) ? undefined : true;
  }
  if (/^!(?!=)/.test(text)) {
    // `!` binds more tightly than `==`, so `!a == b` compares a boolean with `b`. Such a condition is not evaluated.
    const value = isComparison(text) ? undefined : next(text.slice(1));
    return value === undefined ? undefined : !value;
  }
  if (/^\([\s\S]*\)$/.test(text) && splitAt(text, ')').length === 1) return next(text.slice(1, -1));
  return atomOf(text, situation);
}

/** True if the text contains a comparison outside of brackets and quotes. */
function isComparison(text: string): boolean {
  return ['==', '!=', '<', '>'].some((operator) => splitAt(text, operator).length > 1);
}

function atomOf(text: string, { event, repository, succeeded }: Situation): Truth {
  switch (text.toLowerCase().replace(/\s/g, '')) {
    case 'true':
    case 'always()':
      return true;
    case 'false':
    case 'cancelled()':
      return false;
    case 'success()':
      return succeeded;
    case 'failure()':
      // If an earlier job did not succeed, it failed or was skipped. `failure()` is true only after a failure, so the
      // value is not known.
      return succeeded ? false : undefined;
  }
  const [, before = '', operator, after = ''] = /^([\s\S]+?)(==|!=)([\s\S]+)$/.exec(text) ?? [];
  const [left, right] = [before.trim(), after.trim()];
  const [name, word] = left.startsWith("'") ? [right, left] : [left, right];
  const value = /^'([^']*)'$/.exec(word)?.[1]?.toLowerCase();
  const known = knownValue(name.toLowerCase(), event, repository)?.toLowerCase();
  if (value === undefined || known === undefined) return undefined;
  return (known === value) === (operator === '==');
}

function knownValue(name: string, event: string, repository: string): string | undefined {
  switch (name) {
    case 'github.event_name':
      return event;
    case 'github.repository':
      return repository;
    case 'github.repository_owner':
      return repository.split('/')[0];
    default:
      return undefined;
  }
}

/**
 * Splits the text at separators outside of quotes and brackets. The separator `)` is special: the text is split once,
 * before the bracket that closes the first opening bracket. If the text ends with that bracket, it is not split.
 */
function splitAt(text: string, separator: string): readonly string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return [text];
      at = end;
    } else if (char === '(' || char === '[') depth += 1;
    else if (char === ')' || char === ']') {
      depth -= 1;
      if (separator === ')' && depth === 0 && at < text.length - 1)
        return [text.slice(0, at), text.slice(at)];
    } else if (depth === 0 && text.startsWith(separator, at)) {
      pieces.push(text.slice(start, at));
      at += separator.length - 1;
      start = at + 1;
    }
  }
  return [...pieces, text.slice(start)];
}

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
  const last = chain.at(-1) ?? chain[0];
  const runs = steps.map((step) => stepRuns(step, circumstances));
  return [
    ...steps.flatMap((step, index) => {
      // A step that never runs for these events is not a gap if another step of the gate always runs.
      if (runs[index] === 'never' && runs.includes('always')) return [];
      return gapsOfStep(step, runs[index] === 'always', last.job);
    }),
    ...chain.flatMap((place) => gapsOfJob(place, circumstances)),
  ];
}

function stepRuns(
  { condition }: Step,
  { events, repository }: Circumstances,
): 'always' | 'never' | 'sometimes' {
  const truths = events.map((event) => holds(condition, { event, repository, succeeded: true }));
  if (truths.every((truth) => truth === true)) return 'always';
  return truths.every((truth) => truth === false) ? 'never' : 'sometimes';
}

function gapsOfStep(
  { condition = '', continueOnError }: Step,
  alwaysRuns: boolean,
  job: Job,
): readonly Gap[] {
  return [
    ...(mayBeTrue(continueOnError) ? [{ kind: 'continue-on-error', of: 'step', job } as const] : []),
    ...(alwaysRuns ? [] : [{ kind: 'step-condition', condition } as const]),
  ];
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
