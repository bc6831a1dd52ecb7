import type { Answer } from '../faults/interception.ts';

/** A refused request. It is an expected answer, so it is returned, and never thrown. */
export class Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.headers = headers;
  }

  /** The envelope that every error has. */
  answer(): Answer {
    const { status, code, message, headers } = this;
    return { status, headers, body: { error: { code, message } } };
  }
}

export function badRequest(message: string): Refusal {
  return new Refusal(400, 'bad_request', message);
}

/** The message is the same for a missing, malformed, unknown, expired or revoked token. */
export function unauthorized(): Refusal {
  return new Refusal(401, 'unauthorized', 'A valid API token is required.');
}

export function forbidden(scope: string): Refusal {
  return new Refusal(403, 'forbidden', `The token lacks the scope ${scope}.`);
}

/** Also used for records outside the token's allowlist, so that ids cannot be probed. */
export function notFound(what: string): Refusal {
  return new Refusal(404, 'not_found', `${what} was not found.`);
}

export function conflict(message: string): Refusal {
  return new Refusal(409, 'conflict', message);
}

export function rateLimited(message: string, waitMs: number): Refusal {
  return new Refusal(429, 'rate_limited', message, {
    'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))),
  });
}
