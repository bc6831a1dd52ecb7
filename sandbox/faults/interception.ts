/**
 * An answer of a fake server. A body that is a string or a buffer is sent as it is. Any other body is sent as JSON, and
 * an undefined body is empty.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A fault in an exchange. If the name ends in `-before`, the request is not processed; otherwise it is processed.
 * - `reset` breaks the connection.
 * - `close` closes the connection normally, without an answer.
 * - `hang` keeps the connection open, without an answer.
 * - `hang-body` stops in the middle of the body, and keeps the connection open.
 * - `cut-body` ends the connection in the middle of a body with a content length.
 * - `cut-chunked` ends the connection in the middle of a body without a content length.
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
 * - An answer is sent in place of the real one. The request is not processed.
 * - A fault breaks the exchange.
 * - `rewrite` changes the real answer.
 */
export type Interception =
  | Answer
  | { readonly fault: Fault }
  | { readonly rewrite: (answer: Answer) => Answer };

/**
 * Returns the answer, replaced or rewritten by the interception. Undefined if a fault prevents the request from being
 * processed.
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
