import type { IncomingHttpHeaders } from 'node:http';

/** A request with its body read as text. */
export interface RawRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the body is larger than the service reads. */
  readonly text: string | undefined;
  /** Where the service listens, such as `http://127.0.0.1:8080`. Undefined without a server. */
  readonly origin?: string;
}
