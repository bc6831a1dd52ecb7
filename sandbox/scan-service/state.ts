import type * as v from 'valibot';
import type { JsonObject } from '../json.ts';
import type { Analysis } from './analyzer/analyze.ts';
import type { LocatedVulnerability } from './analyzer/vulnerability.ts';
import type { Survey } from './audit-areas/survey.ts';
import type { Ledger } from './ledger.ts';
import type { PaceOptions, ScanServiceOptions } from './options.ts';
import type {
  AreaMap,
  PresetOptions,
  ProjectRecord,
  Publication,
  StoredFinding,
  StoredRepository,
  StoredScan,
  TokenRecord,
} from './records.ts';

/** The options of a service, with their defaults. */
export type Settings = Required<
  Pick<
    ScanServiceOptions,
    'analyze' | 'findingId' | 'hideFields' | 'onScanFailure' | 'retryAfterSeconds' | 'scanId' | 'survey'
  >
> & {
  readonly pace: Required<PaceOptions>;
  readonly launchFields: { readonly repository: string; readonly commit: string };
};

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
  readonly settings: Settings;
  /** Settings for the next scan. They override `pace`. */
  next: Partial<Pick<ScanRecord, 'held' | 'ending'>>;
  now(): Date;
}

export interface RepositoryRecord extends Omit<v.InferOutput<typeof StoredRepository>, 'guidance' | 'maps'> {
  readonly guidance: {
    content: string | null;
    /** The oldest comes first. */
    readonly revisions: { readonly id: string; readonly content: string | null; readonly at: Date }[];
  };
  /** The newest map of each branch. Branches without a map are missing. */
  readonly maps: Map<string, AreaMap>;
}

export interface ScanRecord extends Omit<v.InferOutput<typeof StoredScan>, 'repositoryId' | 'found'> {
  readonly repository: RepositoryRecord;
  /** The analysis starts at the launch. Undefined if it failed. The scan becomes COMPLETED only after the analysis. */
  readonly analysis: Promise<Analysis | undefined>;
  /** The data for a map of the areas. Undefined if the tree could not be read. The scan then stores no map. */
  readonly survey: Promise<Survey | undefined>;
  found: readonly { readonly findingId: string; readonly vulnerability: LocatedVulnerability }[];
}

/** A vulnerability of a repository. All scans that find it share this record. */
export interface FindingRecord extends Omit<v.InferOutput<typeof StoredFinding>, 'repositoryId'> {
  readonly repository: RepositoryRecord;
  vulnerability: LocatedVulnerability;
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
