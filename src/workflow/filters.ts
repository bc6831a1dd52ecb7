import { matchesPath, readPathPatterns } from '../domain/path-patterns.ts';
import type { GateCheck } from './check.ts';
import { eventsOf } from './check.ts';
import { membersOf, textsOf } from './workflow.ts';

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
