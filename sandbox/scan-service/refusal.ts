import type { Answer } from '../faults/interception.ts';

/** A refused request. Refusals are expected answers, so they are returned and never thrown. */
export class Refusal {
  /** All refusals have an error body of this form. */
  readonly answer: Answer;

  constructor(status: number, code: string, message: string, headers: Answer['headers'] = {}) {
    this.answer = { status, headers, body: { error: { code, message } } };
  }
}

export function badRequest(message: string): Refusal {
  return new Refusal(400, 'bad_request', message);
}

/**
 * Makes the answer to a missing, malformed, unknown, expired or revoked token. The message is the same for all of them.
 */
export function unauthorized(): Refusal {
  return new Refusal(401, 'unauthorized', 'A valid API token is required.');
}

export function forbidden(scope: string): Refusal {
  return new Refusal(403, 'forbidden', `The token lacks the scope ${scope}.`);
}

/**
 * Makes the answer for a record that does not exist. A record outside of the token's allowlist gets the same answer. So
 * callers cannot find out which ids exist.
 */
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
