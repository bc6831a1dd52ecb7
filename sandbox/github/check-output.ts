import type { Answer } from '../faults/interception.ts';
import { isObject } from '../json.ts';
import { invalidRequest, validationFailed } from './answer.ts';
import { readAnnotations, type StoredAnnotation } from './check-annotation.ts';

export interface StoredOutput {
  readonly title: string | null;
  readonly summary: string | null;
  readonly text: string | null;
}

export interface OutputReading {
  readonly output: StoredOutput;
  /** The annotations to add to the check run. The check run keeps the annotations that it has. */
  readonly annotations: readonly StoredAnnotation[];
}

/**
 * GitHub's schema says for summary and text: "Maximum length: 65535 characters". GitHub also stores at most this many
 * bytes.
 */
const LONGEST_TEXT = 65_535;

/**
 * Reads the `output` of a request. Refuses a summary or a text with too many characters, and a summary with too many
 * bytes. Silently cuts a text with too many bytes.
 */
export function readOutput(
  value: unknown,
  titleIsRequired: boolean,
): OutputReading | undefined | { readonly refusal: Answer } {
  if (value === undefined) return undefined;
  if (!isObject(value)) {
    return { refusal: invalidRequest(`For 'properties/output', ${JSON.stringify(value)} is not an object.`) };
  }
  const { title, summary, text } = value;
  const problems: string[] = [];
  const missing = [
    ...(titleIsRequired && title === undefined ? ['"title"'] : []),
    ...(summary === undefined ? ['"summary"'] : []),
  ];
  if (missing.length > 0)
    problems.push(`${missing.join(', ')} ${missing.length === 1 ? "wasn't" : "weren't"} supplied.`);
  for (const [name, member] of Object.entries({ title, summary, text })) {
    if (member === undefined) continue;
    if (typeof member !== 'string')
      problems.push(`For 'properties/${name}', ${JSON.stringify(member)} is not a string.`);
    else if (name !== 'title' && [...member].length > LONGEST_TEXT) {
      problems.push(`Only ${LONGEST_TEXT} characters are allowed; ${[...member].length} were supplied.`);
    }
  }
  if (problems.length > 0) return { refusal: invalidRequest(...problems) };
  const annotations = readAnnotations(value['annotations']);
  if ('refusal' in annotations) return annotations;
  if (typeof summary === 'string' && Buffer.byteLength(summary) > LONGEST_TEXT) {
    const message = `summary exceeds a maximum bytesize of ${LONGEST_TEXT}`;
    return { refusal: validationFailed({ resource: 'CheckRun', code: 'custom', field: 'summary', message }) };
  }
  return {
    annotations,
    output: {
      title: typeof title === 'string' ? title : null,
      summary: typeof summary === 'string' ? summary : null,
      text: typeof text === 'string' ? cutToBytes(text, LONGEST_TEXT) : null,
    },
  };
}

function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes;
  // A byte of the form 10xxxxxx continues the character before it.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return encoded.subarray(0, end).toString('utf8');
}
