import type { Interception } from '../../sandbox/faults/interception.ts';
import type { OtherJobs } from './other-jobs.ts';

/** A request of the action, as an effect sees it. */
export interface Asked {
  readonly point: string;
  /** The scan in the path. Empty if there is none. */
  readonly scanId: string;
  readonly path: string;
  readonly body: unknown;
  /** The age of the run in milliseconds. */
  readonly ms: number;
}

type Result = Interception | undefined;

/** Changes the pull request, the service or GitHub. May return what replaces the normal exchange of a request. */
export type Act<Jobs = OtherJobs> = (jobs: Jobs, asked: Asked) => Result | Promise<Result>;

/** What happens at a request: all acts in their order. The last interception replaces the normal exchange. */
export type Effect<Jobs = OtherJobs> = Interception | Act<Jobs> | readonly (Interception | Act<Jobs>)[];

/**
 * What happens at which requests of a run. A key has the kinds of requests, and the first and the last request of these
 * kinds to which the effect applies. All kinds of a key are counted together. A kind can have the id of a scan.
 *
 * `graphql|pulls.read 1-6`, `scans.read/own-1 2-`, `check.list`
 */
export type Timeline<Jobs = OtherJobs> = Readonly<Record<string, Effect<Jobs>>>;

/** A timeline that counts the requests of a run. */
export interface StartedTimeline<Jobs> {
  /** Applies the effects of a request. */
  meet(jobs: Jobs, asked: Asked): Promise<Interception | undefined>;
  /** The keys for which no request came. */
  unused(): readonly string[];
}

/** Counts the requests from now on. */
export function startTimeline<Jobs = OtherJobs>(timeline: Timeline<Jobs>): StartedTimeline<Jobs> {
  const rows = Object.entries(timeline).map(([key, effect]) => ({ key, isDue: readKey(key), effect }));
  const used = new Set<string>();
  return {
    unused: () => rows.map(({ key }) => key).filter((key) => !used.has(key)),
    async meet(jobs, asked) {
      const due = rows.filter(({ isDue }) => isDue(asked));
      let result: Interception | undefined;
      for (const { key, effect } of due) {
        used.add(key);
        result = (await apply(effect, jobs, asked)) ?? result;
      }
      return result;
    },
  };
}

/** Applies an effect. Returns the interception of the last act that has one. */
export async function apply<Jobs = OtherJobs>(
  effect: Effect<Jobs>,
  jobs: Jobs,
  asked: Asked,
): Promise<Interception | undefined> {
  let result: Interception | undefined;
  for (const one of [effect].flat()) {
    const given = typeof one === 'function' ? await one(jobs, asked) : one;
    result = given ?? result;
  }
  return result;
}

function readKey(key: string): (asked: Asked) => boolean {
  const [, kinds = '', from, dash, to] = /^(\S+)(?: (\d+)(?:(-)(\d+)?)?)?$/.exec(key) ?? [];
  if (kinds === '') throw new Error(`the key ${key} of a timeline is not valid`);
  const first = Number(from ?? 1);
  const last = from === undefined || (dash && !to) ? Number.POSITIVE_INFINITY : Number(to ?? from);
  let count = 0;
  return ({ point, scanId }) => {
    if (!kinds.split('|').some((kind) => kind === point || kind === `${point}/${scanId}`)) return false;
    count += 1;
    return count >= first && count <= last;
  };
}
