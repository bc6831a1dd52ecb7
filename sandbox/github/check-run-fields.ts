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
/** `waiting`, `requested` and `pending` are for GitHub Actions' own check runs. */
const STATUSES = ['queued', 'in_progress', 'completed'] as const;

export type Conclusion = (typeof CONCLUSIONS)[number];
export type Status = (typeof STATUSES)[number];

/** The members of a request beside `output`, checked; undefined where the request does not name them. */
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

/** Reads what a check run request says; a refusal is GitHub's 422. Giving a conclusion completes the check run. */
export function readCheckRunFields(
  body: JsonObject,
  required: readonly string[],
): CheckRunFields | { readonly refusal: Answer } {
  const missing = required.filter((name) => body[name] === undefined).map((name) => `"${name}"`);
  const complaints =
    missing.length === 0
      ? []
      : [`${missing.join(', ')} ${missing.length === 1 ? "wasn't" : "weren't"} supplied.`];
  const texts = new Map<string, string>();
  for (const name of TEXTS) {
    const value = body[name];
    if (typeof value === 'string') texts.set(name, value);
    else if (value !== undefined)
      complaints.push(`For 'properties/${name}', ${JSON.stringify(value)} is not a string.`);
  }
  const status = member(STATUSES, texts.get('status'), complaints);
  const conclusion = member(CONCLUSIONS, texts.get('conclusion'), complaints);
  if (
    complaints.length === 0 &&
    conclusion === undefined &&
    (status === 'completed' || texts.has('completed_at'))
  ) {
    complaints.push('"conclusion" wasn\'t supplied.');
  }
  if (complaints.length > 0) return { refusal: invalidRequest(...complaints) };
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
  complaints: string[],
): T | undefined {
  if (word === undefined) return undefined;
  const found = known.find((candidate) => candidate === word);
  if (found === undefined)
    complaints.push(`${JSON.stringify(word)} is not a member of ${JSON.stringify(known)}.`);
  return found;
}
