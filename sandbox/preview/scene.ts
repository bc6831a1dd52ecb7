import type { FileDiff } from './read-diff.ts';

/** Words on a line of a file. */
export interface SceneAnnotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: 'failure' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  /** Shown on demand; empty where there are none. */
  readonly details: string;
}

/** A check run as it stands on GitHub. Summary and text are markdown. */
export interface SceneCheck {
  readonly name: string;
  /** GitHub's word; undefined while it runs. */
  readonly conclusion: string | undefined;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
  readonly annotations: readonly SceneAnnotation[];
}

export interface SceneComment {
  readonly author: string;
  /** Markdown. */
  readonly body: string;
}

/** The job that the step ran in. */
export interface SceneJob {
  /** The event that started its workflow. */
  readonly event: string;
  /** GitHub's word. */
  readonly conclusion: string;
}

/** All that a reviewer sees of one pull request. */
export interface Scene {
  /** `owner/name`. */
  readonly repository: string;
  readonly number: number;
  readonly title: string;
  readonly author: string;
  readonly baseRef: string;
  readonly headRef: string;
  readonly comments: readonly SceneComment[];
  readonly job: SceneJob;
  readonly checks: readonly SceneCheck[];
  readonly files: readonly FileDiff[];
  /** Markdown of the job's page. */
  readonly summary: string;
  /** What a reader has to know about the stand-ins to judge the page; plain text. */
  readonly caveat: string;
  /** Origins of stand-ins that end before the page is read. */
  readonly standIns: readonly string[];
}
