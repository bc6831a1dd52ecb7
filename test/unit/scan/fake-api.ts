import { err, ok, type Result } from '../../../src/domain/result.ts';
import type { Scan } from '../../../src/domain/scan.ts';
import type { ApiError, InvalidAnswer, Refused, Unreachable } from '../../../src/scan-api/api-error.ts';
import type { PolledScan } from '../../../src/scan-api/client.ts';

export const HEAD = 'b'.repeat(40);
export const BASE = 'a'.repeat(40);

/** Answers each call with the next of the given values. A call after the last value fails the test. */
export function answers<T>(...values: Result<T, ApiError>[]) {
  const calls: unknown[][] = [];
  const call = async (...parameters: unknown[]): Promise<Result<T, ApiError>> => {
    calls.push(parameters);
    const answer = values.shift();
    if (answer === undefined) throw new Error('asked once too often');
    return answer;
  };
  return Object.assign(call, { calls });
}

export function refused(status: number, code: string, extra: Partial<Refused> = {}) {
  return err<ApiError>({
    kind: 'refused',
    operation: 'launch the scan',
    status,
    code,
    message: '',
    retryAfterSeconds: undefined,
    ...extra,
  });
}

export function invalid(status: number, problem: InvalidAnswer['problem']) {
  return err<ApiError>({
    kind: 'invalid',
    operation: 'launch the scan',
    status,
    problem,
    detail: 'detail',
    retryAfterSeconds: undefined,
  });
}

export function unreachable(sent: 'no' | 'unknown', cause: Unreachable['cause']) {
  return err<ApiError>({ kind: 'unreachable', operation: 'launch the scan', sent, cause, detail: 'detail' });
}

export function stopped(by: 'timeout' | 'signal', sent: 'no' | 'unknown' = 'unknown') {
  return err<ApiError>({ kind: 'stopped', operation: 'launch the scan', sent, by });
}

export function aScan(status: string, shown: Partial<Scan> = {}): Scan {
  return {
    id: 's',
    status,
    repositoryId: undefined,
    presetRef: undefined,
    baseSha: undefined,
    headSha: undefined,
    createdAt: undefined,
    creditBudget: undefined,
    areas: undefined,
    guidance: undefined,
    progress: {
      phasesCompleted: undefined,
      phasesTotal: undefined,
      weighted: undefined,
      reservedCredits: undefined,
    },
    ...shown,
  };
}

export function polled(scan: Scan, retryAfterMs?: number) {
  return ok<PolledScan>({ scan, retryAfterMs });
}
