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
  /** The least budget of a launch where the preset's `minCredits` is 0; default 10. */
  readonly defaultFloor?: number;
  /** Default: one token with every scope. */
  readonly tokens?: readonly TokenOptions[];
  readonly repositories: readonly RepositoryOptions[];
  readonly presets?: readonly PresetOptions[];
  /** Of the loopback interface; default 0, any free one. */
  readonly port?: number;
  /** Keeps everything there, and continues from it after a restart. Default: keeps nothing. */
  readonly dataFolder?: string;
  readonly pace?: PaceOptions;
  /** The advice while a scan is not terminal; whole seconds, default 1. */
  readonly retryAfterSeconds?: number;
  /** Every answer waits this long; default 0. */
  readonly latencyMs?: number;
  readonly clock?: { now(): Date };
  /** How many of the newest requests `requests` keeps; default: every one. */
  readonly keptRequests?: number;
  /** May replace the real answer with an answer or a fault. */
  readonly intercept?: Intercept;
  /** Optional members to leave out of the records, by record. */
  readonly hideFields?: HiddenFields;
  /** The names under which a launch body is read where the contract gives none. */
  readonly launchFields?: { readonly repository?: string; readonly commit?: string };
  /** What a scan finds; default: the analyzer. For callers that scan the same commits many times. */
  readonly analyze?: (target: AnalysisTarget) => Promise<Analysis>;
  /** What a scan's map is drawn from; default: the tree of its commit. For the same caller. */
  readonly survey?: (gitDir: string, commit: string) => Promise<Survey>;
  /** Is given the reason why the work of a scan failed. The API does not show it. */
  readonly onScanFailure?: (scanId: string, reason: string) => void;
  /** Makes a finding's id from the hash of its vulnerability; for ids whose labels collide. */
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
  /** Repository ids or `owner/name`; empty or absent: every repository. */
  readonly repositoryAllowlist?: readonly string[];
  readonly expiresAt?: Date;
  /** Credits per calendar month (UTC). */
  readonly spendLimit?: number;
  /** Default 600 requests in 60 seconds. */
  readonly requestCeiling?: { readonly requests: number; readonly windowSeconds: number };
}

export interface RepositoryOptions {
  readonly id?: string;
  readonly owner: string;
  readonly name: string;
  /** Default `https://github.com/<owner>/<name>`. */
  readonly url?: string;
  readonly defaultBranch?: string | null;
  /** What `git -C` takes. Only ever read. */
  readonly gitDir: string;
  readonly status?: 'ACTIVE' | 'MARKED_FOR_DELETION';
  readonly readiness?: 'ready' | 'analyzing';
  /** An analyzing repository becomes ready after it was listed so many times. */
  readonly readyAfterListings?: number;
  /** Guidance that is stored already, from before revisions were tracked. */
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
  /** Phases that every read of a running scan's detail finishes; default 3, `Infinity` ends it at the first read. */
  readonly phasesPerPoll?: number;
  /** New scans wait until they are released; default false. */
  readonly hold?: boolean;
  /** How scans end; default `COMPLETED`. */
  readonly ending?: 'COMPLETED' | 'FAILED' | 'CANCELLED';
}

/** The records of which members can be hidden. */
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
  /** The stable name of the route, such as `scans.launch`; `unknown` where there is none. */
  readonly point: string;
  /** How many requests this point has had, this one included. */
  readonly count: number;
  /** Its connection has carried another request before. */
  readonly onUsedConnection: boolean;
  readonly headers: IncomingHttpHeaders;
  /** Parsed where it is JSON, text otherwise, undefined where there is none. */
  readonly body: unknown;
}

export type Intercept = (
  request: SeenRequest,
) => Interception | undefined | Promise<Interception | undefined>;

/** Enough for a small project; the full scan leaves its budget to the default floor. */
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
