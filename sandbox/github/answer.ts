import type { Answer } from '../faults/interception.ts';

/** Makes a refusal in the form of GitHub's errors. */
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

/** Answers with a record, or with 404 if there is none. */
export function found(body: unknown): Answer {
  return body === undefined ? NOT_FOUND : { status: 200, body };
}

/** Makes GitHub's 422 for a request that does not match the schema of the endpoint. */
export function invalidRequest(...problems: readonly string[]): Answer {
  return refuse(422, `Invalid request.\n\n${problems.join('\n')}`);
}

/** Makes GitHub's 422 for a request that matches the schema, but breaks a rule of the resource. */
export function validationFailed(error: {
  readonly resource: string;
  readonly code: string;
  readonly field: string;
  readonly message?: string;
}): Answer {
  return refuse(422, 'Validation Failed', [error]);
}
