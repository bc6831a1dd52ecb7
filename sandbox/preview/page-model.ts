import type { CheckRunRecord } from '../github/check-runs.ts';
import type { CommentRecord } from '../github/comments.ts';

/** A check run on GitHub. `summary` and `text` of its output are Markdown. */
export type PageCheck = Pick<CheckRunRecord, 'name' | 'conclusion' | 'output' | 'annotations'>;

/** A comment. Its body is Markdown. */
export type PageComment = Pick<CommentRecord, 'author' | 'body'>;

/** The job with the step that ran the action. */
export interface PageJob {
  /** The event that started the workflow of the job. */
  readonly event: string;
  /** GitHub's conclusion. */
  readonly conclusion: string;
}
