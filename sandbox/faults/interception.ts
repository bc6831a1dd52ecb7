/** What a stand-in answers. An object is sent as JSON, a string or a buffer as it is, undefined as no body. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * What happens to an exchange instead of its answer. With `-before` the request is not processed; with all others it
 * is. `reset`: the connection breaks. `close`: it ends in good order, without a word. `hang`: it stays open for ever.
 * The answer `hang-body` stays open in the middle of its body; `cut-body` and `cut-chunked` end there, with and without
 * a length that was promised.
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

/** An answer takes the place of processing; a fault breaks it; `rewrite` changes what was really answered. */
export type Interception =
  | Answer
  | { readonly fault: Fault }
  | { readonly rewrite: (answer: Answer) => Answer };

/** What is left of the answer; undefined where the fault comes before the work. */
export async function answerThrough(
  interception: Interception | undefined,
  process: () => Answer | Promise<Answer>,
): Promise<Answer | undefined> {
  if (interception === undefined) return process();
  if ('status' in interception) return interception;
  if ('rewrite' in interception) return interception.rewrite(await process());
  return interception.fault.endsWith('-before') ? undefined : process();
}
