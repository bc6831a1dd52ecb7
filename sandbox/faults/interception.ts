/** An answer of a fake server. An object is sent as JSON, a string or a buffer unchanged, undefined as no body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * A fault in an exchange. With `-before` the request is not processed; with all others it
 * is. `reset`: the connection breaks. `close`: it ends in order, without an answer. `hang`: it stays open for ever.
 * The answer `hang-body` stays open in the middle of its body; `cut-body` and `cut-chunked` end there, with and without
 * a content length.
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

/** An answer replaces processing, a fault breaks it, `rewrite` changes the real answer. */
export type Interception =
  | Answer
  | { readonly fault: Fault }
  | { readonly rewrite: (answer: Answer) => Answer };

/** The answer after the interception. Undefined where the fault happens before processing. */
export async function answerThrough(
  interception: Interception | undefined,
  process: () => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  if (interception === undefined) return process();
  if ('status' in interception) return interception;
  if ('rewrite' in interception) return interception.rewrite(await process());
  return interception.fault.endsWith('-before') ? undefined : process();
}
