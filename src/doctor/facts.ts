import type { GuidanceFile } from '../change/guidance-file.ts';
import type { Severity } from '../domain/finding.ts';
import type { TokenInformation } from '../domain/project.ts';
import type { NotScanned, Result } from '../domain/result.ts';
import type { Scan } from '../domain/scan.ts';
import type { BranchRules, Grouping, RequiredWorkflow } from '../github/branch-rules.ts';
import type { CompareFault } from '../github/compare.ts';
import type { GitHubError } from '../github/errors.ts';
import type { EnvironmentRules, ProtectedBranch, RepositoryOnGitHub } from '../github/repository.ts';
import type { WorkflowFile, WorkflowFiles } from '../github/workflows.ts';
import type { ProjectLists } from '../preflight/preflight.ts';
import type { InputReading } from '../runner/inputs.ts';
import type { ApiError } from '../scan-api/api-error.ts';

/** All data from which the rows are computed. */
export interface DoctorFacts {
  readonly reading: InputReading;
  readonly repository: RepositoryFacts;
  readonly proxy: ProxyFacts;
  /** Undefined if the service was not asked, because an input or the proxy is unusable. */
  readonly service: ServiceFacts | undefined;
  /** Undefined if there is no token for GitHub, or if the proxy is unusable. */
  readonly github: GitHubFacts | undefined;
  /** Undefined without the input `guidance-file`. */
  readonly guidance?: GuidanceFacts | undefined;
  readonly now: Date;
  /** True if the tokens come from environment variables of a shell. In an action they are inputs. */
  readonly isCommandLine: boolean;
}

/** The repository that the gate protects. */
export interface RepositoryFacts {
  readonly owner: string;
  readonly name: string;
  readonly serverUrl: string;
  /** True if the repository and its log are public. The log then hides limits, dates and messages of the service. */
  readonly isPublic: boolean;
  /** A commit to use as the head of a change; empty if there is none. */
  readonly headSha: string;
}

export interface ProxyFacts {
  /** The name of the variable that sets a proxy; undefined if there is none. */
  readonly variable: string | undefined;
  /** Why the proxy cannot be used; undefined if it can. */
  readonly fault: NotScanned | undefined;
}

/** Facts about the guidance. A member is undefined if it was not read. */
export interface GuidanceFacts {
  readonly path: string;
  /** The file at the newest commit of the default branch. */
  readonly file: Result<GuidanceFile, NotScanned> | undefined;
  /** The guidance that the service stores for the repository; null if there is none. */
  readonly stored: Result<string | null, NotScanned> | undefined;
}

/** Facts from the service. A member is undefined if it was not read. */
export interface ServiceFacts {
  readonly token: Result<TokenInformation, ApiError>;
  readonly projectId: Result<string, NotScanned> | undefined;
  readonly lists: ProjectLists | undefined;
  /** The detail of one of the newest scans. */
  readonly scan: Result<Scan, ApiError> | undefined;
  /** A sample of the project's findings. */
  readonly findings: Result<readonly FindingFacts[], ApiError> | undefined;
}

/** Which members a finding has, and its severity. The texts of the finding are not kept. */
export interface FindingFacts {
  readonly hasId: boolean;
  readonly hasTitle: boolean;
  readonly hasPlace: boolean;
  /** In a public repository, the table hides the service's word for a severity, because the word is foreign text. */
  readonly severity: Severity;
}

/** Facts from GitHub. A member is undefined if it was not read. */
export interface GitHubFacts {
  readonly defaultBranch: Result<string, GitHubError>;
  readonly branch?: Result<ProtectedBranch, GitHubError> | undefined;
  readonly rules?: Result<BranchRules, GitHubError> | undefined;
  readonly comparison?: Result<unknown, CompareFault> | undefined;
  readonly checkRuns?: Result<unknown, GitHubError> | undefined;
  readonly workflows?: Result<WorkflowFiles, GitHubError> | undefined;
  readonly repository?: RepositoryOnGitHub | undefined;
  readonly queue?: Result<Grouping | 'none', GitHubError> | undefined;
  /** Workflows whose files are in other repositories. A ruleset requires these workflows. */
  readonly foreign?: readonly {
    readonly workflow: RequiredWorkflow;
    readonly file: Result<WorkflowFile, GitHubError>;
  }[];
  /**
   * True if the gate has run on `pull_request_target` since GitHub began to block this event. Undefined if the runs
   * were not read.
   */
  readonly targetRuns?: Result<boolean, GitHubError> | undefined;
  /**
   * The rules of each environment that a row needs, by the environment's name. Undefined if the environment does not
   * exist.
   */
  readonly environments?: ReadonlyMap<string, Result<EnvironmentRules | undefined, GitHubError>>;
  /**
   * The app that reports each check that a row needs. The key is the name of the check, and the value is the id of the
   * app. Undefined if no run has reported such a check.
   */
  readonly jobApps?: ReadonlyMap<string, Result<number | undefined, GitHubError>> | undefined;
  /** The names of the repository's languages. Undefined if no row needs them. */
  readonly languages?: Result<readonly string[], GitHubError> | undefined;
}
