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

/** Each call is ended by a signal of its own, its waits included. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/**
 * The service, as far as the action needs it. Reads are repeated as the policy says; nothing throws but for an
 * unusable id. Ids in the answers are checked, all other strings are foreign.
 */
export interface ScanApi {
  token(options: CallOptions): Promise<Result<TokenInformation, ApiError>>;
  repositories(
    projectId: string,
    options: CallOptions,
  ): Promise<Result<readonly ListEntry<ProjectRepository>[], ApiError>>;
  presets(projectId: string, options: CallOptions): Promise<Result<readonly ListEntry<Preset>[], ApiError>>;
  /** The guidance that the service has for the repository; null where there is none. */
  guidance(
    projectId: string,
    repositoryId: string,
    options: CallOptions,
  ): Promise<Result<string | null, ApiError>>;
  /** The newest page of the list. Retried like every other read: without it, a launch whose answer is lost is not recognized. */
  scans(projectId: string, options: CallOptions): Promise<Result<ScanList, ApiError>>;
  /** One attempt: an answer that is lost may stand for reserved credits, so the caller decides. */
  launch(projectId: string, body: LaunchBody, options: CallOptions): Promise<Result<LaunchedScan, ApiError>>;
  /** One attempt: the loop that polls is its repetition. */
  scan(projectId: string, scanId: string, options: CallOptions): Promise<Result<PolledScan, ApiError>>;
  /** The same, retried like every other read: for callers that ask once and act on the answer. */
  readScan(projectId: string, scanId: string, options: CallOptions): Promise<Result<Scan, ApiError>>;
  cancel(projectId: string, scanId: string, options: CallOptions): Promise<Result<void, ApiError>>;
  /** All findings of the scan, as the list shows them. */
  findings(
    projectId: string,
    scanId: string,
    options: CallOptions,
  ): Promise<Result<readonly Finding[], ApiError>>;
  /** Some findings of the project, of this scan or of any: one page, two attempts. */
  sampleFindings(
    projectId: string,
    options: CallOptions,
    scanId?: string,
  ): Promise<Result<readonly Finding[], ApiError>>;
  /** @param options `onThrottled` is called when the service asks to wait; the request is sent again when that resolves */
  finding(
    projectId: string,
    findingId: string,
    options: CallOptions & { readonly onThrottled?: () => Promise<void> },
  ): Promise<Result<Finding, ApiError>>;
  /** @param gated ask for a generated password */
  publish(
    projectId: string,
    scanId: string,
    gated: boolean,
    options: CallOptions,
  ): Promise<Result<Publication, ApiError>>;
}

export interface PolledScan {
  readonly scan: Scan;
  /** Until the next poll, as far as the advice of the service is obeyed; undefined where it advises nothing. */
  readonly retryAfterMs: number | undefined;
}
