import * as v from 'valibot';

/** An error as plain data, with the members that classify it. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly syscall?: string;
  readonly cause?: ErrorData;
}

export const ErrorData: v.GenericSchema<unknown, ErrorData> = v.object({
  name: v.string(),
  message: v.string(),
  code: v.exactOptional(v.string()),
  syscall: v.exactOptional(v.string()),
  cause: v.exactOptional(v.lazy(() => ErrorData)),
});

export function errorData(thrown: unknown): ErrorData {
  if (!(thrown instanceof Error)) return { name: typeof thrown, message: String(thrown) };
  const text = (member: string) => {
    const value: unknown = Reflect.get(thrown, member);
    return typeof value === 'string' ? { [member]: value } : {};
  };
  return {
    name: thrown.name,
    message: withoutPort(thrown.message),
    ...text('code'),
    ...text('syscall'),
    ...(thrown.cause === undefined ? {} : { cause: errorData(thrown.cause) }),
  };
}

/** Recreates the error from its data. */
export function errorOf({ name, message, cause, ...rest }: ErrorData): Error {
  const options = cause === undefined ? {} : { cause: errorOf(cause) };
  const error = name === 'TypeError' ? new TypeError(message, options) : new Error(message, options);
  return Object.assign(error, error.name === name ? rest : { name, ...rest });
}

function withoutPort(message: string): string {
  return message.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1');
}
