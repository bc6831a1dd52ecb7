import type { Analysis, AnalysisTarget, PlacedFlaw } from './analyzer/analyze.ts';
import type { Ledger } from './ledger.ts';
import type { HiddenFields, PaceOptions, PresetOptions, Scope } from './options.ts';
import type { Phase } from './phases.ts';

/** Everything that the service knows, in memory. */
export interface World {
  readonly project: ProjectRecord;
  readonly tokens: TokenRecord[];
  readonly repositories: RepositoryRecord[];
  readonly presets: readonly PresetOptions[];
  /** Oldest first. */
  readonly scans: ScanRecord[];
  /** By full id, in the order in which they were first found. */
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
  };
  /** What the next scan does instead of what `pace` says. */
  next: Partial<Pick<ScanRecord, 'held' | 'ending'>>;
  readonly analyze: (target: AnalysisTarget) => Promise<Analysis>;
  now(): Date;
}

export interface ProjectRecord {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly organization: { readonly id: string; readonly slug: string; readonly name: string };
  archived: boolean;
}

export interface TokenRecord {
  readonly keyId: string;
  /** The whole token, as its holder sends it. */
  readonly token: string;
  readonly scopes: readonly Scope[];
  /** Repository ids; empty: every repository. */
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
}

export type ScanStatus = 'QUEUED' | 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELLED';

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
  /** Begins at launch; undefined when it could not be done. Awaited before the scan is shown as COMPLETED. */
  readonly analysis: Promise<Analysis | undefined>;
  status: ScanStatus;
  phasesFinished: number;
  finishedAt: Date | null;
  held: boolean;
  ending: 'COMPLETED' | 'FAILED' | 'CANCELLED';
  /** What it found, once it is COMPLETED; the place of a flaw is that of this scan's commit. */
  found: readonly { readonly findingId: string; readonly flaw: PlacedFlaw }[];
  coverage: { readonly filesRead: number; readonly filesSkipped: number } | null;
}

/** A flaw of a repository, over all scans that found it. */
export interface FindingRecord {
  readonly id: string;
  readonly repository: RepositoryRecord;
  readonly firstSeenAt: Date;
  flaw: PlacedFlaw;
  lastScanId: string;
  severityOverride: string | null;
  triageStatus: string;
  confirmationEvidence: string | null;
  resolutionStatus: string;
  readonly notes: NoteRecord[];
}

export interface NoteRecord {
  readonly id: string;
  readonly content: string;
  readonly createdAt: Date;
}

export interface Publication {
  readonly kind: 'scan' | 'finding';
  /** The scan's or the finding's id. */
  readonly subjectId: string;
  readonly artifactId: string;
  readonly publicId: string;
  accessPassword: string | null;
}

/** One authorized request, as a route handles it. */
export interface Call {
  readonly world: World;
  readonly token: TokenRecord;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed JSON body; `{}` where none was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}
