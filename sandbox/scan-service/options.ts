import type { IncomingHttpHeaders } from 'node:http';
import type { Interception } from '../faults/interception.ts';
import type { Analysis, AnalysisTarget } from './analyzer/analyze.ts';
import type { Survey } from './audit-areas/survey.ts';

export const ALL_SCOPES = ['read', 'findings:write', 'guidance:write', 'scans:launch', 'publish'] as const;
export type Scope = (typeof ALL_SCOPES)[number];

export interface ScanServiceOptions {
  readonly project?: ProjectOptions;
  /** The organization's prepaid credits; default 1000. */
  readonly credits?: number;
  /** The least budget of a launch if the preset's `minCredits` is 0. Default: 10. */
  readonly defaultFloor?: number;
  /** Default: one token with every scope. */
  readonly tokens?: readonly TokenOptions[];
  readonly repositories: readonly RepositoryOptions[];
  readonly presets?: readonly PresetOptions[];
  /** A port of the loopback interface. Default: 0, any free port. */
  readonly port?: number;
  /** Keeps the whole state in this folder, and loads it after a restart. Default: keeps nothing. */
  readonly dataFolder?: string;
  readonly pace?: PaceOptions;
  /** `Retry-After` of answers about a scan that has not ended, in whole seconds. Default: 1. */
  readonly retryAfterSeconds?: number;
  /** How long every answer is delayed, in milliseconds. Default: 0. */
  readonly latencyMs?: number;
  readonly clock?: { now(): Date };
  /** How many of the newest requests `requests` keeps. Default: all. */
  readonly keptRequests?: number;
  /** Returns an answer or a fault to replace the real answer. */
  readonly intercept?: Intercept;
  /** Optional members that the records leave out, by record. */
  readonly hideFields?: HiddenFields;
  /** The names of launch members that the contract does not define. */
  readonly launchFields?: { readonly repository?: string; readonly commit?: string };
  /** Finds the vulnerabilities of a scan. Default: the analyzer. For callers that scan the same commits many times. */
  readonly analyze?: (target: AnalysisTarget) => Promise<Analysis>;
  /**
   * Reads the data for a scan's map. Default: from the tree of its commit. For callers that scan the same commits many
   * times.
   */
  readonly survey?: (gitDir: string, commit: string) => Promise<Survey>;
  /** Gets the reason why the work of a scan failed. The API does not show it. */
  readonly onScanFailure?: (scanId: string, reason: string) => void;
  /** Makes a finding's id from the hash of its vulnerability. Tests use it for ids whose labels collide. */
  readonly findingId?: (hash: string) => string;
  /** Makes a scan's id from the hash of its place in the project; for ids that a test names, or that are long. */
  readonly scanId?: (hash: string) => string;
}

export interface ProjectOptions {
  readonly id?: string;
  readonly slug?: string;
  readonly name?: string;
  readonly organization?: { readonly id?: string; readonly slug?: string; readonly name?: string };
}

export interface TokenOptions {
  /** Default: every scope. */
  readonly scopes?: readonly Scope[];
  /** Repository ids or `owner/name`. Empty or absent: every repository. */
  readonly repositoryAllowlist?: readonly string[];
  readonly expiresAt?: Date;
  /** Credits per calendar month (UTC). */
  readonly spendLimit?: number;
  /** Default: 600 requests in 60 seconds. */
  readonly requestCeiling?: { readonly requests: number; readonly windowSeconds: number };
}

export interface RepositoryOptions {
  readonly id?: string;
  readonly owner: string;
  readonly name: string;
  /** Default: `https://github.com/<owner>/<name>`. */
  readonly url?: string;
  readonly defaultBranch?: string | null;
  /** What `git -C` takes. The service only reads it. */
  readonly gitDir: string;
  readonly status?: 'ACTIVE' | 'MARKED_FOR_DELETION';
  readonly readiness?: 'ready' | 'analyzing';
  /** An analyzing repository becomes ready after this many listings. */
  readonly readyAfterListings?: number;
  /** Guidance that is already stored, from before revisions were tracked. */
  readonly guidance?: string;
}

export interface PresetOptions {
  readonly ref: string;
  readonly name: string;
  readonly kind: 'diff' | 'full';
  readonly minCredits: number;
  readonly description?: string | null;
  readonly modelTier?: string;
}

export interface PaceOptions {
  /**
   * How many phases each read of a running scan's detail finishes. Default: 3. `Infinity` ends the scan at the first
   * read.
   */
  readonly phasesPerPoll?: number;
  /** Whether new scans wait until they are released. Default: false. */
  readonly hold?: boolean;
  /** How scans end. Default: `COMPLETED`. */
  readonly ending?: 'COMPLETED' | 'FAILED' | 'CANCELLED';
}

/** The records that can leave out members. */
export type RecordName =
  | 'token'
  | 'repository'
  | 'preset'
  | 'launch'
  | 'scanItem'
  | 'scanDetail'
  | 'progress'
  | 'findingItem'
  | 'findingDetail';
export type HiddenFields = Readonly<Partial<Record<RecordName, readonly string[]>>>;

/** A request as the service sees it. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The stable name of the route, such as `scans.launch`. It is `unknown` if there is no such route. */
  readonly point: string;
  /** How many requests this point has had, with this one. */
  readonly count: number;
  /** Whether its connection has carried another request before. */
  readonly onUsedConnection: boolean;
  readonly headers: IncomingHttpHeaders;
  /** Parsed if it is JSON, text otherwise, undefined if there is none. */
  readonly body: unknown;
}

export type Intercept = (
  request: SeenRequest,
) => Interception | undefined | Promise<Interception | undefined>;

/** Enough for a small project. The full preset has the default minimum budget. */
export const DEFAULT_PRESETS: readonly PresetOptions[] = [
  {
    ref: 'diff-review',
    name: 'Diff review',
    kind: 'diff',
    minCredits: 20,
    description: 'Audits one change.',
  },
  {
    ref: 'full-audit',
    name: 'Full audit',
    kind: 'full',
    minCredits: 0,
    description: 'Audits the whole tree.',
  },
];
