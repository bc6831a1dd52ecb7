/** An annotation on a line of a file. */
export interface PageAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'failure' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Folded details. Empty if the annotation has none. */
  readonly details: string;
}

/** A check run on GitHub. `summary` and `text` are markdown. */
export interface PageCheck {
  readonly name: string;
  /** GitHub's conclusion. Undefined while the check run is in progress. */
  readonly conclusion: string | undefined;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly PageAnnotation[];
}

export interface PageComment {
  readonly author: string;
  /** In Markdown. */
  readonly body: string;
}

/** The job with the step that ran the action. */
export interface PageJob {
  /** The event that started the workflow of the job. */
  readonly event: string;
  /** GitHub's conclusion. */
  readonly conclusion: string;
}
