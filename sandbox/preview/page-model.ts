import type { CheckRunRecord } from '../github/check-runs.ts';

/** A check run on GitHub. `summary` and `text` of its output are Markdown. */
export type PageCheck = Pick<CheckRunRecord, 'name' | 'conclusion' | 'output' | 'annotations'>;

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
