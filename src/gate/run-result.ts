import type { PullRequestRead } from '../change/current-target.ts';
import type { GuidanceSource } from '../domain/guidance.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { DiffBase, ScanTarget } from '../domain/target.ts';
import type { Preflight } from '../preflight/preflight.ts';
import type { ScanResult } from '../scan/result.ts';
import type { StepIdentity } from './step-identity.ts';

/** What a run knows when its outcome is known. */
export interface RunResult extends ScanResult {
  readonly target?: ScanTarget;
  /** The pull request as it was first read; undefined if it could not be read. */
  readonly pullRequestRead?: PullRequestRead | undefined;
  readonly diffBase?: DiffBase;
  readonly preflight?: Preflight;
  /** The source of the guidance from `guidance-file`. */
  readonly guidance?: GuidanceSource | undefined;
  /** Undefined until the change and its preset are known. */
  readonly identity?: StepIdentity;
}

/** A result that proves nothing. */
export function notScanned(failure: NotScanned) {
  return { outcome: { kind: 'not-scanned', failure } } as const;
}
