import type { GuidanceFile } from '../change/guidance-file.ts';
import type { NotScanned } from '../domain/not-scanned.ts';
import type { TokenInformation } from '../domain/project.ts';
import type { Result } from '../domain/result.ts';
import type { Scan } from '../domain/scan.ts';
import type { Severity } from '../domain/severity.ts';
import type { BranchRules, RequiredWorkflow } from '../github/branch-rules.ts';
import type { CompareFault } from '../github/compare.ts';
import type { EnvironmentRules } from '../github/environment-rules.ts';
import type { GitHubError } from '../github/github-error.ts';
import type { Grouping } from '../github/merge-queue.ts';
import type { ProtectedBranch, RepositoryOnGitHub } from '../github/repository.ts';
import type { WorkflowFile, WorkflowFiles } from '../github/workflow-files.ts';
import type { ProjectLists } from '../preflight/preflight-reads.ts';
import type { InputReading } from '../runner/inputs.ts';
import type { ApiError } from '../scan-api/api-error.ts';
import type { IdFacts } from './finding-ids.ts';

/** Everything that the rows are computed from. */
export interface DoctorFacts {
  readonly reading: InputReading;
  readonly repository: RepositoryFacts;
  readonly proxy: ProxyFacts;
  /** Undefined: not read, because an input or the proxy is unusable. */
  readonly service: ServiceFacts | undefined;
  /** Undefined: there is no token for GitHub. */
  readonly github: GitHubFacts | undefined;
  /** Undefined without the input `guidance-file`. */
  readonly guidance?: GuidanceFacts | undefined;
  readonly now: Date;
  /** The tokens come from environment variables of a shell, not from inputs. */
  readonly isCommandLine: boolean;
}

/** The repository that the gate protects. */
export interface RepositoryFacts {
  readonly owner: string;
  readonly name: string;
  readonly serverUrl: string;
  /** True if the log is public too. Then it shows no limits, no dates and no messages of the service. */
  readonly isPublic: boolean;
  /** A commit to use as the head of a change; empty if there is none. */
  readonly headSha: string;
}

export interface ProxyFacts {
  /** The variable that sets a proxy; undefined if none does. */
  readonly variable: string | undefined;
  /** Why the proxy cannot be used. */
  readonly fault: NotScanned | undefined;
}

/** A member is undefined if it was not read, because an earlier step failed. */
export interface GuidanceFacts {
  readonly path: string;
  /** Read at the newest commit of the default branch. */
  readonly file: Result<GuidanceFile, NotScanned> | undefined;
  /** The guidance that the service stores for the repository; null if there is none. */
  readonly stored: Result<string | null, NotScanned> | undefined;
}

/** A member is undefined if it was not read, because an earlier step failed. */
export interface ServiceFacts {
  readonly token: Result<TokenInformation, ApiError>;
  readonly projectId: Result<string, NotScanned> | undefined;
  readonly lists: ProjectLists | undefined;
  /** The detail of one of the newest scans. */
  readonly scan: Result<Scan, ApiError> | undefined;
  /** Some findings of the project. */
  readonly findings: Result<readonly FindingFacts[], ApiError> | undefined;
  /** Also undefined if there are fewer than two scans to compare. */
  readonly ids?: Result<IdFacts, ApiError> | undefined;
}

/** Which members a finding has, and its severity. Contains none of its texts. */
export interface FindingFacts {
  readonly hasId: boolean;
  readonly hasTitle: boolean;
  readonly hasPlace: boolean;
  /** The word is foreign text, which the table does not show in a public repository. */
  readonly severity: Severity;
}

export interface GitHubFacts {
  readonly defaultBranch: Result<string, GitHubError>;
  readonly branch: Result<ProtectedBranch, GitHubError> | undefined;
  readonly rules: Result<BranchRules, GitHubError> | undefined;
  readonly comparison: Result<unknown, CompareFault> | undefined;
  readonly checkRuns: Result<unknown, GitHubError> | undefined;
  readonly workflows: Result<WorkflowFiles, GitHubError> | undefined;
  readonly repository: RepositoryOnGitHub | undefined;
  readonly queue: Result<Grouping | 'none', GitHubError> | undefined;
  /** Workflows of other repositories that a ruleset requires. */
  readonly foreign: readonly {
    readonly workflow: RequiredWorkflow;
    readonly file: Result<WorkflowFile, GitHubError>;
  }[];
  /** Whether the gate has run on `pull_request_target` since GitHub blocks that event; undefined: not read. */
  readonly targetRuns: Result<boolean, GitHubError> | undefined;
  /** By name; undefined if the environment does not exist. Contains only those that a row needs. */
  readonly environments: ReadonlyMap<string, Result<EnvironmentRules | undefined, GitHubError>>;
  /**
   * By the name of a check: the app that reported the newest one, undefined if there is none. Contains only those that
   * a row needs.
   */
  readonly jobApps: ReadonlyMap<string, Result<number | undefined, GitHubError>>;
}
