/** One remark on lines of a file at the head commit. The path is checked: relative, normalized, without `..`. */
export interface CheckAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'failure' | 'warning' | 'notice';
  /** Plain text; at most 255 characters. */
  readonly title: string;
  /** Plain text; at most 64 KB. */
  readonly message: string;
  /** Plain text shown on demand; at most 64 KB. */
  readonly rawDetails: string | undefined;
}

/** GitHub's limits of one annotation; the bytes are those of the message, and of the details. */
export const ANNOTATION_TITLE_CHARACTERS = 255;
export const ANNOTATION_TEXT_BYTES = 64 * 1024;
