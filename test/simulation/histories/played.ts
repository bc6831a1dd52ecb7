import type { Answer } from '../../../sandbox/faults/interception.ts';
import type { ActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import type { ScanStatus } from '../../../sandbox/scan-service/scan-status.ts';
import type { FaultName } from './faults.ts';
import type { Job } from './job.ts';
import type { Exchange, Process } from './network.ts';
import type { History } from './plan.ts';
import type { Region, Town } from './town.ts';
import type { Truth } from './truth.ts';

/** A launch that the service accepted. */
export interface Launch {
  readonly process: Process;
  readonly at: number;
  readonly scanId: string;
  /** Of the scans that there were before. */
  readonly before: ReadonlyMap<string, ScanStatus>;
}

/** Everybody's requests to one side come to the same harm for a while. */
export interface Outage {
  readonly side: 'service' | 'github';
  readonly name: FaultName;
  readonly from: number;
  readonly to: number;
}

/** A history that is over. */
export interface Played {
  readonly history: History;
  readonly town: Town;
  readonly truth: Truth;
  readonly jobs: readonly Job[];
  /** The last of `jobs`: calm, after everything else was over. */
  readonly last: Job;
  readonly exchanges: readonly Exchange[];
  readonly launches: readonly Launch[];
  /** The scans that another user launched. */
  readonly strangerScans: ReadonlySet<string>;
  readonly outages: readonly Outage[];
  /** The heads of the pull request, the newest last; one can come back. */
  readonly heads: readonly { readonly sha: string; readonly from: number }[];
  /** How things stood before the last, calm run. */
  readonly eve: {
    readonly at: number;
    readonly running: readonly string[];
    readonly comments: readonly string[];
    readonly checksInProgress: readonly { readonly headSha: string; readonly externalId: string | null }[];
  };
}

export interface Setting {
  readonly region: Region;
  readonly manifest: ActionManifest;
  readonly folder: string;
  readonly comparisons: Map<string, Answer>;
}
