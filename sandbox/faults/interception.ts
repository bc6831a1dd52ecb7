/**
 * An answer of a fake server. An object is sent as JSON, a string or a buffer as it is, and undefined as an empty body.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A fault in an exchange. The request is processed, unless the name ends in `-before`.
 * - `reset` breaks the connection.
 * - `close` ends the connection in order, without an answer.
 * - `hang` keeps the connection open, without an answer.
 * - `hang-body` stops in the middle of the body, and keeps the connection open.
 * - `cut-body` and `cut-chunked` end the connection in the middle of the body, with and without a content length.
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
 * What replaces the normal exchange: an answer is sent without processing the request, a fault breaks the exchange, and
 * `rewrite` changes the real answer.
 */
export type Interception =
  | Answer
  | { readonly fault: Fault }
  | { readonly rewrite: (answer: Answer) => Answer };

/** Returns the answer after an interception. Undefined if a fault prevents the request from being processed. */
export async function answerThrough(
  interception: Interception | undefined,
  process: () => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  if (interception === undefined) return process();
  if ('status' in interception) return interception;
  if ('rewrite' in interception) return interception.rewrite(await process());
  return interception.fault.endsWith('-before') ? undefined : process();
}
