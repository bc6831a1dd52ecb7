import type { Answer } from '../faults/interception.ts';

/** A refusal in GitHub's envelope. */
export function refuse(status: number, message: string, errors?: readonly unknown[]): Answer {
  const body = {
    message,
    ...(errors === undefined ? {} : { errors }),
    documentation_url: 'https://docs.github.com/rest',
    status: String(status),
  };
  return { status, body };
}

export const NOT_FOUND = refuse(404, 'Not Found');

/** A 422 in GitHub's words for a request that does not fit the endpoint's schema. */
export function invalidRequest(...problems: readonly string[]): Answer {
  return refuse(422, `Invalid request.\n\n${problems.join('\n')}`);
}

/** A 422 in GitHub's words for a request that fits the schema but breaks a rule of the resource. */
export function validationFailed(error: {
  readonly resource: string;
  readonly code: string;
  readonly field: string;
  readonly message?: string;
}): Answer {
  return refuse(422, 'Validation Failed', [error]);
}
