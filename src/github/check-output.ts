import {
  ANNOTATION_TEXT_BYTES,
  ANNOTATION_TITLE_CHARACTERS,
  type CheckAnnotation,
} from '../domain/annotation.ts';
import { CHECK_TEXT_BYTES, CHECK_TITLE_CHARACTERS, type CheckOutput } from '../domain/check-output.ts';
import { cutBytes, cutCharacters } from '../text/text-limit.ts';

/**
 * Cuts texts that exceed GitHub's limits. Never splits a character. Omits empty texts. This is only a safeguard,
 * because the texts should fit already.
 */
export function outputOnTheWire(output: CheckOutput, annotations: readonly CheckAnnotation[]) {
  return {
    title: cutCharacters(output.title, CHECK_TITLE_CHARACTERS),
    summary: cutBytes(output.summary, CHECK_TEXT_BYTES),
    ...(output.text === '' ? {} : { text: cutBytes(output.text, CHECK_TEXT_BYTES) }),
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
    title: cutCharacters(annotation.title, ANNOTATION_TITLE_CHARACTERS),
    message: cutBytes(annotation.message, ANNOTATION_TEXT_BYTES),
    ...(rawDetails === undefined ? {} : { raw_details: cutBytes(rawDetails, ANNOTATION_TEXT_BYTES) }),
  };
}
