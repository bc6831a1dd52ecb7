import type { ListenOptions } from '../faults/server.ts';
import type { Analysis, AnalysisTarget } from './analyzer/analyze.ts';
import type { Survey } from './audit-areas/survey.ts';
import type { PresetOptions, Scope } from './records.ts';

export interface ScanServiceOptions extends ListenOptions<string> {
  /** The prepaid credits of the organization. Default: 1000. */
  readonly credits?: number;
  /** Default: one token that has every scope. */
  readonly tokens?: readonly TokenOptions[];
  readonly repositories: readonly RepositoryOptions[];
  readonly presets?: readonly PresetOptions[];
  /** A folder that keeps the state for the next start. Default: nothing is kept. */
  readonly dataFolder?: string;
  readonly pace?: PaceOptions;
  /** The `Retry-After` of answers about a scan that is still running, in whole seconds. Default: 1. */
  readonly retryAfterSeconds?: number;
  /** Optional members to leave out of the records in answers. */
  readonly hideFields?: HiddenFields;
  /** The names of the launch members that the contract leaves open. */
  readonly launchFields?: { readonly repository?: string; readonly commit?: string };
  /**
   * Finds the vulnerabilities of a scan. Default: the analyzer. Tests that scan the same commits many times pass a
   * faster function.
   */
  readonly analyze?: (target: AnalysisTarget) => Promise<Analysis>;
  /**
   * Reads the data for the map of the audit areas. Default: from the tree of the scan's commit. Tests that scan the
   * same commits many times pass a faster function.
   */
  readonly survey?: (gitDir: string, commit: string) => Promise<Survey>;
  /** Called with the reason if the work of a scan fails. The API does not show the reason. */
  readonly onScanFailure?: (scanId: string, reason: string) => void;
  /**
   * Makes the id of a finding from the hash of its vulnerability. Tests use this to give two findings the same label.
   */
  readonly findingId?: (hash: string) => string;
  /**
   * Makes the id of a scan from the hash of its position in the project. Tests use this to choose ids, for example long
   * ones.
   */
  readonly scanId?: (hash: string) => string;
}

export interface TokenOptions {
  /** Default: every scope. */
  readonly scopes?: readonly Scope[];
  /** Ids of repositories, or `owner/name`. If empty or missing, the token may use every repository. */
  readonly repositoryAllowlist?: readonly string[];
  readonly expiresAt?: Date;
  /** In credits per calendar month (UTC). */
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
  /** The folder for `git -C`. The service only reads the repository. */
  readonly gitDir: string;
  readonly status?: 'ACTIVE' | 'MARKED_FOR_DELETION';
  readonly readiness?: 'ready' | 'analyzing';
  /** How many listings show the repository as still being analyzed. After them, it is ready. */
  readonly readyAfterListings?: number;
  /** Guidance that is stored when the service starts. It has no revision. */
  readonly guidance?: string;
}

export interface PaceOptions {
  /**
   * How many phases end whenever a client reads the detail of a running scan. Default: 3. With `Infinity`, the scan
   * ends when a client reads it for the first time.
   */
  readonly phasesPerPoll?: number;
  /** True if new scans wait until they are released. Default: false. */
  readonly hold?: boolean;
  /** How scans end. Default: `COMPLETED`. */
  readonly ending?: 'COMPLETED' | 'FAILED' | 'CANCELLED';
}

/** The records whose members `hideFields` can hide. */
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

/** Presets for a small project. A `minCredits` of 0 means that the default floor applies. */
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
