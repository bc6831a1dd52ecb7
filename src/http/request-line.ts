/** One request, as far as the debug log shows it: nothing of what was sent, and of the answer its status alone. */
export interface RequestTrace {
  readonly method: string;
  /** The form of its path: without ids, names and the query. */
  readonly route: string;
  /** A status, a kind of failure, or both. */
  readonly end: string;
  readonly attempt: number;
  readonly ms: number;
}

/** Writes a line of the debug log. */
export type Debug = (line: string) => void;

/** A request as one line. */
export function requestLine({ method, route, end, attempt, ms }: RequestTrace): string {
  return `${method} ${route}: ${end}, attempt ${attempt}, ${Math.round(ms)} ms`;
}
