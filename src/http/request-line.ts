/** One request in the debug log. Of the answer, the log shows only the status. It shows no headers and no bodies. */
export interface RequestTrace {
  readonly method: string;
  /** The path without ids, names and a query. */
  readonly route: string;
  /** A status, a kind of failure, or both. */
  readonly end: string;
  readonly attempt: number;
  readonly ms: number;
}

/** Writes a line of the debug log. */
export type Debug = (line: string) => void;

/** Describes a request in one line. */
export function requestLine({ method, route, end, attempt, ms }: RequestTrace): string {
  return `${method} ${route}: ${end}, attempt ${attempt}, ${Math.round(ms)} ms`;
}
