import type { FileDiff } from './read-diff.ts';

/** An annotation of a line of a file. */
export interface PageAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'failure' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Shown on demand; empty where there are none. */
  readonly details: string;
}

/** A check run on GitHub. Summary and text are markdown. */
export interface PageCheck {
  readonly name: string;
  /** GitHub's value. Undefined while it runs. */
  readonly conclusion: string | undefined;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly PageAnnotation[];
}

export interface PageComment {
  readonly author: string;
  /** Markdown. */
  readonly body: string;
}

/** The job that the step ran in. */
export interface PageJob {
  /** The event that started its workflow. */
  readonly event: string;
  /** GitHub's value. */
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
  /** Markdown of the job's page. */
  readonly summary: string;
  /** What a reader has to know about the fake servers to judge the page. Plain text. */
  readonly caveat: string;
  /** How much the fake service read, shown under the comment. Undefined: no scan was completed. */
  readonly coverage: string | undefined;
  /** Origins of fake servers, which stop before the page is read. */
  readonly fakeOrigins: readonly string[];
}
