import type { Answer } from '../../../sandbox/faults/interception.ts';
import type { ActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import type { ScanStatus } from '../../../sandbox/scan-service/scan-status.ts';
import type { HistoryEnvironment, SharedFixture } from './environment.ts';
import type { FaultName } from './faults.ts';
import type { FindingModel } from './finding-model.ts';
import type { Job } from './job.ts';
import type { Exchange, Process } from './network.ts';
import type { History } from './plan.ts';

/** A launch that the service accepted. */
export interface Launch {
  readonly process: Process;
  readonly at: number;
  readonly scanId: string;
  /** Of the scans that there were before. */
  readonly before: ReadonlyMap<string, ScanStatus>;
}

/** For some time, all requests to one side have the same fault. */
export interface Outage {
  readonly side: 'service' | 'github';
  readonly name: FaultName;
  readonly from: number;
  readonly to: number;
}

/** A history that is over. */
export interface SimulatedHistory {
  readonly history: History;
  readonly environment: HistoryEnvironment;
  readonly model: FindingModel;
  readonly jobs: readonly Job[];
  /** The last of `jobs`: calm, after everything else was over. */
  readonly last: Job;
  readonly exchanges: readonly Exchange[];
  readonly launches: readonly Launch[];
  /** The scans that another user launched. */
  readonly otherUserScans: ReadonlySet<string>;
  readonly outages: readonly Outage[];
  /** The heads of the pull request, the newest last; one can come back. */
  readonly heads: readonly { readonly sha: string; readonly from: number }[];
  /** How things stood before the last, calm run. */
  readonly beforeFinalRun: {
    readonly at: number;
    readonly running: readonly string[];
    readonly comments: readonly string[];
    readonly checksInProgress: readonly { readonly headSha: string; readonly externalId: string | null }[];
  };
}

export interface Setting {
  readonly fixture: SharedFixture;
  readonly manifest: ActionManifest;
  readonly folder: string;
  readonly comparisons: Map<string, Answer>;
}
