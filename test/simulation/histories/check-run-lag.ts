import type { Answer } from '../../../sandbox/faults/interception.ts';
import { isObject } from '../../../sandbox/json.ts';
import type { VirtualTime } from '../../support/driver/virtual-time.ts';

/** Removes the check runs that GitHub does not list yet from an answer. Other answers do not change. */
export type CheckRunLag = (point: string, answer: Answer) => Answer;

/** @param lagMs how long GitHub does not list the next new check run */
export function createCheckRunLag({ now }: VirtualTime, lagMs: () => number): CheckRunLag {
  const visibleFrom = new Map<unknown, number>();
  return (point, answer) => {
    const { body } = answer;
    if (!isObject(body)) return answer;
    if (point === 'check.create') visibleFrom.set(body['id'], now() + lagMs());
    const runs: unknown = body['check_runs'];
    if (point !== 'check.list' || !Array.isArray(runs)) return answer;
    const visible = runs.filter((run) => isObject(run) && (visibleFrom.get(run['id']) ?? 0) <= now());
    return { ...answer, body: { ...body, total_count: visible.length, check_runs: visible } };
  };
}
