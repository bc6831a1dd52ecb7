import type { FoundMark } from '../scan/find-marks.ts';
import type { Change, LaunchableChange } from './launch-plan.ts';
import type { RunResult } from './run-result.ts';

/** What a run does about its event. */
export type Plan = ScanPlan | EndPlan;

export interface ScanPlan {
  readonly kind: 'scan';
  readonly change: Change;
  readonly known: Known;
}

/** A plan in which nothing is scanned. */
export interface EndPlan {
  readonly kind: 'end';
  readonly result: RunResult;
  /** If defined, running scans of older heads are cancelled. */
  readonly superseding?: Superseding;
}

/** A result that has no outcome yet. */
export type Known = Omit<RunResult, 'outcome'>;

export interface Superseding extends LaunchableChange {
  readonly marks: readonly FoundMark[];
}
