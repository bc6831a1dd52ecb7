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
