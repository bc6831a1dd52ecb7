/**
 * An answer of a fake server. A body that is a string or a buffer is sent unchanged. If the body is undefined, an empty
 * body is sent. Everything else is sent as JSON.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A fault in an exchange. If the name ends in `-before`, the request is not processed. Otherwise it is processed.
 * - `reset` breaks the connection.
 * - `close` sends no answer, and closes the connection normally.
 * - `hang` sends no answer, and keeps the connection open.
 * - `hang-body` stops in the middle of the body, and keeps the connection open.
 * - `cut-body` closes the connection in the middle of the body. The answer has a `Content-Length`.
 * - `cut-chunked` closes the connection in the middle of the body. The answer has no `Content-Length`.
 */
export type Fault =
  | 'reset-before'
  | 'reset-after'
  | 'close-before'
  | 'close-after'
  | 'hang-before'
  | 'hang-after'
  | 'hang-body'
  | 'cut-body'
  | 'cut-chunked';

/**
 * What replaces the normal exchange.
 * - An answer is sent instead of the real answer. The request is not processed.
 * - A fault breaks the exchange.
 * - `rewrite` changes the real answer.
 */
export type Interception =
  | Answer
  | { readonly fault: Fault }
  | { readonly rewrite: (answer: Answer) => Answer };

/**
 * Returns the answer. The interception may have replaced or rewritten it. Undefined if a fault prevents the request
 * from being processed.
 */
export async function answerThrough(
  interception: Interception | undefined,
  process: () => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  if (interception === undefined) return process();
  if ('status' in interception) return interception;
  if ('rewrite' in interception) return interception.rewrite(await process());
  return interception.fault.endsWith('-before') ? undefined : process();
}
