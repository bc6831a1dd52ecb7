import type { IncomingHttpHeaders } from 'node:http';

/** A request whose body was read as text. */
export interface RawRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the body exceeds the limit of the service. */
  readonly text: string | undefined;
  /**
   * The origin of the service, such as `http://127.0.0.1:8080`. Undefined if the request did not come through a server.
   */
  readonly origin?: string;
}
