import type { Handle } from '../faults/handled.ts';
import type { Control } from './control.ts';
import type { LedgerState } from './ledger.ts';
import type { PresetOptions, Scope } from './options.ts';
import type { ScanStatus } from './scan-status.ts';
import type { ProjectRecord, RepositoryRecord, ScanGuidance, ServiceState } from './state.ts';

export interface FakeScanService {
  /** For example `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** The origin with `/api/v1`. */
  readonly baseUrl: string;
  /** The first token, as clients send it. */
  readonly token: string;
  readonly tokens: readonly {
    readonly keyId: string;
    readonly token: string;
    readonly scopes: readonly Scope[];
    readonly requestCeiling: { readonly requests: number; readonly windowSeconds: number };
  }[];
  readonly project: Readonly<ProjectRecord>;
  readonly repositories: readonly Readonly<RepositoryRecord>[];
  readonly presets: readonly PresetOptions[];
  /** True if the data folder had data when the service started. */
  readonly isRestored: boolean;
  ledger(): LedgerState;
  /** Returns all scans as they are now, the newest first. */
  scans(): readonly ScanSnapshot[];
  readonly control: Control;
  /** The requests in the order of their arrival. If `keptRequests` is set, only the newest ones are kept. */
  readonly requests: readonly LoggedRequest[];
  readonly handle: Handle;
  /** Refuses connections until `acceptConnections` is called. Requests that have arrived already are still answered. */
  refuseConnections(): void;
  acceptConnections(): Promise<void>;
  /** Closes every idle connection, as a load balancer does. */
  dropIdle(): void;
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

export interface LoggedRequest {
  readonly at: Date;
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly point: string;
  /** The parsed body if it is JSON, otherwise its text. Undefined if the request has no body. */
  readonly body: unknown;
  /** Undefined until the request is answered. If a fault replaces the answer, it stays undefined. */
  status: number | undefined;
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
