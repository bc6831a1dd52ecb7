import type { FileDiff } from './read-diff.ts';

/** An annotation of a line of a file. */
export interface PageAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'failure' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Shown on demand. Empty if the annotation has none. */
  readonly details: string;
}

/** A check run on GitHub. Summary and text are markdown. */
export interface PageCheck {
  readonly name: string;
  /** GitHub's conclusion. Undefined while the check runs. */
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

/** The job that the step ran in. */
export interface PageJob {
  /** The event that started its workflow. */
  readonly event: string;
  /** GitHub's conclusion. */
  readonly conclusion: string;
}

/** What a reviewer sees of one pull request. */
export interface PageModel {
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly baseRef: string;
  readonly headRef: string;
  readonly comments: readonly PageComment[];
  readonly job: PageJob;
  readonly checks: readonly PageCheck[];
  readonly files: readonly FileDiff[];
  /** The job summary, in Markdown. */
  readonly summary: string;
  /** What a reader has to know about the fake servers to judge the page. Plain text. */
  readonly caveat: string;
  /** How much the fake service read, shown under the comment. Undefined: no scan was completed. */
  readonly coverage: string | undefined;
  /** Origins of fake servers, which stop before the page is read. */
  readonly fakeOrigins: readonly string[];
}
