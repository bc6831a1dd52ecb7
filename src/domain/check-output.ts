/** The texts that a check run shows above its annotations. */
export interface CheckOutput {
  /** Plain text, one line. */
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  /** Markdown; empty if there is nothing to list. */
  readonly text: string;
}

/**
 * GitHub's limits for the texts of a check run. GitHub refuses a longer title, and silently cuts a longer summary or
 * text.
 */
export const CHECK_TITLE_CHARACTERS = 255;
export const CHECK_TEXT_BYTES = 65_535;

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

/** What the delivery of the report produced. A member is undefined if it was not produced. */
export interface Delivered {
  readonly checkRunUrl?: string | undefined;
  readonly commentUrl?: string | undefined;
  /** Absolute path. */
  readonly sarifFile?: string | undefined;
  /** Absolute path. */
  readonly reportFile?: string | undefined;
  /**
   * The id of our check run if it has no conclusion yet. GitHub then shows it as running. `not known` means that GitHub
   * may have created it, but the answer with the id was lost.
   */
  readonly checkRunInProgress?: number | 'not known' | undefined;
}
