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

/** Everything that the rows are made of. */
export interface DoctorFacts {
  readonly reading: InputReading;
  readonly repository: RepositoryFacts;
  readonly proxy: ProxyFacts;
  /** Undefined: not asked, because an input, or the proxy, is unusable. */
  readonly service: ServiceFacts | undefined;
  /** Undefined: there is no token for GitHub. */
  readonly github: GitHubFacts | undefined;
  /** Undefined without the input `guidance-file`. */
  readonly guidance?: GuidanceFacts | undefined;
  readonly now: Date;
  /** The tokens come from the environment of a shell, not from inputs. */
  readonly isCommandLine: boolean;
}

/** The repository that the gate protects. */
export interface RepositoryFacts {
  readonly owner: string;
  readonly name: string;
  readonly serverUrl: string;
  /** The log is public too: no limits, no dates, no messages of the service. */
  readonly isPublic: boolean;
  /** A commit that stands for the head of a change; empty where there is none. */
  readonly headSha: string;
}

export interface ProxyFacts {
  /** The variable that names a proxy; undefined where none does. */
  readonly variable: string | undefined;
  /** Why it cannot be used. */
  readonly fault: NotScanned | undefined;
}

/** Undefined members were not read, because something before them failed. */
export interface GuidanceFacts {
  readonly path: string;
  /** At the newest commit of the default branch. */
  readonly file: Result<GuidanceFile, NotScanned> | undefined;
  /** What the service has for the repository; null where there is none. */
  readonly stored: Result<string | null, NotScanned> | undefined;
}

/** Undefined members were not read, because something before them failed. */
export interface ServiceFacts {
  readonly token: Result<TokenInformation, ApiError>;
  readonly projectId: Result<string, NotScanned> | undefined;
  readonly lists: ProjectLists | undefined;
  /** One of the newest scans, as its detail shows it. */
  readonly scan: Result<Scan, ApiError> | undefined;
  /** Some findings of the project. */
  readonly findings: Result<readonly FindingFacts[], ApiError> | undefined;
  /** Undefined also where there are not two scans to compare. */
  readonly ids?: Result<IdFacts, ApiError> | undefined;
}

/** What a finding shows, and nothing of what it says but its severity. */
export interface FindingFacts {
  readonly hasId: boolean;
  readonly hasTitle: boolean;
  readonly hasPlace: boolean;
  /** Its word is foreign text, which is not shown in a public repository. */
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
  /** The workflows of other repositories that a ruleset requires. */
  readonly foreign: readonly {
    readonly workflow: RequiredWorkflow;
    readonly file: Result<WorkflowFile, GitHubError>;
  }[];
  /** The gate has run on `pull_request_target` since GitHub blocks it; undefined: not asked. */
  readonly targetRuns: Result<boolean, GitHubError> | undefined;
  /** By name: undefined where there is no such environment. Only those that matter. */
  readonly environments: ReadonlyMap<string, Result<EnvironmentRules | undefined, GitHubError>>;
  /** By the name of a check: the app that reported the newest one, undefined where there is none. Only those that matter. */
  readonly jobApps: ReadonlyMap<string, Result<number | undefined, GitHubError>>;
}
