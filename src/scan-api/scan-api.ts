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

/** The signal ends the call and its waits. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/**
 * The calls to the service that the action needs. Calls that only read are retried, except `scan`. A call throws only
 * if the caller passes an unusable id.
 *
 * A call checks the ids in the answer. It does not check any other text of the service.
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
  /** Reads the first page of the project's scans, which has the newest scans. */
  scans(projectId: string, options: CallOptions): Promise<Result<ScanList, ApiError>>;
  /** Sends the launch once. If the answer is lost, credits may be reserved, so the caller decides what to do. */
  launch(projectId: string, body: LaunchBody, options: CallOptions): Promise<Result<LaunchedScan, ApiError>>;
  /** Reads the scan without retries, because the caller polls. */
  scan(projectId: string, scanId: string, options: CallOptions): Promise<Result<PolledScan, ApiError>>;
  /** Reads the scan with retries, for callers that read it once. */
  readScan(projectId: string, scanId: string, options: CallOptions): Promise<Result<Scan, ApiError>>;
  cancel(projectId: string, scanId: string, options: CallOptions): Promise<Result<void, ApiError>>;
  /** Reads all findings of the scan, as the list shows them. */
  findings(
    projectId: string,
    scanId: string,
    options: CallOptions,
  ): Promise<Result<readonly Finding[], ApiError>>;
  /**
   * Reads one page of findings as a sample: of the scan, or of the whole project if `scanId` is undefined. Retries a
   * request once.
   */
  sampleFindings(
    projectId: string,
    options: CallOptions,
    scanId?: string,
  ): Promise<Result<readonly Finding[], ApiError>>;
  /**
   * Reads the detail of a finding.
   * @param options `onThrottled` is called when the service asks for a wait; its promise resolves before the request is
   * repeated
   */
  finding(
    projectId: string,
    findingId: string,
    options: CallOptions & { readonly onThrottled?: () => Promise<void> },
  ): Promise<Result<Finding, ApiError>>;
  /** Publishes the scan. @param gated if true, the service generates a password for the page */
  publish(
    projectId: string,
    scanId: string,
    gated: boolean,
    options: CallOptions,
  ): Promise<Result<Publication, ApiError>>;
}

export interface PolledScan {
  readonly scan: Scan;
  /**
   * The wait before the next poll, in milliseconds. Undefined if the service advises no wait. A longer wait than our
   * limit is cut to the limit.
   */
  readonly retryAfterMs: number | undefined;
}
