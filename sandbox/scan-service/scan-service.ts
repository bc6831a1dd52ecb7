import type { FakeServer } from '../faults/server.ts';
import type { Control } from './control.ts';
import type { LedgerState } from './ledger.ts';
import type { PresetOptions } from './options.ts';
import type { ProjectRecord, ScanGuidance, TokenRecord } from './records.ts';
import type { ScanStatus } from './scan-status.ts';
import type { RepositoryRecord, ServiceState } from './state.ts';

export interface FakeScanService extends FakeServer {
  /** The origin with `/api/v1`. */
  readonly baseUrl: string;
  /** The first token, as clients send it. */
  readonly token: string;
  readonly tokens: readonly Readonly<TokenRecord>[];
  readonly project: Readonly<ProjectRecord>;
  readonly repositories: readonly Readonly<RepositoryRecord>[];
  readonly presets: readonly PresetOptions[];
  /** True if the data folder had data when the service started. */
  readonly isRestored: boolean;
  ledger(): LedgerState;
  /** Returns all scans as they are now, the newest first. */
  scans(): readonly ScanSnapshot[];
  readonly control: Control;
  /** Closes all connections, and waits for analyses that are reading a repository. */
  close(): Promise<void>;
}

export interface ScanSnapshot {
  readonly id: string;
  readonly status: ScanStatus;
  readonly repositoryId: string;
  readonly presetRef: string;
  readonly baseCommit: string | null;
  readonly commit: string;
  readonly creditBudget: number;
  readonly guidance: ScanGuidance;
  readonly findingIds: readonly string[];
  readonly publishedAs: { readonly publicId: string; readonly accessPassword: string | null } | undefined;
}

export function scanSnapshots(state: ServiceState): ScanSnapshot[] {
  return state.scans
    .map((scan) => {
      const publication = state.publications.find((one) => one.kind === 'scan' && one.subjectId === scan.id);
      return {
        id: scan.id,
        status: scan.status,
        repositoryId: scan.repository.id,
        presetRef: scan.preset.ref,
        baseCommit: scan.baseCommit,
        commit: scan.commit,
        creditBudget: scan.creditBudget,
        guidance: scan.guidance,
        findingIds: scan.found.map((one) => one.findingId),
        publishedAs:
          publication === undefined
            ? undefined
            : { publicId: publication.publicId, accessPassword: publication.accessPassword },
      };
    })
    .reverse();
}
