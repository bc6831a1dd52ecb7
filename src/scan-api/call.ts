import { err, type Result } from '../domain/result.ts';
import { createPause, withRetry } from '../http/retry.ts';
import type { ApiError, InvalidAnswer, Operation } from './api-error.ts';
import { createHttp, type HttpAnswer, type HttpOptions, type HttpRequest } from './http.ts';
import type { Decoded } from './lookup.ts';
import { isOversize } from './paginate.ts';
import { type Patience, waitPatiently } from './patience.ts';
import { afterFailedCall, READ_ATTEMPTS } from './retry.ts';

/** The signal ends the call and its waits. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

export interface Call<T> extends Omit<HttpRequest, 'attempt' | 'method'> {
  /** Default: GET. */
  readonly method?: HttpRequest['method'];
  /** Makes the value of an answer. */
  readonly decode: (json: unknown, answer: HttpAnswer) => Decoded<T>;
  /** How many attempts the call may take. Default: `READ_ATTEMPTS`. */
  readonly attempts?: number;
  /** Replaces `attempts`. */
  readonly patience?: Patience | undefined;
  /** If true, a request that the service may have acted on is not repeated. */
  readonly onceAccepted?: boolean;
  /** If true, the call and the other calls do not wait for each other's rate limits. */
  readonly atOnce?: boolean;
  /** Called when the service asks for a wait. Its promise resolves before the request is repeated. */
  readonly onThrottled?: (() => Promise<void>) | undefined;
}

export interface CallerOptions extends HttpOptions {
  readonly random: () => number;
}

/**
 * Creates the function that makes all calls to the service: sends the request, repeats it if that is safe and useful,
 * and decodes the answer. A failure is a value. `invalid` makes the failure of an answer that does not match the
 * contract.
 */
export function createCaller(options: CallerOptions) {
  const { clock, random } = options;
  const http = createHttp(options);
  const sharedPause = createPause(clock);

  const invalid = (
    operation: Operation,
    status: number,
    problem: InvalidAnswer['problem'],
    detail: string,
  ): InvalidAnswer => ({
    kind: 'invalid',
    operation,
    status,
    problem,
    detail: http.redact(detail),
    retryAfterSeconds: undefined,
  });

  function call<T>({ decode, onThrottled, patience, ...request }: Call<T>): Promise<Result<T, ApiError>> {
    const { operation, signal, method = 'GET' } = request;
    const { attempts = READ_ATTEMPTS, onceAccepted = false, atOnce = false } = request;
    const pause = atOnce ? createPause(clock) : sharedPause;
    let turn: Promise<void> | undefined;
    const afterFailure = (error: ApiError, made: number) => {
      const after = afterFailedCall(error, made, { attempts, onceAccepted, random });
      // A page that is too large is asked for in a smaller size.
      if (patience !== undefined && !isOversize(error)) {
        const waitMs = waitPatiently(patience, error, random);
        return { ...after, again: waitMs !== undefined, waitMs: waitMs ?? 0 };
      }
      if (after.again && after.forAll) turn = onThrottled?.();
      return after;
    };
    return withRetry({ clock, signal, pause, afterFailure }, async (attempt) => {
      if (turn !== undefined) {
        await turn;
        // While this request waited for its turn, the service may have asked all requests to wait.
        await pause.over(signal);
      }
      const answer = await http.request({ ...request, method, attempt });
      if (!answer.ok) return answer;
      const value = decode(answer.value.json, answer.value);
      return value.ok ? value : err(invalid(operation, answer.value.status, 'wrong-shape', value.error));
    });
  }
  return { call, invalid };
}
