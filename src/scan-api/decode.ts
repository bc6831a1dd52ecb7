import * as v from 'valibot';
import { err, ok, type Result } from '../domain/result.ts';

/** What was decoded, or which member is not what the contract says. */
export type Decoded<T> = Result<T, string>;

/** Parses a body. The fault names the member and never repeats what was received. */
export function decode<const S extends v.GenericSchema>(schema: S, json: unknown): Decoded<v.InferOutput<S>> {
  const result = v.safeParse(schema, json, { abortEarly: true });
  if (result.success) return ok(result.output);
  const [issue] = result.issues;
  const member = v.getDotPath(issue) ?? 'body';
  if (issue.received === 'undefined') return err(`\`${member}\` is missing`);
  const wanted = issue.kind === 'schema' && issue.type !== 'custom' ? issue.expected : issue.message;
  return err(`\`${member}\` is not ${wanted}`);
}
