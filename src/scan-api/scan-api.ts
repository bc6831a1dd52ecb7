import type { Finding } from '../domain/finding.ts';
import type {
  ListEntry,
  Preset,
  ProjectRepository,
  Publication,
  TokenInformation,
} from '../domain/project.ts';
import type { Result } from '../domain/result.ts';
import type { LaunchedScan, Scan, ScanList } from '../domain/scan.ts';
import type { ApiError } from './api-error.ts';
import type { LaunchBody } from './wire-writes.ts';

/** Each call has its own signal, which also ends its waits. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/**
 * The calls to the service that the action needs. Reads are retried. Nothing throws, except for an unusable id. Ids in
 * answers are checked; all other strings are foreign.
 */
export interface ScanApi {
  token(options: CallOptions): Promise<Result<TokenInformation, ApiError>>;
  repositories(
    projectId: string,
    options: CallOptions,
  ): Promise<Result<readonly ListEntry<ProjectRepository>[], ApiError>>;
  presets(projectId: string, options: CallOptions): Promise<Result<readonly ListEntry<Preset>[], ApiError>>;
  /** The guidance that the service stores for the repository; null if there is none. */
  guidance(
    projectId: string,
    repositoryId: string,
    options: CallOptions,
  ): Promise<Result<string | null, ApiError>>;
  /**
   * The newest page of the list. Retried like every other read, because without it the scan of a lost launch cannot be
   * recognized.
   */
  scans(projectId: string, options: CallOptions): Promise<Result<ScanList, ApiError>>;
  /** Makes one attempt. After a lost answer credits may be reserved, so the caller decides what to do. */
  launch(projectId: string, body: LaunchBody, options: CallOptions): Promise<Result<LaunchedScan, ApiError>>;
  /** Makes one attempt, because the caller polls. */
  scan(projectId: string, scanId: string, options: CallOptions): Promise<Result<PolledScan, ApiError>>;
  /** The same with retries, for callers that read once and act on the answer. */
  readScan(projectId: string, scanId: string, options: CallOptions): Promise<Result<Scan, ApiError>>;
  cancel(projectId: string, scanId: string, options: CallOptions): Promise<Result<void, ApiError>>;
  /** Reads all findings of the scan, as the list shows them. */
  findings(
    projectId: string,
    scanId: string,
    options: CallOptions,
  ): Promise<Result<readonly Finding[], ApiError>>;
  /** Reads some findings of this scan, or of any scan of the project: one page, up to two attempts. */
  sampleFindings(
    projectId: string,
    options: CallOptions,
    scanId?: string,
  ): Promise<Result<readonly Finding[], ApiError>>;
  /**
   * @param options `onThrottled` is called when the service asks to wait. The request is sent again when its promise
   * resolves.
   */
  finding(
    projectId: string,
    findingId: string,
    options: CallOptions & { readonly onThrottled?: () => Promise<void> },
  ): Promise<Result<Finding, ApiError>>;
  /** @param gated request a generated password */
  publish(
    projectId: string,
    scanId: string,
    gated: boolean,
    options: CallOptions,
  ): Promise<Result<Publication, ApiError>>;
}

export interface PolledScan {
  readonly scan: Scan;
  /** Milliseconds until the next poll: the service's advice, limited to what we obey; undefined without advice. */
  readonly retryAfterMs: number | undefined;
}
