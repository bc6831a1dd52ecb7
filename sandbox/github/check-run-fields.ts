import type { Answer } from '../faults/interception.ts';
import type { JsonObject } from '../json.ts';
import { invalidRequest, validationFailed } from './answer.ts';

const CONCLUSIONS = [
  'action_required',
  'cancelled',
  'failure',
  'neutral',
  'success',
  'skipped',
  'timed_out',
] as const;
/** The statuses that an app may set. GitHub reserves `waiting`, `requested` and `pending` for GitHub Actions. */
const STATUSES = ['queued', 'in_progress', 'completed'] as const;

export type Conclusion = (typeof CONCLUSIONS)[number];
export type Status = (typeof STATUSES)[number];

/** The checked members of a request, without `output`. A member is undefined if the request does not have it. */
export interface CheckRunFields {
  readonly name: string | undefined;
  readonly headSha: string | undefined;
  readonly externalId: string | undefined;
  readonly detailsUrl: string | undefined;
  readonly status: Status | undefined;
  readonly conclusion: Conclusion | undefined;
  readonly startedAt: string | undefined;
  readonly completedAt: string | undefined;
}

const TEXTS = [
  'name',
  'head_sha',
  'external_id',
  'details_url',
  'status',
  'conclusion',
  'started_at',
  'completed_at',
];

/**
 * Reads the body of a request for a check run. Refuses an invalid body with GitHub's 422. A conclusion completes the
 * check run.
 */
export function readCheckRunFields(
  body: JsonObject,
  required: readonly string[],
): CheckRunFields | { readonly refusal: Answer } {
  const missing = required.filter((name) => body[name] === undefined).map((name) => `"${name}"`);
  const problems =
    missing.length === 0
      ? []
      : [`${missing.join(', ')} ${missing.length === 1 ? "wasn't" : "weren't"} supplied.`];
  const texts = new Map<string, string>();
  for (const name of TEXTS) {
    const value = body[name];
    if (typeof value === 'string') texts.set(name, value);
    else if (value !== undefined)
      problems.push(`For 'properties/${name}', ${JSON.stringify(value)} is not a string.`);
  }
  const status = member(STATUSES, texts.get('status'), problems);
  const conclusion = member(CONCLUSIONS, texts.get('conclusion'), problems);
  if (
    problems.length === 0 &&
    conclusion === undefined &&
    (status === 'completed' || texts.has('completed_at'))
  ) {
    problems.push('"conclusion" wasn\'t supplied.');
  }
  if (problems.length > 0) return { refusal: invalidRequest(...problems) };
  if (texts.get('name') === '') {
    return { refusal: validationFailed({ resource: 'CheckRun', code: 'missing_field', field: 'name' }) };
  }
  return {
    name: texts.get('name'),
    headSha: texts.get('head_sha'),
    externalId: texts.get('external_id'),
    detailsUrl: texts.get('details_url'),
    status: conclusion === undefined ? status : 'completed',
    conclusion,
    startedAt: texts.get('started_at'),
    completedAt: texts.get('completed_at'),
  };
}

function member<T extends string>(
  known: readonly T[],
  word: string | undefined,
  problems: string[],
): T | undefined {
  if (word === undefined) return undefined;
  const found = known.find((candidate) => candidate === word);
  if (found === undefined)
    problems.push(`${JSON.stringify(word)} is not a member of ${JSON.stringify(known)}.`);
  return found;
}
