import type { CheckAnnotation } from '../domain/annotation.ts';

/** What a check run shows above its annotations. Markdown, but for the title. */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

/** GitHub's REST documents: "Create a check run", members `output` and `annotations`. */
const TITLE_CHARACTERS = 255;
const SUMMARY_BYTES = 65_535;
const ANNOTATION_BYTES = 65_536;

/** The last guard: what is longer than GitHub takes is cut on a character's boundary. An empty text is left out. */
export function outputOnTheWire(output: CheckOutput, annotations: readonly CheckAnnotation[]) {
  return {
    title: clampCharacters(output.title, TITLE_CHARACTERS),
    summary: clampBytes(output.summary, SUMMARY_BYTES),
    ...(output.text === '' ? {} : { text: clampBytes(output.text, SUMMARY_BYTES) }),
    ...(annotations.length === 0 ? {} : { annotations: annotations.map(annotationOnTheWire) }),
  };
}

function annotationOnTheWire(annotation: CheckAnnotation) {
  const { rawDetails } = annotation;
  return {
    path: annotation.path,
    start_line: annotation.startLine,
    end_line: annotation.endLine,
    annotation_level: annotation.level,
    title: clampCharacters(annotation.title, TITLE_CHARACTERS),
    message: clampBytes(annotation.message, ANNOTATION_BYTES),
    ...(rawDetails === undefined ? {} : { raw_details: clampBytes(rawDetails, ANNOTATION_BYTES) }),
  };
}

/** At most `limit` UTF-16 units, never half a surrogate pair. */
function clampCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** At most `limit` bytes of UTF-8, cut between characters. */
export function clampBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;
  let end = limit;
  // 10xxxxxx continues a character: step back to the byte that begins one.
  while (end > 0 && ((bytes[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1;
  return bytes.toString('utf8', 0, end);
}
