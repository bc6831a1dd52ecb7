import type { JsonObject } from '../json.ts';
import type { Analysis, AnalysisTarget, LocatedVulnerability } from './analyzer/analyze.ts';
import type { Survey } from './audit-areas/survey.ts';
import type { Ledger } from './ledger.ts';
import type { HiddenFields, PaceOptions, PresetOptions, Scope } from './options.ts';
import type { Phase } from './phases.ts';
import type { ScanStatus } from './scan-status.ts';

/** The whole state of a service, in memory. */
export interface ServiceState {
  readonly project: ProjectRecord;
  readonly tokens: TokenRecord[];
  readonly repositories: RepositoryRecord[];
  readonly presets: readonly PresetOptions[];
  /** The oldest comes first. */
  readonly scans: ScanRecord[];
  /** The key is the full id. The findings are in the order in which scans first found them. */
  readonly findings: Map<string, FindingRecord>;
  readonly publications: Publication[];
  readonly ledger: Ledger;
  readonly settings: {
    readonly defaultFloor: number;
    readonly retryAfterSeconds: number;
    readonly pace: Required<PaceOptions>;
    readonly hideFields: HiddenFields;
    readonly launchFields: { readonly repository: string; readonly commit: string };
    readonly findingId: (hash: string) => string;
    readonly scanId: (hash: string) => string;
  };
  /** Settings for the next scan. They override `pace`. */
  next: Partial<Pick<ScanRecord, 'held' | 'ending'>>;
  readonly analyze: (target: AnalysisTarget) => Promise<Analysis>;
  readonly survey: (gitDir: string, commit: string) => Promise<Survey>;
  readonly onScanFailure: (scanId: string, reason: string) => undefined;
  now(): Date;
}

export interface ProjectRecord {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly organization: { readonly id: string; readonly slug: string; readonly name: string };
  archived: boolean;
  organizationArchived: boolean;
}

export interface TokenRecord {
  readonly keyId: string;
  /** The secret text of the token, as clients send it. */
  readonly token: string;
  readonly scopes: readonly Scope[];
  /** The ids of the repositories that the token may use. Empty means every repository. */
  readonly repositoryAllowlist: readonly string[];
  readonly expiresAt: Date | null;
  readonly spendLimit: number | null;
  readonly requestCeiling: { readonly requests: number; readonly windowSeconds: number };
  readonly window: { startedAt: number; requests: number };
  revoked: boolean;
}

export interface RepositoryRecord {
  readonly id: string;
  readonly slug: string;
  readonly owner: string;
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string | null;
  readonly gitDir: string;
  status: 'ACTIVE' | 'MARKED_FOR_DELETION';
  readiness: 'ready' | 'analyzing';
  listingsUntilReady: number | null;
  readonly guidance: GuidanceRecord;
  /** Discovered and custom areas. The oldest comes first. */
  readonly areas: AuditArea[];
  /** The newest map of each branch. Branches without a map are missing. */
  readonly maps: Map<string, StoredMap>;
}

export interface GuidanceRecord {
  content: string | null;
  /** The oldest comes first. */
  readonly revisions: { readonly id: string; readonly content: string | null; readonly at: Date }[];
}

/** A subsystem with a name. Its files are not listed here, because each scan searches for them. */
export interface AuditArea {
  readonly key: string;
  readonly name: string;
  readonly description: string | null;
  readonly source: 'discovered' | 'custom';
}

export interface MappedArea {
  readonly key: string;
  readonly files: number;
  readonly lines: number;
}

export interface StoredMap {
  readonly commit: string;
  readonly totalFiles: number;
  readonly totalLines: number;
  /** In the order in which an audit takes them. */
  readonly areas: readonly MappedArea[];
}

export interface ScanRecord {
  readonly id: string;
  readonly repository: RepositoryRecord;
  readonly preset: PresetOptions;
  readonly baseCommit: string | null;
  readonly commit: string;
  readonly creditBudget: number;
  readonly keyId: string;
  readonly createdAt: Date;
  readonly phases: readonly Phase[];
  /** The analysis starts at the launch. Undefined if it failed. The scan becomes COMPLETED only after the analysis. */
  readonly analysis: Promise<Analysis | undefined>;
  /** The data for a map of the areas. Undefined if the tree could not be read. The scan then stores no map. */
  readonly survey: Promise<Survey | undefined>;
  /** The areas that limit the scan, as they were at the launch. Empty means the whole repository. */
  readonly areas: readonly AuditArea[];
  readonly guidance: ScanGuidance;
  status: ScanStatus;
  phasesFinished: number;
  finishedAt: Date | null;
  held: boolean;
  ending: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** The findings of a COMPLETED scan. Line numbers are those of the scan's commit. */
  found: readonly { readonly findingId: string; readonly vulnerability: LocatedVulnerability }[];
  coverage: Coverage | null;
}

/** How many files the scan has read. `filesRead` and `filesSkipped` add up to all files that it had to read. */
export interface Coverage {
  /** How many files were searched for credentials. */
  readonly filesRead: number;
  /**
   * How many of the files in `filesRead` are JavaScript or TypeScript. The code rules understand only these languages.
   */
  readonly codeFilesRead: number;
  readonly filesSkipped: number;
}

/** The guidance of a scan, and where it comes from. Both members are null if there is none. */
export interface ScanGuidance {
  readonly applied: 'scan' | 'repository' | null;
  readonly content: string | null;
}

/** A vulnerability of a repository. All scans that find it share this record. */
export interface FindingRecord {
  readonly id: string;
  readonly repository: RepositoryRecord;
  readonly firstSeenAt: Date;
  vulnerability: LocatedVulnerability;
  lastScanId: string;
  severityOverride: string | null;
  triageStatus: string;
  confirmationEvidence: string | null;
  resolutionStatus: string;
  /** The note that explains the resolution. */
  pinnedNoteId: string | null;
  readonly notes: NoteRecord[];
}

export interface NoteRecord {
  readonly id: string;
  readonly content: string;
  readonly createdAt: Date;
}

export interface Publication {
  readonly kind: 'scan' | 'finding';
  /** The id of the published scan or finding. */
  readonly subjectId: string;
  readonly artifactId: string;
  readonly publicId: string;
  accessPassword: string | null;
  /** The id of the note that was chosen for a finding's page. If it is null, the page shows the pinned note. */
  noteId: string | null;
  /** The number of wrong passwords since the window began. `startedAt` is in milliseconds. */
  readonly tries: { startedAt: number; wrong: number };
}

/** An authorized request, as the handler of a route gets it. */
export interface Call {
  readonly state: ServiceState;
  readonly token: TokenRecord;
  /** The decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON body, in a form that the contract allows. An empty object if the request has none. */
  readonly body: JsonObject;
}
