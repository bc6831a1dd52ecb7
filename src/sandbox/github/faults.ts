import type { JsonObject } from '../json.ts';

/** A stable name for each kind of request, whatever its path. */
export type Point =
  | 'compare'
  | 'ref'
  | 'check.create'
  | 'check.update'
  | 'check.list'
  | 'pulls.read'
  | 'comments.list'
  | 'comments.create'
  | 'comments.update'
  | 'comments.delete'
  | 'permission'
  | 'user'
  | 'graphql'
  | 'git'
  | 'unknown';

/** A request as the log keeps it. */
export interface LoggedRequest {
  readonly method: string;
  /** As it was sent, the query included. */
  readonly path: string;
  readonly point: Point;
  /** How many requests of this point there were, this one included. */
  readonly count: number;
  /** Parsed JSON; undefined for git and for requests without a body. */
  readonly body: unknown;
  readonly caller: 'token' | 'stranger' | 'nobody';
}

/** What happens instead of the right answer; undefined where nothing does. */
export type Fault =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: JsonObject | string;
    }
  /** The connection breaks before the request did anything, or after it did everything. */
  | { readonly fault: 'reset-before' | 'reset-after' }
  /** No answer, until the client gives up or the server closes. */
  | { readonly fault: 'hang' };

export type Intercept = (request: LoggedRequest) => Fault | undefined | Promise<Fault | undefined>;
