import path from 'node:path';
import { type ActionManifest, readActionManifest } from '../../../sandbox/runner/action-manifest.ts';
import type { ScanStatus } from '../../../sandbox/scan-service/scan-status.ts';
import type { Copies } from './copier.ts';
import { type HistoryEnvironment, openSharedFixture, type SharedFixture } from './environment.ts';
import type { FaultName } from './faults.ts';
import type { FindingModel } from './finding-model.ts';
import { commitNames } from './fixture-repository.ts';
import type { Exchange, Process } from './network.ts';
import type { History } from './plan.ts';
import type { StrangerScan } from './stranger.ts';
import type { WorkflowJob } from './workflow.ts';

/** A launch that the service accepted. */
export interface Launch {
  readonly process: Process;
  readonly sentAt: number;
  /** When the service accepted the launch. */
  readonly at: number;
  readonly scanId: string;
  /** The statuses of the scans that existed before the launch. */
  readonly before: ReadonlyMap<string, ScanStatus>;
}

/** A period in which all requests to one side have the same fault. */
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
  readonly jobs: readonly WorkflowJob[];
  /** The last of `jobs`. It has no faults, and starts after everything else is over. */
  readonly last: WorkflowJob;
  readonly exchanges: readonly Exchange[];
  readonly launches: readonly Launch[];
  /** The scans of strangers, by their ids. */
  readonly strangers: ReadonlyMap<string, StrangerScan>;
  readonly copies: Copies;
  /** The names of the commits of the repository, by their ids. */
  readonly commits: ReadonlyMap<string, string>;
  /** The state before the last run. */
  readonly beforeFinalRun: {
    readonly at: number;
    readonly running: readonly string[];
    readonly comments: readonly string[];
  };
}

/** What all histories of a test share. */
export interface Setting {
  readonly fixture: SharedFixture;
  readonly manifest: ActionManifest;
  /** The jobs write their files here. */
  readonly folder: string;
  /** The names of the commits of the repository, by their ids. */
  readonly commits: ReadonlyMap<string, string>;
}

export async function openSetting(folder: string): Promise<Setting> {
  const fixture = await openSharedFixture();
  const manifest = await readActionManifest(path.resolve(import.meta.dirname, '../../..'));
  return { fixture, manifest, folder, commits: commitNames(fixture.repository) };
}
