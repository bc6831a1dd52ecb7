/** An annotation on lines of a file at the head commit. `path` was checked: it is relative and contains no `..`. */
export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'failure' | 'warning' | 'notice';
  /** Plain text; at most 255 characters. */
  readonly title: string;
  /** Plain text; at most 64 KB. */
  readonly message: string;
  /** Plain text that GitHub shows only on demand; at most 64 KB. */
  readonly rawDetails: string | undefined;
}

/** GitHub's limit for the title of one annotation. */
export const ANNOTATION_TITLE_CHARACTERS = 255;
/** GitHub's limit for the message of one annotation, and also for its details. */
export const ANNOTATION_TEXT_BYTES = 64 * 1024;
