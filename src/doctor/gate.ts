import {
  type RequiredCheck,
  type RequiredWorkflow,
  requiredChecks,
  requiredWorkflows,
  requireMore,
} from '../github/branch-rules.ts';
import type { RepositoryOnGitHub } from '../github/repository.ts';
import {
  type Check,
  callableGateJobs,
  checksOf,
  eventsOf,
  type GateCheck,
  gateChecks,
  mentionsGate,
  type Place,
  readWorkflows,
} from '../workflow/check.ts';
import { CHANGE_EVENTS, QUEUE_EVENT } from '../workflow/gaps.ts';
import type { Workflow } from '../workflow/workflow.ts';
import type { GitHubFacts, RepositoryFacts } from './facts.ts';

/** A job that runs the gate on pull requests or merge groups. */
export interface GateJob {
  readonly check: GateCheck;
  /** The names of the job's checks that the branch requires. */
  readonly required: readonly string[];
  /** True if a ruleset requires the whole workflow. GitHub then ignores the filters of the workflow. */
  readonly byRule: boolean;
}

/** What the workflow files and the rules of the default branch say about the gate. */
export interface Gate {
  readonly branch: string;
  /** `owner/name` */
  readonly repository: string;
  readonly required: readonly RequiredCheck[];
  /** True if the doctor knows all workflows and all requirements of the branch. */
  readonly isWhole: boolean;
  /** True if all workflow files were read. */
  readonly hasAllFiles: boolean;
  readonly workflows: readonly Workflow[];
  /** Workflow files that mention the gate, but that the doctor cannot parse. */
  readonly unclear: readonly string[];
  /** All workflow files of this repository that the doctor cannot parse. */
  readonly unread: readonly string[];
  /** The names of the gate's jobs in workflows that other workflows can call. */
  readonly callable: readonly string[];
  /** The checks of all jobs, on any event. */
  readonly checks: readonly Check[];
  readonly jobs: readonly GateJob[];
}

/**
 * Collects what the doctor knows about the gate. Undefined if the branch, its rules or the workflows were not read.
 * Pure.
 */
export function gateOf(
  { defaultBranch, branch, rules, workflows, repository: shown, foreign = [] }: GitHubFacts,
  { owner, name }: Pick<RepositoryFacts, 'owner' | 'name'>,
): Gate | undefined {
  if (!defaultBranch.ok || !branch?.ok || !rules?.ok || !workflows?.ok) return undefined;
  const repository = `${owner}/${name}`;
  const { requiredChecks: classic, isProtected } = branch.value;
  const required = [...requiredChecks(rules.value.rules), ...(classic ?? [])];
  const wanted = requiredWorkflows(rules.value.rules);
  const ownPaths = new Set(wanted.filter((one) => !isForeign(one, shown)).map(({ path }) => path));
  const own = readWorkflows(workflows.value.files);
  const others = readWorkflows(foreign.flatMap(({ file }) => (file.ok ? [file.value] : [])));
  const source = { repository, branch: defaultBranch.value };
  const checks = checksOf(own.readable, source);
  const names = new Set(required.map((one) => one.name));
  const jobs = [
    ...gateChecks(checks).map((check) => ({
      check,
      required: check.names?.filter((one) => names.has(one)) ?? [],
      byRule: ownPaths.has(check.chain[0].workflow.path),
    })),
    ...gateChecks(checksOf(others.readable, source)).map((check) => ({
      check,
      required: [],
      byRule: true,
    })),
  ];
  return {
    branch: defaultBranch.value,
    repository,
    required,
    isWhole:
      rules.value.complete &&
      workflows.value.complete &&
      own.unreadable.length === 0 &&
      foreign.every(({ file }) => file.ok) &&
      !requireMore(rules.value.rules) &&
      // GitHub can show that the branch is protected, and hide what it requires.
      !(classic === undefined && isProtected),
    hasAllFiles: workflows.value.complete,
    workflows: own.readable,
    unclear: [...own.unreadable, ...others.unreadable]
      .filter(({ text }) => mentionsGate(text))
      .map(({ path }) => path),
    unread: own.unreadable.map(({ path }) => path),
    callable: callableGateJobs(own.readable),
    checks,
    jobs: jobs.filter(({ check }) =>
      [...CHANGE_EVENTS, QUEUE_EVENT].some((event) => eventsOf(check).has(event)),
    ),
  };
}

/** True if the required workflow is not the file on the default branch of this repository. */
export function isForeign(
  { repositoryId, ref }: RequiredWorkflow,
  shown: RepositoryOnGitHub | undefined,
): boolean {
  if (shown === undefined || repositoryId !== shown.id) return true;
  return ![undefined, shown.defaultBranch, `refs/heads/${shown.defaultBranch}`].includes(ref);
}

export function isRequired({ required, byRule }: GateJob): boolean {
  return byRule || required.length > 0;
}

/** The jobs on which the merge depends. If the doctor finds no required job, these are all jobs of the gate. */
export function decidingJobs({ jobs }: Gate): readonly GateJob[] {
  const required = jobs.filter(isRequired);
  return required.length > 0 ? required : jobs;
}

/** The names of required checks that a job of the gate reports. */
export function requiredJobNames(gate: Gate): readonly string[] {
  return [...new Set(decidingJobs(gate).flatMap(({ required }) => required))];
}

/** True if a failure of the job at `place` is enough to prevent the merge. */
export function blocks({ required, checks }: Gate, { byRule, check }: GateJob, place: Place): boolean {
  // The ruleset requires every job of this workflow.
  if (byRule && place.workflow.path === check.chain[0].workflow.path) return true;
  const names = new Set(required.map(({ name }) => name));
  return checks.some(
    (one) =>
      one.chain[0].workflow === check.chain[0].workflow &&
      (one.chain.at(-1) ?? one.chain[0]).job === place.job &&
      one.names?.every((name) => names.has(name)) === true,
  );
}

/** Returns the name of the job's check, for messages. If that name is not known, returns the id of the job. */
export function nameOf({ check, required }: GateJob): string {
  const job = (check.chain.at(-1) ?? check.chain[0]).job;
  return required[0] ?? check.names?.[0] ?? job.id;
}
