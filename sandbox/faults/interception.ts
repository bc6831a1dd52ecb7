/**
 * An answer of a fake server. An object is sent as JSON, a string or a buffer unchanged, and undefined as an empty
 * body.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A fault in an exchange. With `-before`, the request is not processed. With all others, it is. `reset` breaks the
 * connection. `close` ends it in order, without an answer. `hang` keeps it open for ever. The answer `hang-body` stays
 * open in the middle of its body. `cut-body` and `cut-chunked` end there, with and without a content length.
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
 * An answer replaces the processing of the request, a fault breaks the exchange, and `rewrite` changes the real answer.
 */
export type Interception =
  | Answer
  | { readonly fault: Fault }
  | { readonly rewrite: (answer: Answer) => Answer };

/** The answer after the interception. Undefined if the fault happens before the request is processed. */
export async function answerThrough(
  interception: Interception | undefined,
  process: () => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  if (interception === undefined) return process();
  if ('status' in interception) return interception;
  if ('rewrite' in interception) return interception.rewrite(await process());
  return interception.fault.endsWith('-before') ? undefined : process();
}
