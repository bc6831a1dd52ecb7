import * as v from 'valibot';
import type { Answer } from '../faults/interception.ts';
import { invalidRequest, validationFailed } from './answer.ts';

/** GitHub documents: "The Checks API limits the number of annotations to a maximum of 50 per API request." */
const MOST_ANNOTATIONS = 50;
/** GitHub documents: "The maximum size is 255 characters" (title) and "64 KB" (message, raw_details). */
const LONGEST_TITLE = 255;
const LARGEST_TEXT_BYTES = 64 * 1024;
/**
 * GitHub's schema says for summary and text: "Maximum length: 65535 characters". GitHub also stores at most this many
 * bytes.
 */
const LONGEST_OUTPUT = 65_535;

/** A wrong value, as valibot reports it. */
type Fault = v.BaseIssue<unknown>;

const notA = (kind: string) => (fault: Fault) => `${JSON.stringify(fault.input)} is not ${kind}.`;
const oneOf = <const Known extends readonly string[]>(known: Known) =>
  v.picklist(known, ({ input }) => `${JSON.stringify(input)} is not a member of ${JSON.stringify(known)}.`);
const Text = v.string(notA('a string'));
const OutputText = v.pipe(
  Text,
  v.check(
    (text) => [...text].length <= LONGEST_OUTPUT,
    ({ input }) => `Only ${LONGEST_OUTPUT} characters are allowed; ${[...input].length} were supplied.`,
  ),
);
const Line = v.pipe(v.number(notA('an integer')), v.integer(notA('an integer')));

const Annotation = v.object(
  {
    path: Text,
    start_line: Line,
    end_line: Line,
    start_column: v.exactOptional(Line),
    end_column: v.exactOptional(Line),
    annotation_level: oneOf(['notice', 'warning', 'failure']),
    message: Text,
    title: v.exactOptional(Text),
    raw_details: v.exactOptional(Text),
  },
  notA('an object'),
);

const Annotations = v.pipe(
  v.array(Annotation, notA('an array')),
  v.maxLength(
    MOST_ANNOTATIONS,
    ({ input }) => `No more than ${MOST_ANNOTATIONS} items are allowed; ${input.length} were supplied.`,
  ),
);

const OUTPUT = {
  summary: OutputText,
  text: v.exactOptional(OutputText),
  annotations: v.optional(Annotations, []),
};

const COMMON = {
  external_id: v.exactOptional(Text),
  details_url: v.exactOptional(Text),
  /** GitHub reserves `waiting`, `requested` and `pending` for GitHub Actions. */
  status: v.optional(oneOf(['queued', 'in_progress', 'completed'])),
  conclusion: v.optional(
    oneOf(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out']),
  ),
  started_at: v.exactOptional(Text),
  completed_at: v.exactOptional(Text),
};
const Creation = v.object({
  ...COMMON,
  name: Text,
  head_sha: Text,
  output: v.optional(v.object({ ...OUTPUT, title: Text }, notA('an object'))),
});
const Update = v.object({
  ...COMMON,
  name: v.exactOptional(Text),
  head_sha: v.exactOptional(Text),
  output: v.optional(v.object({ ...OUTPUT, title: v.exactOptional(Text) }, notA('an object'))),
});

/** An annotation that passed the checks of GitHub. */
export type StoredAnnotation = v.InferOutput<typeof Annotation>;
/** The checked members of a request for a check run. */
export type CheckRunRequest = v.InferOutput<typeof Update>;

/**
 * Reads the body of a request that creates a check run. An invalid body gets GitHub's 422. A conclusion completes the
 * check run. A text with too many bytes is cut without a notice.
 */
export function readCreation(body: unknown): v.InferOutput<typeof Creation> | { readonly refusal: Answer } {
  return read(Creation, body);
}

/** Reads the body of a request that changes a check run. */
export function readUpdate(body: unknown): CheckRunRequest | { readonly refusal: Answer } {
  return read(Update, body);
}

function read<Request extends CheckRunRequest>(
  schema: v.GenericSchema<unknown, Request>,
  body: unknown,
): Request | { readonly refusal: Answer } {
  const result = v.safeParse(schema, body);
  if (!result.success) return { refusal: invalidRequest(...problemsOf(result.issues)) };
  const { output, name, status, conclusion, completed_at } = result.output;
  if (conclusion === undefined && (status === 'completed' || completed_at !== undefined))
    return { refusal: invalidRequest('"conclusion" wasn\'t supplied.') };
  const broken = (code: string, field: string, message?: string) => ({
    refusal: validationFailed({ resource: 'CheckRun', code, field, ...(message && { message }) }),
  });
  if (name === '') return broken('missing_field', 'name');
  if (output?.annotations.every(keepsRules) === false) return broken('invalid', 'annotations');
  if (Buffer.byteLength(output?.summary ?? '') > LONGEST_OUTPUT)
    return broken('custom', 'summary', `summary exceeds a maximum bytesize of ${LONGEST_OUTPUT}`);
  return {
    ...result.output,
    status: conclusion === undefined ? status : 'completed',
    ...(output?.text !== undefined && {
      output: { ...output, text: cutToBytes(output.text, LONGEST_OUTPUT) },
    }),
  };
}

/** Makes the lines of GitHub's message. The first line names all missing members. */
function problemsOf(faults: readonly Fault[]): string[] {
  const isMissing = (fault: Fault) => fault.type === 'object' && fault.input === undefined;
  const missing = faults.filter(isMissing).map((fault) => `"${String(fault.path?.at(-1)?.key)}"`);
  return [
    ...(missing.length === 0
      ? []
      : [`${missing.join(', ')} ${missing.length === 1 ? "wasn't" : "weren't"} supplied.`]),
    ...faults.filter((fault) => !isMissing(fault)).map(problemOf),
  ];
}

/** A wrong type is reported with its place. */
function problemOf({ message, path, type }: Fault): string {
  const member = path?.at(-1)?.key;
  if (!['array', 'integer', 'number', 'object', 'string'].includes(type)) return message;
  return `For '${typeof member === 'number' ? 'items' : `properties/${String(member)}`}', ${message}`;
}

function keepsRules(annotation: StoredAnnotation): boolean {
  const { path, start_line, end_line, start_column, end_column, message, title, raw_details } = annotation;
  const hasColumn = start_column !== undefined || end_column !== undefined;
  return (
    path !== '' &&
    !path.startsWith('/') &&
    !path.split('/').includes('..') &&
    start_line >= 1 &&
    end_line >= start_line &&
    !(hasColumn && start_line !== end_line) &&
    message !== '' &&
    Buffer.byteLength(message) <= LARGEST_TEXT_BYTES &&
    Buffer.byteLength(raw_details ?? '') <= LARGEST_TEXT_BYTES &&
    (title ?? '').length <= LONGEST_TITLE
  );
}

function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes;
  // A byte of the form 10xxxxxx continues the character before it.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.subarray(0, end).toString('utf8');
}
