import * as v from 'valibot';
import type { ListEntry } from '../domain/project.ts';
import { err, ok, type Result } from '../domain/result.ts';

/** The decoded value, or an error that says which member does not match the contract. */
export type Decoded<T> = Result<T, string>;

/**
 * Validates a body, or the value at `place` in the body. The error names a member, and never contains received text.
 */
export function decode<const S extends v.GenericSchema>(
  schema: S,
  json: unknown,
  place = '',
): Decoded<v.InferOutput<S>> {
  const result = v.safeParse(schema, json, { abortEarly: true });
  if (result.success) return ok(result.output);
  const [issue] = result.issues;
  const member = [place, v.getDotPath(issue)].filter(Boolean).join('.') || 'body';
  if (issue.received === 'undefined') return err(`\`${member}\` is missing`);
  const wanted = issue.kind === 'schema' && issue.type !== 'custom' ? issue.expected : issue.message;
  return err(`\`${member}\` is not ${wanted}`);
}

/**
 * Parses each entry of the list by itself, so that one malformed entry does not make the whole list invalid.
 * `readable` reads the valid members of a malformed entry, and must accept any record.
 */
export function decodeEntries<Entry extends object>(
  json: unknown,
  list: string,
  schema: v.GenericSchema<unknown, Entry>,
  readable: v.GenericSchema<unknown, { readonly [Member in keyof Entry]?: Entry[Member] | undefined }>,
): Decoded<readonly ListEntry<Entry>[]> {
  const decoded = decode(v.object({ [list]: v.array(v.unknown()) }), json);
  if (!decoded.ok) return decoded;
  return ok(
    (decoded.value[list] ?? []).map((item, index) => {
      const entry = decode(schema, item, `${list}.${index}`);
      if (entry.ok) return entry.value;
      const shown = v.safeParse(readable, item);
      return { fault: entry.error, readable: shown.success ? shown.output : {} };
    }),
  );
}
