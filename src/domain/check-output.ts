/** What a check run shows above its annotations. */
export interface CheckOutput {
  /** Plain text, one line. */
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
  /** Markdown; empty where there is nothing to list. */
  readonly text: string;
}

/** GitHub's limits: a longer title is refused; a longer summary or text is cut in silence. */
export const CHECK_TITLE_CHARACTERS = 255;
export const CHECK_TEXT_BYTES = 65_535;
