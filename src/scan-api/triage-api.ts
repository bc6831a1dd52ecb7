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

/** A new status and a note for one finding. */
export interface ResolutionChange {
  readonly findingId: string;
  /** A status from the service's contract. */
  readonly status: string;
  /** Markdown with at least one character. */
  readonly note: string;
}

/** The triage action's requests about findings. They use a token of their own, which the gate does not have. */
export interface TriageApi {
  /**
   * Changes the status of one finding, in up to three attempts. Repeats the request only if the service certainly did
   * not act. If the answer does not show whether the service acted, the caller has to read the finding again.
   *
   * A 200 answer that names another finding, or another status than the new one, is an error.
   */
  changeResolution(
    projectId: string,
    change: ResolutionChange,
    options: CallOptions,
  ): Promise<Result<undefined, ApiError>>;
  /** Reads the status and the notes of one finding, in up to four attempts. */
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
