import { isObject } from '../../../sandbox/json.ts';
import type { JobPlan } from './job.ts';
import type { Exchange } from './network.ts';
import type { SimulatedHistory } from './simulated-history.ts';

/** Matches the start of a mark: its version, the id of the scan, and the number of the pull request. */
const MARK = /\bv2:(scan_[0-9a-f]+):(\d+|-):/g;

function scansIn(text: string, pull?: number): readonly string[] {
  return [...text.matchAll(MARK)].flatMap(([, id, of]) =>
    pull === undefined || of === String(pull) ? (id ?? []) : [],
  );
}

/** When a check run of the commit first had the mark of a scan. */
export function firstMarkedAt(exchanges: readonly Exchange[], scanId: string, headSha: string): number {
  const written = exchanges.find(
    (exchange) =>
      wroteCheckRun(exchange) &&
      scansIn(exchange.text).includes(scanId) &&
      (exchange.point === 'check.update' || exchange.text.includes(headSha)),
  );
  return written?.arrivedAt ?? Number.POSITIVE_INFINITY;
}

function wroteCheckRun({ side, point, answer, arrivedAt }: Exchange): boolean {
  return (
    side === 'github' &&
    (point === 'check.create' || point === 'check.update') &&
    arrivedAt !== undefined &&
    (answer?.status === 201 || answer?.status === 200)
  );
}

/** Whether, before `until`, a re-run replaced the mark of the scan in the check run of its earlier attempt. */
export function isReplaced({ exchanges }: SimulatedHistory, scanId: string, until: number): boolean {
  const marked = exchanges.find(
    (exchange) => wroteCheckRun(exchange) && scansIn(exchange.text).includes(scanId),
  );
  const body: unknown = marked?.answer?.body;
  if (!isObject(body)) return false;
  return exchanges.some(
    (exchange) =>
      wroteCheckRun(exchange) &&
      exchange.path.endsWith(`/check-runs/${body['id']}`) &&
      exchange.process.run !== marked?.process.run &&
      (exchange.arrivedAt ?? until) < until &&
      scansIn(exchange.text).some((id) => id !== scanId),
  );
}

/** Whether the copier overwrote the mark of this scan. */
export function isOverwritten({ copies }: Pick<SimulatedHistory, 'copies'>, scanId: string): boolean {
  return copies.overwritten.some(({ mark }) => scansIn(mark).includes(scanId));
}

/**
 * The scans whose marks GitHub showed to `main` of a job before `until`. The marks were in a check run of the head or
 * in a comment.
 * @param pull only marks of this pull request count; default: all
 */
export function marksShownTo(
  exchanges: readonly Exchange[],
  { number, headSha }: Pick<JobPlan, 'number' | 'headSha'>,
  until: number,
  pull?: number,
): readonly string[] {
  return exchanges
    .filter(
      ({ process, endedAt }) =>
        process.run === number && process.phase === 'main' && endedAt !== undefined && endedAt <= until,
    )
    .flatMap((exchange) => marksShownBy(exchange, headSha, pull));
}

function marksShownBy(
  { side, point, path, fault, answer, received }: Exchange,
  headSha: string,
  pull: number | undefined,
): readonly string[] {
  if (side !== 'github' || fault !== undefined || answer?.status !== 200 || !received) return [];
  const isOfHead = point === 'check.list' && path.includes(headSha);
  if (!isOfHead && point !== 'comments.list' && point !== 'graphql') return [];
  // GraphQL also shows the check runs of the previous head. A copy of a mark on another commit does not count.
  const isOther = (key: string) => point === 'graphql' && key === 'previous';
  return scansIn(
    JSON.stringify(answer.body, (key, value: unknown) => (isOther(key) ? undefined : value)),
    pull,
  );
}

/**
 * When the first request of `main` for the head's check runs ended, even if the request failed. 0 if there was no such
 * request.
 */
export function firstListedAt(
  exchanges: readonly Exchange[],
  { number, headSha }: Pick<JobPlan, 'number' | 'headSha'>,
): number {
  const listed = exchanges.find(
    ({ process, point, path, endedAt }) =>
      process.run === number &&
      process.phase === 'main' &&
      point === 'check.list' &&
      path.includes(headSha) &&
      endedAt !== undefined,
  );
  return listed?.endedAt ?? 0;
}

/** When GitHub last listed the head's check runs for `main` of a job before `until`. */
export function lastListedAt(
  exchanges: readonly Exchange[],
  { number, headSha }: Pick<JobPlan, 'number' | 'headSha'>,
  until: number,
): number | undefined {
  return exchanges.findLast(
    ({ process, point, path, fault, answer, received, endedAt }) =>
      process.run === number &&
      process.phase === 'main' &&
      point === 'check.list' &&
      path.includes(headSha) &&
      fault === undefined &&
      answer?.status === 200 &&
      received &&
      endedAt !== undefined &&
      endedAt <= until,
  )?.arrivedAt;
}
