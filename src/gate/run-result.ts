import type { PullRequestRead } from '../change/current-target.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { Preflight } from '../preflight/preflight.ts';
import type { ScanResult } from '../scan/result.ts';
import type { StepIdentity } from './step-identity.ts';

/** What a run knows at the time of its outcome. */
export interface RunResult extends ScanResult {
  readonly target?: ScanTarget;
  /**
   * The pull request as the run read it at the start. Undefined if the event has no pull request, or if it could not be
   * read.
   */
  readonly pullRequestRead?: PullRequestRead | undefined;
  readonly diffBase?: DiffBase;
  readonly preflight?: Preflight;
  /** The source of the guidance from `guidance-file`. */
  readonly guidance?: GuidanceSource | undefined;
  /** Undefined until the run knows the change and the preset. */
  readonly identity?: StepIdentity;
}

/** A result without a scan. */
export function notScanned(failure: NotScanned) {
  return { outcome: { kind: 'not-scanned', failure } } as const;
}
