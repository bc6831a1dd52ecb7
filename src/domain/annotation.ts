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
