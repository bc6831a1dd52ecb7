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

/** What the report says about the change, whether or not it is scanned. */
export type Known = Omit<RunResult, 'outcome'>;

export interface Superseding extends LaunchableChange {
  readonly marks: readonly FoundMark[];
}
