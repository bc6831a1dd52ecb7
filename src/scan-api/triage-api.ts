import { err, type Result } from '../domain/result.ts';
import { createPause, withRetry } from '../http/with-retry.ts';
import type { ApiError, Operation } from './api-error.ts';
import type { ScanApiOptions } from './client.ts';
import type { Decoded } from './decode.ts';
import { createHttp, type HttpAnswer } from './http.ts';
import { pathSegment as segment } from './opaque-id.ts';
import { afterFailedCall, READ_ATTEMPTS, SEND_ATTEMPTS } from './retry.ts';
import type { CallOptions } from './scan-api.ts';
import { decodeChanged, decodeNotes, type FindingNotes, resolutionBody } from './wire-triage.ts';

/** A change of one finding, by its full id. */
export interface ResolutionChange {
  readonly findingId: string;
  /** One of the service's words. */
  readonly status: string;
  /** Markdown, at least 1 character. */
  readonly note: string;
}

/** What triage writes, with a token of its own: the gate has no such call. */
export interface TriageApi {
  /**
   * Sends one change. It is sent again only where the service surely did not act, up to three times in all; an
   * ambiguous answer is the caller's to look into. A 200 that names another finding or status is no success.
   */
  changeResolution(
    projectId: string,
    change: ResolutionChange,
    options: CallOptions,
  ): Promise<Result<undefined, ApiError>>;
  /** What the service shows of one finding now: up to four attempts. */
  readNotes(
    projectId: string,
    findingId: string,
    options: CallOptions,
  ): Promise<Result<FindingNotes, ApiError>>;
}

export function createTriageApi(options: Omit<ScanApiOptions, 'onLongList'>): TriageApi {
  const { clock, random } = options;
  const http = createHttp(options);
  const pause = createPause(clock);
  const findingPath = (projectId: string, findingId: string) =>
    `/projects/${segment(projectId)}/findings/${segment(findingId)}`;

  function decoded<T>(operation: Operation, { status }: HttpAnswer, value: Decoded<T>): Result<T, ApiError> {
    if (value.ok) return value;
    const [problem, detail] = ['wrong-shape' as const, http.redact(value.error)];
    return err({ kind: 'invalid', operation, status, problem, detail, retryAfterSeconds: undefined });
  }

  function repeated<T>(
    signal: AbortSignal,
    policy: { readonly attempts: number; readonly onceAccepted: boolean },
    call: (attempt: number) => Promise<Result<T, ApiError>>,
  ): Promise<Result<T, ApiError>> {
    const afterFailure = (error: ApiError, made: number) =>
      afterFailedCall(error, made, { ...policy, random });
    return withRetry({ clock, signal, pause, afterFailure }, call);
  }

  return {
    changeResolution: (projectId, { findingId, status, note }, { signal }) =>
      repeated(signal, { attempts: SEND_ATTEMPTS, onceAccepted: true }, async (attempt) => {
        const operation = 'change the resolution of a finding';
        const path = `${findingPath(projectId, findingId)}/resolution`;
        const body = resolutionBody(status, note);
        const answer = await http.request({ operation, method: 'PATCH', path, body, signal, attempt });
        if (!answer.ok) return answer;
        const said = decodeChanged(answer.value.json, { findingId, status });
        return decoded(operation, answer.value, said);
      }),

    readNotes: (projectId, findingId, { signal }) =>
      repeated(signal, { attempts: READ_ATTEMPTS, onceAccepted: false }, async (attempt) => {
        const operation = 'read a finding';
        const path = findingPath(projectId, findingId);
        const answer = await http.request({ operation, method: 'GET', path, signal, attempt });
        return answer.ok ? decoded(operation, answer.value, decodeNotes(answer.value.json)) : answer;
      }),
  };
}
